// The box of all that is painted, in drawing units. Each part is measured as it is painted (paint.js, overlay.js, effects.js).
// Belongs to component.js, which fits the view to it.

const RINGED_BY = 10;   // how far the ring around a class that a step is about stands off, with its line
const LINE = 3;         // half of the widest line of a link
const ROOM_FOR_TEXT = 24;   // half of how wide the text of a link that may come is
const FOLDED = 10;      // half of how high the number of folded children is

function extentOf(graph, ids = null) {
  const { scene, shapes, theme, effects, data } = graph, drawn = (id) => shapes.has(id) && (!ids || ids.has(id));
  const ctx = graph.canvas.querySelector("canvas").getContext("2d");
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  const put = (x, y, w = 0, h = 0) => {
    Object.assign(box, { left: Math.min(box.left, x - w), top: Math.min(box.top, y - h) });
    Object.assign(box, { right: Math.max(box.right, x + w), bottom: Math.max(box.bottom, y + h) });
  };
  for (const shape of shapes.values()) if (drawn(shape.id)) putShape(ctx, graph, shape, put);
  for (const { parent, child, bends } of scene.edges) if (drawn(parent) && drawn(child)) for (const [x, y] of bends) put(x, y);
  for (const link of scene.links) if (drawn(link.start) && drawn(link.end)) putLink(ctx, graph, link, put);
  for (const badge of scene.badges) {
    if (!drawn(badge.shape)) continue;
    const { x, y, width } = badgePlace(ctx, graph, badge);
    put(x, y, width / 2 + 1, badgeOf(theme).height / 2 + 1);
  }
  for (const id of Object.keys(effects)) {
    if (drawn(id)) put(shapes.get(id).x, effectY(scene, shapes.get(id)), 24, EFFECT.height / 2);
  }
  if (data.room) {   // for links that may come
    const [left, top, right, bottom] = data.room;
    for (const [x, y] of [[left, top], [right, bottom]]) put(x, y, ROOM_FOR_TEXT, badgeOf(theme).height / 2 + 1);
  }
  if (data.large) put((box.left + box.right) / 2, Math.max(box.bottom, data.large.lowest + badgeOf(theme).height / 2));
  return box;
}

function putShape(ctx, graph, shape, put) {
  const half = measure(ctx, shape.text, graph.theme, shape) / 2;
  const [wide, high] = [half, heightOf(shape) / 2].map((size) => size + standOff(shape) + RINGED_BY);   // a ring that comes moves nothing
  put(shape.x, shape.y, wide, high);
  put(shape.x, shape.y + graph.under(shape));
  put(shape.x, shape.y - heightOf(shape) / 2 - standOff(shape) - badgeOf(graph.theme).height / 2 - 5);   // for a badge: one that comes moves nothing
  if (!shape.folded) return;
  const pill = foldedWidth(ctx, shape.folded, graph.theme) / 2;
  put(shape.x + half + standOff(shape) + COUNT_GAP + pill, shape.y, pill + 1, FOLDED + 1);
}

// A curve may hang below the classes; a path is between them.
function putLink(ctx, { shapes, theme }, { start, end, control: [cx, cy], x, y, text, path }, put) {
  const a = shapes.get(start), b = shapes.get(end);
  if (!path.length) for (let step = 0; step <= 1; step += 0.125) {
    const [p, q, r] = [(1 - step) ** 2, 2 * step * (1 - step), step ** 2];
    put(p * a.x + q * cx + r * b.x, p * a.y + q * cy + r * b.y, LINE, LINE);
  }
  put(x, y, badgeWidth(ctx, text, theme) / 2 + 1, badgeOf(theme).height / 2 + 1);
}
