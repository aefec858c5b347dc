// Python behind the page: loads Pyodide, the wheels and our package, then answers what page.js asks. The first message is what
// to begin with; every other a request { kind, content }, answered by { id, text } or { id, failed }. Before there are
// { progress }, from 0 to 1, and { ready, text } once, or { failed }.

let session = null;

addEventListener("message", ({ data }) => (data.kind === "begin" ? begin(data) : answer(data)));

async function begin({ token, core, wheels, later, lock, version, shows, told }) {
  try {
    let there = 0;
    const arrived = (part) => (postMessage({ progress: ++there / (wheels.length + 1) }), part);
    const get = (path) => fetched(path + version).then(arrived);
    const load = import(`./${core}/pyodide.mjs`).then(({ loadPyodide }) => loadPyodide({ indexURL: `./${core}/`, lockFileContents: lock }));
    const [pyodide, ...parts] = await Promise.all([load.then(arrived), ...wheels.map(get)]);
    for (const part of parts) pyodide.unpackArchive(part, "wheel");
    const place = () => pyodide.unpackArchive(fetchedNow(later + version), "wheel");
    session = pyodide.pyimport("hiermeasures.page.session").start(shows, token, place, told);
    postMessage({ ready: true });
    await fetched(later + version);   // the browser keeps it
    setTimeout(warm);
  } catch (fault) {
    postMessage({ failed: String(fault) });
  }
}

function answer({ kind, content }) {
  try {
    postMessage({ text: kind === "open" ? session.opened(content) : session.received(content) });
  } catch (fault) {
    postMessage({ failed: String(fault) });
  }
}

// What the first click needs is imported by then. What fails here fails there, and is said then.
function warm() {
  try { session.answer(); } catch { /* see above */ }
}

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.arrayBuffer();
}

// Python waits for what it imports.
function fetchedNow(path) {
  const request = new XMLHttpRequest();
  request.open("GET", path, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${path}: ${request.status}`);
  return request.response;
}
