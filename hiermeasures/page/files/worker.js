// Python behind the page: loads Pyodide, the wheels and our package, then answers the requests of python.js. The first message has the
// settings. The answers to it are { progress }, from 0 to 1, and { ready } once, or { failed }. { kind: "session" } begins a session of
// a place, without an answer. Every other message is a request { kind, shows, content }. Its answer is { text } or { failed, begins }.

let sessions = null;

addEventListener("message", ({ data }) => (data.kind === "begin" ? begin(data) : answer(data)));

async function begin({ core, wheels, later, lock, version }) {
  try {
    let there = 0;
    const arrived = (part) => (postMessage({ progress: ++there / (wheels.length + 1) }), part);
    const get = (path) => fetched(path + version).then(arrived);
    const load = import(`./${core}/pyodide.mjs`).then(({ loadPyodide }) => loadPyodide({ indexURL: `./${core}/`, lockFileContents: lock }));
    const [pyodide, ...parts] = await Promise.all([load.then(arrived), ...wheels.map(get)]);
    for (const part of parts) pyodide.unpackArchive(part, "wheel");
    const place = () => pyodide.unpackArchive(fetchedNow(later + version), "wheel");
    sessions = pyodide.pyimport("hiermeasures.page.session").start(place);
    postMessage({ ready: true });
    await fetched(later + version);   // the browser keeps it
    setTimeout(warm);
  } catch (fault) {
    postMessage({ failed: String(fault) });
  }
}

function answer({ kind, shows, token, told, content }) {
  try {
    if (kind === "session") sessions.begin(shows, token, told);
    else postMessage({ text: kind === "open" ? sessions.opened(shows, content) : sessions.received(shows, content) });
  } catch (fault) {
    postMessage({ failed: String(fault), begins: kind === "session" });
  }
}

// Imports the modules for the first click. If this fails, the first click fails too and shows the reason.
function warm() {
  try { sessions.warm(); } catch { /* see above */ }
}

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
}

// Fetches synchronously, because Python waits for its import.
function fetchedNow(path) {
  const request = new XMLHttpRequest();
  request.open("GET", path, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${path}: ${request.status}`);
  return request.response;
}
