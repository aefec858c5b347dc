// Paints what a scene has beside shapes: badges, links, rings around classes that a step or a table points at, and the samples of the
// legend. Belongs to component.js, which calls these.

const MANY_LINKS = 5;   // with more of them a text is only on those of the classes that are pointed at
const POINTED = { width: 1, dash: [], opacity: 0.5 };
const LIT = { width: 14, dash: [], opacity: 0.16 };   // below an edge that a table points at
const BADGES = [{ height: 19, size: 12.5, padding: 5 }, { height: 23, size: 16, padding: 5 }];   // the second where all is large

// Listens for a table that points at classes, and tells tables which class the mouse is over.
function linkUp(graph) {
  graph.pointed = new Set();
  graph.lit = new Set();
  graph.pointing = ({ detail }) => {
    graph.pointed = new Set(detail.classes);
    graph.lit = new Set((detail.edges ?? []).flatMap(([a, b]) => [pairOf(a, b), pairOf(b, a)]));
    graph.first = detail.whole ? null : detail.classes[0];   // null: no class is spoken of before the others
    graph.network?.redraw();
  };
  events.addEventListener("hm-point", graph.pointing);
  graph.network.on("beforeDrawing", (ctx) => paintBehind(ctx, graph));
  graph.network.on("afterDrawing", (ctx) => paintOnTop(ctx, graph));
  graph.network.on("hoverNode", ({ node }) => announceOver(graph, node));
  graph.network.on("blurNode", () => announceOver(graph, null));
  graph.canvas.addEventListener("mouseleave", () => overNothing(graph));   // vis-network sees no move of a quick mouse
}

function unlink(graph) {
  events.removeEventListener("hm-point", graph.pointing);
}

// vis-network keeps a class as hovered until the mouse is over another one.
function overNothing(graph) {
  hideTooltip(graph);
  graph.network.selectionHandler.hoverObject({}, { x: -1e6, y: -1e6 });
  if (graph.over) announceOver(graph, null);
}

function announceOver(graph, id) {
  const node = id === null ? null : graph.nodes.get(id);
  graph.over = id;
  events.dispatchEvent(new CustomEvent("hm-over", { detail: { name: node && !node.bend ? node.name : null } }));
}

function paintBehind(ctx, graph) {
  const { scene, nodes } = graph;
  if (!scene) return;
  for (const shape of scene.shapes) if (shape.focused) paintRing(ctx, graph, nodes.get(shape.id), false);
  for (const node of graph.pointed.size ? nodes.get() : []) {
    if (graph.pointed.has(node.name) && !node.bend) paintRing(ctx, graph, node, true);
  }
  for (const edge of scene.edges) if (isLit(graph, edge)) paintEdge(ctx, graph, edge, LIT, graph.theme.text);
  const spoken = linksSpokenOf(graph), coloured = new Set([...spoken].flatMap(({ path }) => path.map(([parent, child]) => `${parent}>${child}`)));
  for (const edge of scene.edges) if (edge.walked && !coloured.has(`${edge.parent}>${edge.child}`)) paintEdge(ctx, graph, edge, STYLES.edges[edge.role], graph.theme[edge.role] || graph.theme.line);
  paintGone(ctx, graph);
  for (const link of scene.links.toSorted((one, other) => spoken.has(one) - spoken.has(other))) paintLink(ctx, graph, link, spoken.has(link));
}

function paintOnTop(ctx, graph) {
  const { scene, theme } = graph;
  if (!scene) return;
  for (const link of scene.links) {
    const { x, y } = placeOf(graph, link);
    if (hasText(graph, link)) paintBadge(ctx, x, y, badgeWidth(ctx, link.text, theme), link, theme, textOpacityOf(graph, link));
  }
  paintSides(ctx, graph);
  for (const badge of scene.badges) {
    if (!graph.shapes.has(badge.shape)) continue;
    const { x, y, width } = badgePlace(ctx, graph, badge);
    paintBadge(ctx, x, y, width, badge, theme, opacityOf(graph, badge));
  }
}

