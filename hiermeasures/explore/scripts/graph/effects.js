// What a click would do to the chosen measure, written below every class: the number, an arrow for better or worse, and its colour.
// Also what a row of the table of edits would make of the drawing, while it is pointed at. Belongs to component.js, which calls these.

const EFFECT = { height: 15, size: 12, padding: 4 };

function effectsUp(graph) {
  graph.previewed = [];
  graph.previewing = ({ detail }) => {
    graph.previewed = detail.edits;
    graph.refresh();
  };
  events.addEventListener("hm-preview", graph.previewing);
  graph.network.on("afterDrawing", (ctx) => paintEffects(ctx, graph));
}

function effectsDown(graph) {
  events.removeEventListener("hm-preview", graph.previewing);
}

// By class; none while a click, a press or an edit of the table is on its way, after which all are others, nor while another state is previewed.
function effectsNow(graph, gestures) {
  const { effects, address } = graph.data;
  const changes = ({ key, value }) => value === null || value.kind === "do" || (key === address.key && value.kind === "click" && value.mode !== "edit");
  return effects && !gestures.some(changes) && !graph.previewed?.length ? effects[graph.data.click.mode] ?? {} : {};
}

// The shapes as they would be after the edit that is pointed at.
function previewedShapes(graph, shapes) {
  const sides = new Map();
  for (const { name, side } of graph.previewed ?? []) sides.set(name, [...(sides.get(name) ?? []), side]);
  return shapes.map((shape) => (sides.get(shape.title) ?? []).reduce((now, side) => marked(now, side, graph.data.meanings), shape));
}

// What is said of a class, with what a click would do.
const withEffect = (shape, effect) => (effect ? { ...shape, words: [...shape.words, effect.words] } : shape);

const stacked = (scene, { x, y }) => scene.shapes.some((other) => Math.abs(other.x - x) < HEIGHT && other.y > y && other.y - y < HEIGHT + 2 * EFFECT.height);

function effectY(scene, shape) {
  const below = stacked(scene, shape) ? 4 : EFFECT.height / 2 + 2;   // in a stack there is no room: on its own edge
  return shape.y + heightOf(shape) / 2 + standOff(shape) + below;
}

function paintEffects(ctx, graph) {
  const { scene, nodes, effects, theme } = graph;
  if (!scene) return;
  ctx.save();
  ctx.font = `600 ${EFFECT.size}px ${theme.font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  for (const [id, { text, word }] of Object.entries(effects)) {
    const node = nodes.get(id), shape = graph.shapes.get(id);
    if (!node || !shape) continue;
    const y = effectY(scene, shape), width = ctx.measureText(text).width + 2 * EFFECT.padding;
    trace(ctx, node.x, y, width / 2, EFFECT.height / 2, EFFECT.height / 2);
    ctx.fillStyle = theme.background;
    ctx.fill();
    ctx.fillStyle = theme[word] ?? theme.text;
    ctx.fillText(text, node.x, y + 0.5);
  }
  ctx.restore();
}
