// The state of a page in the address bar, so that a reload keeps it and the browser's back and forward walk it. Python gives the
// word that stands for what it shows; here it is written, each new one as an entry of the browser's history. A way back or
// forward is a gesture among the others: it comes in order, and an answer to what was done before it changes nothing.
// The word holds the values of ADDRESS_PARAMETERS, the first without its name: "…&present=1".

const mirror = (globalThis.hiermeasuresMirror ??= { data: null, path: null, session: null, word: null, returned: null });

function wordInAddress() {
  const [first, ...others] = ADDRESS_PARAMETERS, address = new URLSearchParams(location.search);
  const more = others.filter((name) => address.get(name)).map((name) => String(new URLSearchParams([[name, address.get(name)]])));
  return plain([address.get(first) ?? "", ...more].join("&"));
}

// A slash needs no code: "figure=kosmopoulos2015/figure-15" can be read from a blackboard.
function plain(parameters) {
  return parameters.replaceAll("%2F", "/");
}

// What Python shows; nothing on a page that has no word.
function reflect(data) {
  if (!mirror.listens) {
    mirror.listens = true;
    window.addEventListener("popstate", walk, true);   // before Streamlit's own listener
  }
  // Where the page only changed what is on it, its mailbox came anew, and the address is still its own.
  if (!data && location.pathname === mirror.path) return void (mirror.data = null);
  // Gone to another page and back where Streamlit changed the address after it took this one away: its entry is not of ours.
  const returns = !mirror.data && !history.state?.reflected;
  const arrives = mirror.path === null || returns, renewed = mirror.session !== null && mirror.session !== data?.session;
  Object.assign(mirror, { data: data ?? null, path: data ? location.pathname : null, outbox });   // a page that comes back has a new one
  if (!data) return;
  mirror.session = data.session;
  // Back from another page, or the server was started anew: the address knows better what is to be seen.
  if ((renewed || (arrives && mirror.returned === location.href)) && wordInAddress() !== data.word) return ask(data);
  if (outbox.latest(data, "walk") || (data.word === mirror.word && !arrives)) return;
  mirror.word = data.word;
  if (data.word !== wordInAddress()) write(data.word, arrives);
}

function write(word, arrives) {
  const address = new URL(location.href);
  const values = new URLSearchParams(`${ADDRESS_PARAMETERS[0]}=${word}`);
  for (const name of ADDRESS_PARAMETERS) {
    if (values.get(name)) address.searchParams.set(name, values.get(name)); else address.searchParams.delete(name);
  }
  address.search = plain(address.search);
  try {
    history[arrives ? "replaceState" : "pushState"]({ reflected: true }, "", address);
  } catch { /* Browsers bound how many entries come in a short time; the next state is written again. */ }
}

function walk(event) {
  mirror.returned = location.href;
  if (!mirror.data || location.pathname !== mirror.path) return;   // to or from another page: Streamlit's
  event.stopImmediatePropagation();
  if (wordInAddress() !== mirror.word) ask(mirror.data);
}

function ask(data) {
  mirror.word = wordInAddress();
  mirror.outbox.put(data, { kind: "walk", word: mirror.word });
}