function badgePlace(ctx, { shapes, theme }, badge) {
  const shape = shapes.get(badge.shape), width = badgeWidth(ctx, badge.text, theme), ring = standOff(shape);
  const right = measure(ctx, shape.text, theme, shape) / 2 + ring;
  const x = shape.x + right + Math.min(width / 2 - 9, 13 - width / 2);   // half the gap to the next class, no farther
  return { x, y: shape.y - heightOf(shape) / 2 - ring - 4, width };
}

// Whether the mouse is over an end of a link, or a table points at both.
function isPointedAt({ over, nodes, first, pointed }, { start, end }) {
  if (over === start || over === end) return true;
  const ends = [nodes.get(start).name, nodes.get(end).name];
  return (first === null || ends.includes(first)) && ends.every((name) => pointed.has(name));
}

// Of many links only those that are pointed at have their text.
const hasText = (graph, link) => graph.scene.links.length <= MANY_LINKS || isPointedAt(graph, link);

// The links that are pointed at, or all if none is and they are few.
function linksSpokenOf(graph) {
  const { links } = graph.scene, pointed = links.filter((link) => isPointedAt(graph, link));
  return new Set(pointed.length || links.length > MANY_LINKS ? pointed : links);
}

function paintRing(ctx, graph, node, pointed) {
  if (!node) return;
  const shape = graph.shapes.get(node.id), w = measure(ctx, node.label, graph.theme, shape) / 2 + 9, h = heightOf(shape) / 2 + 9;
  ctx.save();
  trace(ctx, node.x, node.y, w, h, 11);
  ctx.fillStyle = graph.theme.text;
  ctx.globalAlpha = pointed ? 0.16 : STYLES.focus_fill;
  ctx.fill();
  lineStyle(ctx, pointed ? POINTED : STYLES.focus, graph.theme.text);
  ctx.stroke();
  ctx.restore();
}

const pairOf = (one, other) => JSON.stringify([one, other]);
const isLit = ({ lit, shapes }, { parent, child }) => lit.size > 0 && lit.has(pairOf(shapes.get(parent).title, shapes.get(child).title));

// The light below an edge, or the line of one that is walked by paths of which none is coloured: vis-network would draw it above them.
function paintEdge(ctx, { lines }, { parent, child }, style, colour) {
  ctx.save();
  tracePath(ctx, lines.get(`${parent}>${child}`));
  lineStyle(ctx, style, colour);
  ctx.stroke();
  ctx.restore();
}

function paintLink(ctx, graph, link, spoken, opacity = 1) {
  const { nodes, theme } = graph, { start, end, control: [x, y], faint, path } = link;
  const [a, b] = [nodes.get(start), nodes.get(end)], strong = spoken || (!path.length && hasText(graph, link));
  const share = (strong ? 1 : 0.3) * opacity;
  ctx.save();
  for (const edge of path) {
    const [parent, child, , lane] = edge;
    tracePath(ctx, lane.length ? lane : graph.lines.get(`${parent}>${child}`) ?? []);
    strokePath(ctx, edge[2], { faint, spoken, share: share * opacityOf(graph, link, edge) }, theme);
  }
  if (!path.length) {
    ctx.beginPath();
    ctx.moveTo(a.x, a.y);
    ctx.quadraticCurveTo(x, y, b.x, b.y);
    lineStyle(ctx, STYLES.links[strength(faint)], theme.text);
    ctx.globalAlpha *= share * opacityOf(graph, link);
    ctx.stroke();
  }
  ctx.restore();
}

// Coloured if it is spoken of: up from a predicted class, down to a true one.
function strokePath(ctx, side, { faint, spoken, share }, theme) {
  lineStyle(ctx, faint ? STYLES.links.faint : STYLES.edges[side], spoken && !faint ? theme[side] : theme.text);
  ctx.globalAlpha *= share;
  ctx.stroke();
}

