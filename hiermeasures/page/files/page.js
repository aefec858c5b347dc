// The page with the Explorer or the lessons (place.js). Both use one Python (python.js). The Explorer's scripts draw the stored first
// picture at once.

const STATE = "state", EMBED = "embed";   // parameters of the address. STATE is also in the app's links
const MESSAGES = {
  loading: "Loading Python. Your clicks will be carried out as soon as it is ready.",
  link: "Loading Python to open the link.",
  "no wasm": "This browser has no WebAssembly, but Python needs it here. You see a picture, and clicks do not work.",
  broken: "Python could not be loaded, so you only see a picture. Reload the page to try again.",
  hang: "This took longer than 20 seconds and was stopped. The last state is being restored …",
  fault: "This could not be computed. The last state is being restored …",
  restored: "This was stopped. You see the last state again.",
};
const TITLES = { page: "the Explorer", lessons: "Lessons" };
const PATHS = { page: "index.html", lessons: "lessons.html" };

const root = document.documentElement, version = `?${root.dataset.version}`, folder = new URL(".", location.href);
const [holder, said, progress, heading] = ["explorer", "said", "progress", "heading"].map((id) => document.getElementById(id));
const embedded = [location.search, location.hash.slice(1)].some((part) => new URLSearchParams(part).has(EMBED));
const [{ mount }, { Place }, { Python }] = await Promise.all(["explorer", "place", "python"].map((name) => import(`./${name}.js${version}`)));
const host = { python: null, cut, shown, told };
const places = {
  page: new Place("page", { file: "first.json", fileOf: () => "answers.json", nameOf: (word) => (word ? undefined : ""), version, host }),
  lessons: new Place("lessons", { file: "lessons.json", fileOf: (name) => `cards/${name.split("/")[0]}.json`, nameOf: cardIn, version, host }),
};
let here = null, ended = false;   // without Python it stays a picture

async function open() {
  new ResizeObserver(tellHeight).observe(document.body);
  addEventListener("popstate", () => go(location.href));
  document.addEventListener("click", follow, true);
  const { place, word } = meaning(location.href);
  await enter(place);
  if (typeof WebAssembly !== "object") return still("no wasm");
  say(word ? "link" : "loading");
  const opened = arrive(place, word);
  host.python = new Python({ begin: place.settings.begin, version, hear, next });
  await opened;
}

// Shows a place instead of the other.
async function enter(place) {
  if (here === place) return;
  await place.load();
  here?.view.destroy();
  here = place;
  root.dataset.shows = place.shows;
  heading.textContent = TITLES[place.shows];
  document.title = `hiermeasures: ${TITLES[place.shows]}`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === PATHS[place.shows]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  place.view = mount(holder, { page: place.outbox, data: () => place.data, send: (gestures) => place.send(gestures), drawn, window: !embedded, theme: true });
}

// Opens the word of an address. The old drawing is hidden until a part of the new one is there.
async function arrive(place, word) {
  const waits = word !== place.word && !host.python?.ready;
  hide(waits);
  if (await place.open(word) || !waits) hide(false);
}

function hide(on) {
  holder.inert = on || ended;
  root.toggleAttribute("data-opening", on);
}

// Marks the time of the first picture, for measurements.
function drawn() {
  if (!performance.getEntriesByName("hiermeasures-drawn").length) requestAnimationFrame(() => performance.mark("hiermeasures-drawn"));
}

// Leaves only the drawing and the values if the page is embedded in another one.
function cut(data) {
  return embedded ? { ...data, areas: data.areas.filter(({ key }) => key === "drawing" || key === "values") } : data;
}

// Shows an answer of Python or a stored one.
function shown(place, answer, restored) {
  const opens = place.queue.some(({ kind }) => kind === "open");
  if (place !== here) return;
  place.view.draw();
  if (!opens || place.node) hide(false);
  if (answer.explorer) return void go(new URL(`#${STATE}=${answer.explorer}`, new URL(PATHS.page, folder)), true);
  if (host.python?.ready) say((embedded && answer.fault) || (restored ? "restored" : ""));   // otherwise the drawing shows it
  if (!opens || place.node) reflect(place, answer.word);
}

