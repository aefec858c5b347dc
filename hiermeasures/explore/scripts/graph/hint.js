// A hint on the drawing, with a way on, until it is closed: then for good, which the browser keeps in its local storage. It takes no
// room from the drawing and no clicks but those on its link and its buttons. Belongs to component.js.

const HINTS = {
  welcome: {
    kept: "hiermeasures-welcome", close: "Close the welcome", closed: "welcomed",
    lead: "Click classes and see the prediction's value by each measure.",
    more: "True classes have a circle, predicted classes a box. Click a class to change it, or a measure to see the reason for its value.",
  },
  "what-if": {
    kept: "hiermeasures-what-if", close: "Close the hint", closed: "met",
    lead: "What would the next click do?", more: "What if shows the effect on the chosen measure next to each class.", offer: "Show me",
  },
};
const COURSE = "New to this? Start with lesson 1";
const closedHints = new Set();   // for a browser that keeps nothing

function showHint(graph) {
  const name = graph.data.hint?.name, wanted = name && !wasClosed(name) ? name : null;
  if ((graph.hint?.name ?? null) === wanted) return;
  graph.hint?.element.remove();
  graph.hint = wanted ? { name: wanted, element: hintOf(graph, wanted) } : null;
  if (graph.hint) graph.frame.prepend(graph.hint.element);
}

function hintOf(graph, name) {
  const { hint: { course }, address } = graph.data, { close, closed, lead, more, offer } = HINTS[name];
  const hint = element("div", "hint"), button = element("button", "close", "×");
  hint.setAttribute("role", "note");
  button.type = "button";
  button.title = close;
  button.setAttribute("aria-label", close);
  button.onclick = () => { closeHint(graph, name); outbox.put(address, { kind: closed }); };
  hint.append(button, element("b", "", lead), element("span", "more", more));
  if (offer) {
    const accept = element("button", "offer", offer);
    accept.type = "button";
    accept.onclick = () => { closeHint(graph, name); outbox.put(address, { kind: "try_what_if" }); };
    hint.append(accept);
  }
  if (course) {
    const link = element("a", "", COURSE);
    link.href = course;
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;   // in a window of its own
      event.preventDefault();
      outbox.put(address, { kind: "course" });
    };
    hint.append(link);
  }
  return hint;
}

function closeHint(graph, name) {
  closedHints.add(name);
  try { localStorage.setItem(HINTS[name].kept, "closed"); } catch { /* it is closed until the page is loaded again */ }
  const byKeys = graph.hint?.element.querySelector(":focus-visible");
  showHint(graph);
  if (byKeys) graph.stop.focus({ preventScroll: true });   // and not at the top of the page
}

function wasClosed(name) {
  try { return closedHints.has(name) || localStorage.getItem(HINTS[name].kept) !== null; } catch { return closedHints.has(name); }
}
