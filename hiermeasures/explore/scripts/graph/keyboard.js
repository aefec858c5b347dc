// The graph without a mouse: one tab stop, in which a cursor goes from class to class. What is done at the cursor is the gesture that
// the mouse would make (events.js). A ring shows the cursor, a live region says its class. Belongs to component.js.

const keysInWords = (sides) => "Arrow keys go to parent, child and siblings, Home to the top. "
  + `${sides ? "T marks true, P predicted, " : ""}Enter works like a click, the plus key shows hidden children, Escape leaves.`;
const keysInShort = (sides) => `← ↑ → ↓ go · ${sides ? "T true · P predicted · " : ""}Enter click · + show children · Esc leave`;
const KEYS_OF_EDITING = "← ↑ → ↓ go · Enter select, then new child · F2 rename · Del delete · Esc leave";
const CURSOR_GAP = 7, CURSOR_MARGIN = 24;

function keysUp(graph) {
  graph.cursor = null;      // the class, by its id
  graph.cameBy = null;      // the parent by which the cursor came, which says what its siblings are
  graph.keyboard = false;   // whether the ring is shown
  const stop = graph.stop = graph.canvas.querySelector(".vis-network");
  graph.described = element("p", "unseen");
  graph.described.id = "hm-keys";
  graph.keys = element("p", "keys");
  graph.keys.setAttribute("aria-hidden", "true");
  graph.announced = element("p", "announced unseen");
  graph.announced.setAttribute("aria-live", "polite");
  graph.frame.append(graph.described, graph.keys, graph.announced);
  stop.addEventListener("focus", () => { if (stop.matches(":focus-visible")) showCursor(graph, startOf(graph)); });
  stop.addEventListener("blur", () => hideCursor(graph));
  graph.canvas.addEventListener("pointerdown", () => hideCursor(graph), true);
  stop.addEventListener("keydown", (event) => cursorKey(graph, event));
  graph.network.on("afterDrawing", (ctx) => paintCursor(ctx, graph));
  // Where keys mark no sides they are the page's after a click with the mouse.
  for (const gesture of ["click", "dragEnd"]) graph.network.on(gesture, () => { if (!graph.data.click?.sides) stop.blur(); });
}

// Where nothing can be clicked the drawing is a picture, and keys are the page's.
function renewKeys({ stop, described, keys, editing, data: { click } }) {
  const attributes = click
    ? { role: "application", tabindex: "0", "aria-roledescription": "hierarchy", "aria-describedby": described.id }
    : { role: "img", tabindex: null, "aria-roledescription": null, "aria-describedby": null };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) stop.removeAttribute(name); else stop.setAttribute(name, value);
  }
  described.textContent = click ? keysInWords(click.sides) : "";
  keys.textContent = editing ? KEYS_OF_EDITING : click ? keysInShort(click.sides) : "";
}

function cursorKey(graph, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const node = graph.nodes.get(graph.cursor ?? "");
  const steps = { ArrowUp: parentOf, ArrowDown: childOf, ArrowLeft: before, ArrowRight: after, Home: topOf };
  const mark = (side) => node && (graph.data.click?.sides || !side) && graph.report("click", node, side);
  const acts = {
    t: () => mark("true"), p: () => mark("predicted"), Enter: () => mark(), "+": () => node?.folded && graph.report("unfold", node),
    Escape: () => graph.stop.blur(),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!steps[key] && !acts[key]) return;
  if (/^([tp]|Enter)$/.test(key) && !graph.keyboard) return;   // no cursor is seen: these keys are the page's
  event.preventDefault();
  event.stopPropagation();
  if (!node || (steps[key] && !graph.keyboard)) showCursor(graph, startOf(graph));
  else if (steps[key]) showCursor(graph, steps[key](graph) ?? graph.cursor);
  else acts[key]();
}

// Escape closes what is open in the drawing wherever the focus is: the words about a class, a preview, the edge that is being drawn.
function leaveOpen(graph, event) {
  if (event.key !== "Escape" || !graph.network) return;
  hideTooltip(graph);
  if (graph.previewed.length) events.dispatchEvent(new CustomEvent("hm-preview", { detail: { edits: [] } }));
  const at = event.composedPath()[0], menu = document.querySelector("[data-testid=stPopoverBody]");
  if (graph.editing?.linking && !menu && at.tagName !== "INPUT" && !graph.canvas.contains(at)) graph.edited({ do: "let go" });
}

// --- where the cursor goes --------------------------------------------------------------------------------------

