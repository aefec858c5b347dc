// What of the lessons was solved and seen, kept in the reader's browser: what Python does not know of it is brought there once, and
// what Python knows is kept. Nothing else of a reader is.

const KEPT = "hiermeasures-marks", BEFORE = "hiermeasures-met";   // the latter held what was solved, in a list
const MARKS = { solved: 200, seen: 200 };   // as many as Python takes

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-marks"), { address } = data;
  const forgotten = outbox.latest(address, "forget") !== undefined, all = forgotten ? {} : mergeMarks(data);
  if (!forgotten) bring(address, data, all);
  const said = Boolean(data.words) && Object.values(all).some((found) => found.length);
  host.hidden = !said;
  if (!said || host.firstChild) return;
  const button = element("button", "", "Forget");
  button.type = "button";
  button.onclick = () => {
    stored(null);
    PAGE.brought = "";
    outbox.put(address, { kind: "forget" });
  };
  host.append(element("span", "", data.words), button);
}

function bring(address, data, all) {
  const unknown = Object.keys(MARKS).some((name) => all[name].some((mark) => !data[name].includes(mark)));
  const what = `${address.session} ${JSON.stringify(all)}`;
  if (!unknown || PAGE.brought === what) return;   // what Python does not take is not brought again
  PAGE.brought = what;
  setTimeout(() => outbox.put(address, { kind: "bring", ...all }));   // not while the screen is drawn
}

// What is kept with what Python knows, which is kept then.
function mergeMarks(data) {
  const before = stored(), all = {};
  for (const [name, most] of Object.entries(MARKS)) all[name] = [...new Set([...data[name], ...before[name]])].slice(0, most);
  const changed = Object.keys(MARKS).some((name) => all[name].length > before[name].length || all[name][0] !== before[name][0]);
  if (changed) stored(all);
  return all;
}

// What is kept; given something, that is kept from now on, and with null nothing.
function stored(given) {
  const list = (found) => (Array.isArray(found) ? found.filter((mark) => typeof mark === "string") : []);
  try {
    if (given) return void localStorage.setItem(KEPT, JSON.stringify(given));
    if (given === null) return void [KEPT, BEFORE].forEach((name) => localStorage.removeItem(name));
    const found = JSON.parse(localStorage.getItem(KEPT)) ?? { solved: JSON.parse(localStorage.getItem(BEFORE)) };
    return Object.fromEntries(Object.keys(MARKS).map((name) => [name, list(found[name])]));
  } catch {   // a reader may not want anything to be kept
    return Object.fromEntries(Object.keys(MARKS).map((name) => [name, []]));
  }
}
