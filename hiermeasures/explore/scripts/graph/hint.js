// A hint on the drawing, with a way to another page, until it is closed: then for good, which the browser keeps in its local
// storage. It takes no room from the drawing and no clicks but those on its link and its button. Belongs to component.js.

const CLOSED = "hiermeasures-welcome";
const LEAD = "Click classes and see what each measure makes of the prediction.";
const MORE = "A circle is a true class, a box a predicted one. Click a class to change that, a measure to see why.";
const COURSE = "New to this? Start with lesson 1", CLOSE = "Close the welcome";
let closed = false;   // for a browser that keeps nothing

function showHint(graph) {
  const wanted = graph.data.hint && !wasClosed();
  if (Boolean(graph.hint) === Boolean(wanted)) return;
  graph.hint?.remove();
  graph.hint = wanted ? hintOf(graph) : null;
  if (graph.hint) graph.frame.prepend(graph.hint);
}

function hintOf(graph) {
  const { hint: { course }, address } = graph.data;
  const hint = element("div", "hint"), button = element("button", "close", "×");
  hint.setAttribute("role", "note");
  button.type = "button";
  button.title = CLOSE;
  button.setAttribute("aria-label", CLOSE);
  button.onclick = () => { closeHint(graph); outbox.put(address, { kind: "welcomed" }); };
  hint.append(button, element("b", "", LEAD), element("span", "more", MORE));
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

function closeHint(graph) {
  closed = true;
  try { localStorage.setItem(CLOSED, "closed"); } catch { /* it is closed until the page is loaded again */ }
  const byKeys = graph.hint?.querySelector(":focus-visible");
  showHint(graph);
  if (byKeys) graph.stop.focus({ preventScroll: true });   // and not at the top of the page
}

function wasClosed() {
  try { return closed || localStorage.getItem(CLOSED) !== null; } catch { return closed; }
}