const across = (graph) => (a, b) => graph.shapes.get(a).x - graph.shapes.get(b).x || graph.shapes.get(a).y - graph.shapes.get(b).y;
const childrenOf = (graph, id) => graph.scene.edges.filter((edge) => edge.parent === id).map((edge) => edge.child).sort(across(graph));
const parentsOf = (graph, id) => graph.scene.edges.filter((edge) => edge.child === id).map((edge) => edge.parent).sort(across(graph));
const startOf = (graph) => graph.editing?.selected ?? graph.cursor ?? topOf(graph);
const topOf = (graph) => graph.scene.shapes.find(({ id }) => !parentsOf(graph, id).length)?.id;

function parentOf(graph) {
  const parents = parentsOf(graph, graph.cursor);
  return parents.includes(graph.cameBy) ? graph.cameBy : parents[0];
}

function childOf(graph) {
  const below = childrenOf(graph, graph.cursor);
  const nearest = below.toSorted((a, b) => distance(graph, a) - distance(graph, b))[0];
  if (nearest) graph.cameBy = graph.cursor;
  return nearest;
}

const distance = ({ shapes, cursor }, id) => Math.abs(shapes.get(id).x - shapes.get(cursor).x);
const siblings = (graph) => (parentOf(graph) ? childrenOf(graph, parentOf(graph)) : [graph.cursor]);
const beside = (graph, step) => siblings(graph)[siblings(graph).indexOf(graph.cursor) + step];
const before = (graph) => beside(graph, -1);
const after = (graph) => beside(graph, 1);

// --- showing it -------------------------------------------------------------------------------------------------

function showCursor(graph, id) {
  if (!graph.shapes.has(id)) return;
  graph.cursor = id;
  if (!parentsOf(graph, id).includes(graph.cameBy)) graph.cameBy = parentsOf(graph, id)[0] ?? null;
  graph.keyboard = true;
  graph.stop.dataset.cursor = "";
  graph.keys.classList.add("shown");
  bringToSight(graph, id);
  announceOver(graph, id);
  sayCursor(graph);
  graph.network.redraw();
}

function hideCursor(graph) {
  if (!graph.keyboard) return;
  graph.keyboard = false;
  delete graph.stop.dataset.cursor;
  graph.keys.classList.remove("shown");
  graph.announced.textContent = "";
  announceOver(graph, null);
  graph.network.redraw();
}

// After the shapes changed: the cursor of a class that went goes to where it hung.
function renewCursor(graph) {
  graph.stop.setAttribute("aria-label", graph.data.alt);
  if (graph.cursor !== null && !graph.shapes.has(graph.cursor)) {
    graph.cursor = graph.shapes.has(graph.cameBy) ? graph.cameBy : topOf(graph) ?? null;
    if (graph.keyboard) return showCursor(graph, graph.cursor);
  }
  if (graph.keyboard) sayCursor(graph);
}

function sayCursor(graph) {
  const { title, called, words } = graph.shapes.get(graph.cursor);
  const all = siblings(graph), parent = graph.shapes.get(parentOf(graph));
  const place = parent ? `${all.indexOf(graph.cursor) + 1} of ${all.length} below ${parent.title}` : "at the top";
  const text = `${title}: ${[...(called ? [called] : []), ...words, place].join("; ")}`;
  if (graph.announced.textContent !== text) graph.announced.textContent = text;
}

function bringToSight(graph, id) {
  const { x, y } = graph.onScreen(id), { clientWidth, clientHeight } = graph.canvas;
  const scale = graph.network.getScale(), half = (graph.halfWidthOf(id) + CURSOR_GAP) * scale, high = (heightOf(graph.shapes.get(id)) / 2 + CURSOR_GAP) * scale;
  const over = (at, room, size) => Math.min(0, at - size) + Math.max(0, at + size - room);
  if (!over(x, clientWidth, half) && !over(y, clientHeight, high)) return;
  const dx = over(x, clientWidth, half + CURSOR_MARGIN), dy = over(y, clientHeight, high + CURSOR_MARGIN);
  const centre = graph.network.getViewPosition();
  graph.network.moveTo({ position: { x: centre.x + dx / scale, y: centre.y + dy / scale }, scale, animation: false });
  graph.setMoved(true);
}

function paintCursor(ctx, graph) {
  const node = graph.keyboard && graph.nodes.get(graph.cursor ?? "");
  if (!node) return;
  const shape = graph.shapes.get(node.id), far = standOff(shape) + CURSOR_GAP;
  outline(ctx, node.x, node.y, measure(ctx, node.label, graph.theme, shape) / 2 + far, heightOf(shape) / 2 + far, 12, STYLES.cursor, graph.theme.text);
}
