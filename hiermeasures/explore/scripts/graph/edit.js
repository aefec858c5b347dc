// Editing in the drawing: what is selected, a plus to add a child, the field in which a class gets its name, and edges drawn by
// dragging from parent to child. Only reports what a person asks for; Python edits. Belongs to component.js, which calls these.

const DRAG = 7, PLUS = 9, PLUS_GAP = 15;
const NAME_WIDTH = 180;   // pixels of the field of a name at least: about 20 letters

function editUp(graph) {
  graph.drag = null;
  graph.early = null;   // what is typed for the name of a child that Python has not made yet
  graph.message = element("p", "message");
  graph.frame.after(graph.message);
  graph.network.on("beforeDrawing", (ctx) => paintSelection(ctx, graph));
  graph.network.on("afterDrawing", (ctx) => paintTools(ctx, graph));
  graph.network.on("click", ({ pointer }) => clickedBeside(graph, pointer));
  for (const gesture of ["zoom", "dragStart"]) graph.network.on(gesture, () => graph.field?.blur());
  // Before vis-network hears of it: a drag that starts on a class draws an edge and does not move the view.
  graph.canvas.addEventListener("pointerdown", (event) => pressed(graph, event), true);
  graph.canvas.addEventListener("pointermove", (event) => dragged(graph, event), true);
  graph.canvas.addEventListener("pointerup", (event) => released(graph, event), true);
  graph.canvas.addEventListener("pointercancel", () => endDrag(graph), true);
  graph.canvas.addEventListener("dblclick", (event) => doubleClicked(graph, event), true);
  graph.canvas.addEventListener("keydown", (event) => keyed(graph, event), true);
}

// After a rerun: what Python says about editing now; null while a click marks classes.
function showEditing(graph) {
  const editing = graph.editing;
  graph.canvas.classList.toggle("editing", Boolean(editing));
  graph.message.textContent = editing ? editing.fault || editing.hint : "";
  graph.message.classList.toggle("fault", Boolean(editing?.fault));
  if (editing?.fault) graph.message.setAttribute("role", "alert"); else graph.message.removeAttribute("role");
  if (!editing) graph.field?.blur();
  else if (editing.naming && editing.naming.turn !== graph.namingTurn) {
    graph.namingTurn = editing.naming.turn;
    nameField(graph, graph.nodes.get(editing.naming.id));
    takeEarly(graph);
  }
  if (!editing || editing.fault) typeEarly(graph, null);
  graph.network.redraw();
}

// --- the mouse and the keys -------------------------------------------------------------------------------------

const places = (graph, event) => {
  const box = graph.canvas.getBoundingClientRect();
  const DOM = { x: event.clientX - box.left, y: event.clientY - box.top };
  return { DOM, canvas: graph.network.DOMtoCanvas(DOM) };
};

function classAt(graph, DOM) {
  const node = graph.nodes.get(graph.network.getNodeAt(DOM) ?? "");
  return node && !node.bend ? node : null;
}

const takeKeys = (graph) => graph.canvas.querySelector(".vis-network").focus({ preventScroll: true });

function onPlus(graph, { x, y }) {
  const node = graph.nodes.get(graph.editing.selected ?? "");
  return node && Math.hypot(x - node.x, y - plusY(graph, node)) < PLUS + 3 ? node : null;
}

const plusY = (graph, node) => node.y + heightOf(graph.shapes.get(node.id)) / 2 + standOff(graph.shapes.get(node.id)) + PLUS_GAP;

function pressed(graph, event) {
  if (!graph.editing || event.button !== 0) return;
  const { DOM, canvas } = places(graph, event);
  const below = onPlus(graph, canvas);
  const node = below || classAt(graph, DOM);
  if (!node) return;
  event.stopPropagation();
  event.preventDefault();
  typeEarly(graph, null);
  graph.field?.blur();
  graph.canvas.setPointerCapture(event.pointerId);
  takeKeys(graph);
  graph.drag = { node, plus: Boolean(below), start: DOM, at: null, over: null };
}