// --- Python ----------------------------------------------------------------------------------------------------------

// Returns the data with which a session begins.
function told(place) {
  const address = `${addressOf(place, "")}#`;
  return place === places.lessons ? { data: place.first.data, address } : { address };
}

function next() {
  for (const place of [here, ...Object.values(places)]) {
    const request = place.data && place.next(host.python);
    if (request) return request;
  }
  return undefined;
}

function hear({ ready, progress: share, broken, lost, request }) {
  if (share) progress.value = share;
  if (broken) still("broken");
  if (ready) {
    performance.mark("hiermeasures-ready");
    progress.hidden = true;
    if (!host.python.turn) say("");
    if (here.begun < 0) here.begin(host.python);
  }
  if (lost) {
    for (const place of Object.values(places)) place.restore(place === request.place && request.restoring);
    holder.inert = true;
    say(lost);
  }
}

function still(why) {
  host.python?.end();
  holder.inert = ended = true;
  progress.hidden = true;
  say(why);
}

function say(message) {
  said.dataset.message = message;
  said.textContent = MESSAGES[message] ?? message;
}

// --- the address, and the page around --------------------------------------------------------------------------------

// Returns the place of an address, and its word. For the Explorer this is the value of the first parameter without its name, and then
// the other parameters, as in "…&present=1". Browsers do not send the part after "#" to the server. Links of the app use "?".
function meaning(address) {
  const url = new URL(address), parts = [url.hash.slice(1), url.search].map((part) => new URLSearchParams(part));
  const found = parts.find((part) => String(part)) ?? parts[0];
  found.delete(EMBED);
  if (url.pathname.endsWith(PATHS.lessons) || found.has("lesson")) return { place: places.lessons, word: String(found) };
  const state = found.get(STATE) ?? "";
  found.delete(STATE);
  return { place: places.page, word: [state, String(found).replaceAll("%2F", "/")].filter((part, i) => !i || part).join("&") };
}

// Returns the name of a stored card, such as "1/2", if a word means only this card. Older links have a lesson's whole key.
function cardIn(word) {
  const parameters = new URLSearchParams(word), lesson = parameters.get("lesson"), card = parameters.get("card") ?? "1";
  if (!word) return "";
  if (!lesson || [...parameters.keys()].some((key) => key !== "lesson" && key !== "card")) return undefined;
  const first = places.lessons.first.then[`learn_course ${JSON.stringify({ kind: "choose", key: lesson })}`] ?? `${lesson}/1`;
  return `${first.split("/")[0]}/${card}`;
}

function addressOf(place, word) {
  const address = new URL(meaning(location.href.replace(/[?#].*/, "")).place === place ? location.pathname : PATHS[place.shows], folder);
  address.hash = word && (place === places.lessons ? word : word.startsWith("&") ? word.slice(1) : `${STATE}=${word}`);
  return address;
}

function reflect(place, word) {
  const moves = location.search !== "";
  if (word === place.word && !moves) return;
  place.word = word;
  if (embedded) return;
  try {
    history[moves ? "replaceState" : "pushState"](null, "", addressOf(place, word));
  } catch { /* Browsers limit the entries in a short time. The next state is written again. */ }
}

// Goes to an address of this page without a reload.
async function go(address, moves = false) {
  if (moves) history.pushState(null, "", address);
  const { place, word } = meaning(address);
  try {
    await enter(place);
  } catch {
    return void location.reload();   // stored files cannot be fetched
  }
  await arrive(place, word);
}

// Follows a link to the other place. Without a word it leads to the last state there.
function follow(event) {
  const link = event.composedPath().find(({ tagName }) => tagName === "A");
  if (embedded || !link?.href || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (![PATHS.page, PATHS.lessons].some((path) => url.pathname === new URL(path, folder).pathname)) return;
  event.preventDefault();
  event.stopPropagation();
  const { place, word } = meaning(url);
  if (place !== here || word) go(addressOf(place, word || place.word), true);
}

function tellHeight() {
  if (parent !== window) parent.postMessage({ hiermeasures: { height: document.body.offsetHeight } }, "*");
}

root.toggleAttribute("data-embed", embedded);
await open();
