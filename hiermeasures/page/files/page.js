// The page: draws the stored first picture with the Explorer's scripts at once, starts Python in a worker behind it, and brings
// gestures there and the JSON of what is drawn back. One request is on its way at a time. What is done before Python is there
// waits. A worker that does not answer is ended, and another begins with what was answered last.

const PATIENCE = 20_000;   // milliseconds until a worker that computes is ended
const STATE = "state", EMBED = "embed";   // parameters of the address; the first as in the app's links
const MESSAGES = {
  loading: "Loading Python; your clicks will be carried out as soon as it is ready.",
  link: "Python is loading, to open the link.",
  "no wasm": "This browser has no WebAssembly, which Python needs here: this is a picture, and clicks do nothing.",
  broken: "Python could not be loaded, so this stays a picture. Reload the page to try again.",
  hang: "That took longer than 20 seconds and was stopped. What was shown before is restored …",
  fault: "That could not be computed. What was shown before is restored …",
  restored: "That was stopped; what was shown before is here again.",
};

const root = document.documentElement, version = `?${root.dataset.version}`;
const learns = root.dataset.shows === "lessons";   // not the Explorer
const [explorer, said, progress] = ["explorer", "said", "progress"].map((id) => document.getElementById(id));
const embedded = [location.search, location.hash.slice(1)].some((part) => new URLSearchParams(part).has(EMBED));
let view, data, opening, settings, worker, ready, asked, queue = [], word = wordInAddress(), last = "", turn = 0;

async function open() {
  const [{ mount }, first] = await Promise.all([
    import(`./explorer.js${version}`), fetch(`${learns ? "lessons" : "first"}.json${version}`).then((response) => response.json()),
  ]);
  ({ settings } = first);
  opening = data = shown(first.data);
  view = mount(explorer, { data: () => data, send, drawn, window: !embedded, theme: true });
  new ResizeObserver(tellHeight).observe(document.body);
  if (typeof WebAssembly !== "object") return still("no wasm");
  if (word) ask("open", word);
  explorer.inert = Boolean(word);
  root.toggleAttribute("data-opening", Boolean(word));   // the picture is not what the link leads to
  say(word ? "link" : "loading");
  addEventListener("popstate", walk);
  begin();
}

function send(gestures) {
  ask("gestures", JSON.stringify(gestures));
}

// For who measures how long the first picture takes.
function drawn() {
  if (!performance.getEntriesByName("hiermeasures-drawn").length) requestAnimationFrame(() => performance.mark("hiermeasures-drawn"));
}

// What is embedded in another page is the drawing and the values alone.
function shown(sent) {
  return embedded ? { ...sent, areas: sent.areas.filter(({ key }) => key === "drawing" || key === "values") } : sent;
}

function take(text, then = "") {
  const answer = JSON.parse(text);
  data = shown(answer.data);
  view.draw();
  explorer.inert = false;
  root.removeAttribute("data-opening");
  if (answer.explorer) return void location.assign(`./#${STATE}=${answer.explorer}`);
  say((embedded && answer.fault) || then);   // else it stands above the drawing
  if (answer.kept !== false) last = answer.word;
  if (!queue.some(({ kind }) => kind === "open")) reflect(answer.word);
}

// --- Python ----------------------------------------------------------------------------------------------------------

function begin() {
  const mine = new Worker(`worker.js${version}`, { type: "module" });
  worker = mine;
  ready = false;
  mine.onmessage = ({ data: told }) => worker === mine && hear(told);
  mine.onerror = ({ message }) => worker === mine && hear({ failed: message });
  const token = settings.token + (turn ? `-${turn}` : ""), address = `${location.origin}${location.pathname}#`;
  const told = JSON.stringify(learns ? { data: opening, address } : { address });   // what the session begins with
  mine.postMessage({ kind: "begin", token, told, version, ...settings.begin });
}

function hear(told) {
  if (told.failed) console.warn(told.failed);
  if (told.progress) return void (progress.value = told.progress);
  if (!told.ready && !asked) return void still("broken");
  const then = asked?.then;
  clearTimeout(asked?.timer);
  asked = null;
  if (told.failed) return void again("fault", then);
  if (told.ready) {
    ready = true;
    performance.mark("hiermeasures-ready");
    progress.hidden = true;
    if (!turn) say("");
  }
  if (told.text) take(told.text, then);
  next();
}

// All gestures that are not acknowledged come together, so that the latest are all.
function ask(kind, content) {
  if (queue.at(-1)?.kind === kind) queue.pop();
  queue.push({ kind, content });
  next();
}

function next() {
  if (!ready || asked || !queue.length) return;
  const { kind, content, then } = queue.shift();
  asked = { then, timer: setTimeout(() => again("hang", then), PATIENCE) };
  worker.postMessage({ kind, content });
}

// Another session, which has never heard of what is on its way. Where what was shown last cannot be restored, it begins anew.
function again(why, restoring) {
  worker.terminate();
  if (restoring) last = "";
  [asked, queue] = [null, [{ kind: "open", content: last, then: "restored" }]];
  turn += 1;
  explorer.inert = true;
  say(why);
  begin();
}

function still(why) {
  worker?.terminate();
  explorer.inert = true;
  progress.hidden = true;
  say(why);
}

function say(message) {
  said.dataset.message = message;
  said.textContent = MESSAGES[message] ?? message;
}

// --- the address, and the page around --------------------------------------------------------------------------------

// The value of the first parameter without its name, and then the others: "…&present=1". Behind "#" it is not sent to the server; a
// link of the app has it behind "?".
function wordInAddress() {
  if (learns) return location.hash.slice(1) || location.search.slice(1);
  const parts = [location.hash.slice(1), location.search].map((part) => new URLSearchParams(part));
  const found = parts.find((part) => String(part)) ?? parts[0], state = found.get(STATE) ?? "";
  for (const name of [STATE, EMBED]) found.delete(name);
  return [state, String(found).replaceAll("%2F", "/")].filter((part, i) => !i || part).join("&");
}

function reflect(found) {
  const moves = location.search !== "";
  if (found === word && !moves) return;
  word = found;
  if (embedded) return;
  const address = new URL(location.href);
  address.search = "";
  address.hash = word && (learns ? word : word.startsWith("&") ? word.slice(1) : `${STATE}=${word}`);
  try {
    history[moves ? "replaceState" : "pushState"](null, "", address);
  } catch { /* Browsers bound how many entries come in a short time; the next state is written again. */ }
}

function walk() {
  if (wordInAddress() === word) return;
  word = wordInAddress();
  ask("open", word);
}

function tellHeight() {
  if (parent !== window) parent.postMessage({ hiermeasures: { height: document.body.offsetHeight } }, "*");
}

root.toggleAttribute("data-embed", embedded);
await open();