function dragged(graph, event) {
  const drag = graph.drag;
  if (!drag) {
    if (graph.editing) graph.canvas.classList.toggle("plus", Boolean(onPlus(graph, places(graph, event).canvas)));
    return;
  }
  event.stopPropagation();
  const { DOM, canvas } = places(graph, event);
  if (!drag.at && Math.hypot(DOM.x - drag.start.x, DOM.y - drag.start.y) < DRAG) return;
  drag.at = canvas;
  const over = classAt(graph, DOM);
  drag.over = over && over.id !== drag.node.id ? over : null;
  graph.network.redraw();
}

function released(graph, event) {
  const drag = graph.drag;
  if (!drag) return;
  event.stopPropagation();
  endDrag(graph);
  if (!drag.at) {
    if (drag.plus) addChild(graph, drag.node);
    else graph.report("click", drag.node);
  } else if (drag.over) graph.edited({ do: "edge", parent: named(drag.node), child: named(drag.over) });
}

function endDrag(graph) {
  graph.drag = null;
  graph.network.redraw();
}

// A click that met no class: on an edge it selects it, elsewhere it lets go.
function clickedBeside(graph, pointer) {
  if (!graph.editing || classAt(graph, pointer.DOM)) return;
  const edge = graph.edges.get(graph.network.getEdgeAt(pointer.DOM) ?? "");
  if (edge) graph.edited({ do: "select", parent: named(graph.nodes.get(edge.parent)), child: named(graph.nodes.get(edge.child)) });
  else if (graph.editing.selected || graph.editing.edge) graph.edited({ do: "let go" });
}

function doubleClicked(graph, event) {
  const node = graph.editing && classAt(graph, places(graph, event).DOM);
  if (!node) return;
  event.stopPropagation();
  nameField(graph, node);
}