function tracePath(ctx, points) {
  ctx.beginPath();
  for (const point of points) ctx.lineTo(...point);   // the first one begins
}

// The points of an edge, from parent to child.
function lineOf(shapes, { parent, child, bends }) {
  const [above, below] = [shapes.get(parent), shapes.get(child)];
  return [[above.x, above.y], ...bends, [below.x, below.y]];
}

const strength = (faint) => (faint ? "faint" : "firm");
const badgeOf = (theme) => BADGES[theme.large ? 1 : 0];
const badgeFont = (theme) => `600 ${badgeOf(theme).size}px ${theme.font}`;

function badgeWidth(ctx, text, theme) {
  ctx.save();
  ctx.font = badgeFont(theme);
  const width = ctx.measureText(text).width, { height, padding } = badgeOf(theme);
  ctx.restore();
  return Math.max(height, width + 2 * padding);
}

function paintBadge(ctx, x, y, width, { text, faint, struck }, theme, opacity = 1) {
  const half = badgeOf(theme).height / 2;
  ctx.save();
  ctx.globalAlpha = opacity;
  trace(ctx, x, y, width / 2, half, 4);
  ctx.fillStyle = faint ? theme.background : theme.badge;
  ctx.fill();
  const style = STYLES.badges[strength(faint)];
  outline(ctx, x, y, width / 2, half, 4, { ...style, opacity: opacity * style.opacity }, theme.text);
  ctx.globalAlpha = opacity * (faint ? 0.8 : 1);
  ctx.font = badgeFont(theme);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.text;
  ctx.fillText(text, x, y + 0.5);
  if (struck) {
    ctx.beginPath();
    ctx.moveTo(x - width / 2 + 3, y + 0.5);
    ctx.lineTo(x + width / 2 - 3, y + 0.5);
    ctx.strokeStyle = theme.text;
    ctx.stroke();
  }
  ctx.restore();
}

// The sample of a line of the legend.
function swatch({ what, sample }, theme) {
  const canvas = element("canvas"), ctx = canvas.getContext("2d");
  const scale = 2 * (globalThis.devicePixelRatio || 1);
  const width = what === "badge" ? badgeWidth(ctx, sample.text, theme) + 4 : 30;
  canvas.width = width * scale; canvas.height = 24 * scale;
  canvas.style.width = `${width}px`;
  ctx.scale(scale, scale);
  if (what === "class") {
    ctx.scale(0.52, 0.52);
    paint(ctx, 29, 23, HEIGHT, sample, theme, false);
  } else if (what === "badge") paintBadge(ctx, width / 2, 12, width - 4, sample, theme);
  else if (what === "focus") paintSampleRing(ctx, theme);
  else if (what === "size") paintSizes(ctx, sample, theme);
  else if (sample.path?.length && !sample.faint) {
    for (const [[, , side], left] of [[sample.path[0], 2], [sample.path[1], 16]]) {
      tracePath(ctx, [[left, 12], [left + 12, 12]]);
      strokePath(ctx, side, { spoken: true, share: 1 }, theme);
    }
  } else paintLine(ctx, what === "link" ? STYLES.links[strength(sample.faint)] : STYLES.edges[sample.role], theme[sample.role] || theme.text);
  return canvas;
}

function paintSampleRing(ctx, theme) {
  trace(ctx, 15, 12, 11, 9, 6);
  ctx.fillStyle = theme.text;
  ctx.globalAlpha = STYLES.focus_fill;
  ctx.fill();
  outline(ctx, 15, 12, 11, 9, 6, STYLES.focus, theme.text);
}

function paintLine(ctx, style, colour) {
  ctx.beginPath();
  ctx.moveTo(2, 12);
  ctx.lineTo(28, 12);
  lineStyle(ctx, style, colour);
  ctx.stroke();
}