function keyed(graph, event) {
  const editing = graph.editing;
  if (!editing || graph.drag || typedEarly(graph, event)) return;
  const node = graph.nodes.get(editing.selected ?? "");
  if (event.key === "Enter" && graph.keyboard && graph.cursor !== editing.selected) return;   // selects what the cursor is on
  if (event.key === "Escape" && !node && !editing.edge && !editing.linking) return;           // leaves the drawing
  const keys = {
    Delete: () => (node || editing.edge) && graph.edited({ do: "delete" }),
    F2: () => node && nameField(graph, node),
    Enter: () => node && addChild(graph, node),
    Escape: () => graph.edited({ do: "let go" }),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  keys[event.key]();
}

// What is typed between the plus and the field of the name goes into that field: a person does not wait for it.
function addChild(graph, node) {
  typeEarly(graph, { text: "", ended: false });
  graph.edited({ do: "child", class: named(node) });
}

function typeEarly(graph, early) {
  graph.early = early;
  graph.stop.toggleAttribute("data-early", Boolean(early));   // letters are no keys of the page meanwhile
}

function typedEarly({ early }, event) {
  const typed = event.key.length === 1 || event.key === "Backspace" || event.key === "Enter";
  if (!early || !typed || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Enter") early.ended = true;
  else if (!early.ended) early.text = event.key === "Backspace" ? early.text.slice(0, -1) : early.text + event.key;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

function takeEarly(graph) {
  const { early, field } = graph;
  typeEarly(graph, null);
  if (!early?.text || !field) return;
  field.value = early.text;
  if (early.ended) field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
}

// --- the name ---------------------------------------------------------------------------------------------------

// A field over a class, its name in it: Enter or a click elsewhere takes the new name, Escape leaves the old one.
function nameField(graph, node) {
  if (!node || node.bend) return;
  graph.field?.blur();
  const field = graph.field = element("input", "name");
  const { x, y } = graph.network.canvasToDOM({ x: node.x, y: node.y });
  const scale = graph.network.getScale();
  field.type = "text";
  field.value = node.name;
  field.maxLength = 1000;
  field.setAttribute("aria-label", "Name of the class");
  Object.assign(field.style, {
    top: `${Math.min(Math.max(y, 22), graph.frame.clientHeight - 22)}px`, fontSize: `${Math.max(12, 16 * scale)}px`,
  });
  const resize = () => {   // as wide as the name, whole in the frame
    const ctx = element("canvas").getContext("2d"), room = graph.frame.clientWidth - 16;
    ctx.font = `${field.style.fontSize} ${graph.theme.font}`;
    const width = Math.min(room, Math.max(NAME_WIDTH, ctx.measureText(field.value).width + 30));
    Object.assign(field.style, { width: `${width}px`, left: `${Math.min(Math.max(x, 8 + width / 2), 8 + room - width / 2)}px` });
  };
  field.oninput = resize;
  resize();
  const end = (take) => {
    if (graph.field !== field) return;
    graph.field = null;
    field.remove();
    if (take && field.value.trim() !== node.name) graph.edited({ do: "rename", class: named(node), to: field.value });
  };
  field.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    end(event.key === "Enter");
    takeKeys(graph);
  };
  field.onblur = () => end(true);
  graph.frame.append(field);
  field.focus({ preventScroll: true });
  field.select();
}

// --- painting ---------------------------------------------------------------------------------------------------

function paintSelection(ctx, graph) {
  const editing = graph.editing;
  if (!editing) return;
  const atCursor = graph.keyboard && graph.cursor === editing.selected;   // whose ring is enough
  if (editing.selected && !atCursor) paintRing(ctx, graph, graph.nodes.get(editing.selected), false);
  if (editing.edge) paintSelectedEdge(ctx, graph, ...editing.edge);
}

function paintSelectedEdge(ctx, graph, parent, child) {
  ctx.save();
  ctx.strokeStyle = graph.theme.text;
  ctx.globalAlpha = 0.22;
  ctx.lineWidth = 9;
  ctx.lineCap = "round";
  ctx.beginPath();
  for (const edge of graph.edges.get({ filter: (e) => e.parent === parent && e.child === child })) {
    const [from, to] = [graph.nodes.get(edge.from), graph.nodes.get(edge.to)];
    ctx.moveTo(from.x, from.y);
    ctx.lineTo(to.x, to.y);
  }
  ctx.stroke();
  ctx.restore();
}

function paintTools(ctx, graph) {
  const editing = graph.editing;
  if (!editing) return;
  const { drag, theme } = graph;
  const node = graph.nodes.get(editing.selected ?? "");
  if (node && !drag?.at) paintPlus(ctx, node.x, plusY(graph, node), theme);
  if (!drag?.at) return;
  const half = ({ id }) => heightOf(graph.shapes.get(id)) / 2;
  const end = drag.over || drag.at, y = end.y - (drag.over ? half(end) : 0);
  if (drag.over) paintRing(ctx, graph, drag.over, true);
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = theme.text;
  ctx.lineWidth = 2;
  ctx.setLineDash([7, 4]);
  ctx.beginPath();
  ctx.moveTo(drag.node.x, drag.node.y + half(drag.node));
  ctx.lineTo(end.x, y);
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(end.x, y, 3.5, 0, 2 * Math.PI);
  ctx.fill();
  ctx.restore();
}

function paintPlus(ctx, x, y, theme) {
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, PLUS, 0, 2 * Math.PI);
  ctx.fillStyle = theme.background;
  ctx.fill();
  ctx.strokeStyle = theme.text;
  ctx.lineWidth = 1.4;
  ctx.stroke();
  ctx.beginPath();
  for (const [dx, dy] of [[4, 0], [0, 4]]) {
    ctx.moveTo(x - dx, y - dy);
    ctx.lineTo(x + dx, y + dy);
  }
  ctx.stroke();
  ctx.restore();
}
