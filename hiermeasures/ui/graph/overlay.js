// What a measure draws on the hierarchy beside marks: badges at classes, links between them, rings around those that a table or a
// step points at; and their lines of the legend. Belongs to component.js, which calls these.

const MANY_LINKS = 5;   // with more of them a text is only on those of the classes that are pointed at
const BADGE = { height: 19, size: 12.5, padding: 5 };

// Listens for a table that points at classes, and tells tables which class the mouse is over.
function linkUp(graph) {
  graph.pointed = new Set();
  graph.pointing = ({ detail }) => {
    graph.pointed = new Set(detail.classes);
    graph.first = detail.classes[0];
    graph.network?.redraw();
  };
  document.addEventListener("hm-point", graph.pointing);
  graph.network.on("beforeDrawing", (ctx) => paintBehind(ctx, graph));
  graph.network.on("afterDrawing", (ctx) => paintOnTop(ctx, graph));
  graph.network.on("hoverNode", ({ node }) => tellOver(graph, node));
  graph.network.on("blurNode", () => tellOver(graph, null));
  graph.canvas.addEventListener("mouseleave", () => {   // a quick mouse leaves without a move that vis-network would see
    graph.network.interactionHandler.popup?.hide();
    tellOver(graph, null);
  });
}

function unlink(graph) {
  document.removeEventListener("hm-point", graph.pointing);
}

function tellOver(graph, id) {
  const node = id === null ? null : graph.nodes.get(id);
  graph.over = id;
  document.dispatchEvent(new CustomEvent("hm-over", { detail: { name: node && !node.bend ? node.name : null } }));
}

// The sides whose graph has an edge, where the overlay says so; undefined where the classes at its ends decide.
const sidesOfEdge = (data, parent, child) => {
  if (!data.edge_marks) return undefined;
  const [t, p] = data.edge_marks[`${parent}>${child}`] || [false, false];
  return { t, p };
};

function paintBehind(ctx, graph) {
  const { data, nodes, theme } = graph;
  if (!data) return;
  for (const id of data.focused) paintRing(ctx, graph, nodes.get(id), false);
  for (const node of graph.pointed.size ? nodes.get() : []) {
    if (graph.pointed.has(node.name) && !node.bend) paintRing(ctx, graph, node, true);
  }
  data.arcs ??= arcs(graph);
  data.links.forEach((link, i) => curve(ctx, data.arcs[i], link[3], theme, isTold(graph, link) ? 1 : 0.3));
}

function paintOnTop(ctx, graph) {
  const { data, nodes, theme } = graph;
  if (!data) return;
  data.links.forEach((link, i) => {
    if (!isTold(graph, link)) return;
    const [, , text, kind] = link;
    const { x, y } = along(data.arcs[i], 0.5);
    paintBadge(ctx, x, y, badgeWidth(ctx, text, theme), text, kind, theme);
  });
  for (const [id, [text, kind]] of Object.entries(data.badges)) {
    const node = nodes.get(id);
    if (!node) continue;
    const width = badgeWidth(ctx, text, theme);
    const both = graph.marks[id]?.[0] && graph.marks[id]?.[1] ? 4 : 0;
    const right = graph.network.body.nodes[id].shape.width / 2 + both;
    const x = node.x + right + Math.min(width / 2 - 9, 13 - width / 2);   // half the gap to the next class, no farther
    paintBadge(ctx, x, node.y - HEIGHT / 2 - both - 4, width, text, kind, theme);
  }
}

function isTold(graph, [from, to]) {
  if (graph.data.links.length <= MANY_LINKS || graph.over === from || graph.over === to) return true;
  const ends = [graph.nodes.get(from).name, graph.nodes.get(to).name];
  return ends.includes(graph.first) && ends.every((name) => graph.pointed.has(name));
}

function paintRing(ctx, graph, node, pointed) {
  if (!node) return;
  const w = measure(ctx, node.label, graph.theme) / 2 + 9, h = HEIGHT / 2 + 9;
  ctx.save();
  trace(ctx, node.x, node.y, w, h, 11);
  ctx.fillStyle = ctx.strokeStyle = graph.theme.text;
  ctx.globalAlpha = pointed ? 0.16 : 0.08;
  ctx.fill();
  ctx.globalAlpha = pointed ? 0.5 : 0.8;
  ctx.lineWidth = pointed ? 1 : 1.8;
  ctx.stroke();
  ctx.restore();
}

// A curve for every link: of some, the one that meets the fewest classes and labels on its way, then the one nearest to straight.
function arcs(graph) {
  const classes = graph.nodes.get().filter((n) => !n.bend).map((n) => ({ x: n.x, y: n.y, w: n.label.length * 4.5 + 16, h: HEIGHT / 2 + 3 }));
  const labels = [];
  const room = {
    left: Math.min(...classes.map((n) => n.x - n.w)) - 40, right: Math.max(...classes.map((n) => n.x + n.w)) + 40,
    bottom: Math.max(...classes.map((n) => n.y)) + 55,
  };
  const outside = ({ x, y }) => x < room.left || x > room.right || y > room.bottom;
  return graph.data.links.map(([from, to]) => {
    const [a, b] = [graph.nodes.get(from), graph.nodes.get(to)];
    const others = classes.filter((n) => !(n.x === a.x && n.y === a.y) && !(n.x === b.x && n.y === b.y));
    let best = null;
    for (const sag of graph.data.links.length > 60 ? [40] : [40, -40, 72, -72, 110, -110, 150]) {
      const tried = arc(a, b, sag);
      const cost = 10 * collisions(tried, others, labels) + Math.abs(sag) / 40 + (outside(along(tried, 0.5)) ? 50 : 0);
      if (!best || cost < best.cost) best = { ...tried, cost };
    }
    labels.push({ ...along(best, 0.5), w: 14, h: 12 });
    return best;
  });
}

function collisions(tried, classes, labels) {
  const meets = (at, boxes, margin) => boxes.filter((n) => Math.abs(at.x - n.x) < n.w + margin && Math.abs(at.y - n.y) < n.h + margin).length;
  let sum = 3 * meets(along(tried, 0.5), [...classes, ...labels], 10);
  for (let t = 0.1; t < 0.95; t += 0.1) sum += meets(along(tried, t), classes, 0);
  return sum;
}

// A curve between two points; a positive sag lets it hang down.
function arc(a, b, sag) {
  const dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  const down = dx < 0 || (dx === 0 && dy < 0) ? -1 : 1;
  return { a, b, bend: { x: (a.x + b.x) / 2 - (down * dy / length) * 2 * sag, y: (a.y + b.y) / 2 + (down * dx / length) * 2 * sag } };
}

function along({ a, b, bend }, t) {
  const at = (key) => (1 - t) ** 2 * a[key] + 2 * t * (1 - t) * bend[key] + t ** 2 * b[key];
  return { x: at("x"), y: at("y") };
}

function curve(ctx, { a, b, bend }, kind, theme, share) {
  ctx.save();
  ctx.beginPath();
  ctx.moveTo(a.x, a.y);
  ctx.quadraticCurveTo(bend.x, bend.y, b.x, b.y);
  linkStroke(ctx, kind, theme);
  ctx.globalAlpha *= share;
  ctx.stroke();
  ctx.restore();
}

function linkStroke(ctx, kind, theme) {
  ctx.strokeStyle = theme.text;
  ctx.globalAlpha = kind === "considered" ? 0.6 : 0.85;
  ctx.lineWidth = kind === "considered" ? 1.3 : 2;
  ctx.setLineDash(kind === "considered" ? [2, 4] : [9, 4]);
}

const badgeFont = (theme) => `600 ${BADGE.size}px ${theme.font}`;

function badgeWidth(ctx, text, theme) {
  ctx.save();
  ctx.font = badgeFont(theme);
  const width = ctx.measureText(text).width;
  ctx.restore();
  return Math.max(BADGE.height, width + 2 * BADGE.padding);
}

function paintBadge(ctx, x, y, width, text, kind, theme) {
  const faint = kind === "struck" || kind === "considered" || kind === "open" || kind === "TN";
  ctx.save();
  trace(ctx, x, y, width / 2, BADGE.height / 2, 4);
  ctx.fillStyle = faint ? theme.background : theme.badge;
  ctx.fill();
  ctx.strokeStyle = theme.text;
  ctx.lineWidth = 1;
  ctx.globalAlpha = faint ? 0.55 : 0.85;
  ctx.setLineDash(faint ? [3, 2] : []);
  ctx.stroke();
  ctx.globalAlpha = faint ? 0.8 : 1;
  ctx.setLineDash([]);
  ctx.font = badgeFont(theme);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.text;
  ctx.fillText(text, x, y + 0.5);
  if (kind === "struck") {
    ctx.beginPath();
    ctx.moveTo(x - width / 2 + 3, y + 0.5);
    ctx.lineTo(x + width / 2 - 3, y + 0.5);
    ctx.strokeStyle = theme.text;
    ctx.stroke();
  }
  ctx.restore();
}

// The lines of the legend for all this: what, kind, sample, words.
function overlayKey(entries, theme) {
  return entries.map(([what, kind, sample, words]) => {
    const swatch = element("canvas");
    const scale = 2 * (globalThis.devicePixelRatio || 1);
    const ctx = swatch.getContext("2d");
    const width = what === "badge" ? badgeWidth(ctx, sample, theme) + 4 : 30;
    swatch.width = width * scale; swatch.height = 24 * scale;
    swatch.style.width = `${width}px`;
    ctx.scale(scale, scale);
    if (what === "badge") paintBadge(ctx, width / 2, 12, width - 4, sample, kind, theme);
    else if (what === "focus") paintSampleRing(ctx, theme);
    else paintLine(ctx, what, kind, theme);
    const entry = element("li");
    entry.append(swatch, element("span", "", words));
    return entry;
  });
}

function paintSampleRing(ctx, theme) {
  trace(ctx, 15, 12, 11, 9, 6);
  ctx.fillStyle = ctx.strokeStyle = theme.text;
  ctx.globalAlpha = 0.08;
  ctx.fill();
  ctx.globalAlpha = 0.8;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function paintLine(ctx, what, kind, theme) {
  ctx.beginPath();
  ctx.moveTo(2, 12);
  ctx.lineTo(28, 12);
  if (what === "link") linkStroke(ctx, kind, theme);
  else {
    ctx.strokeStyle = theme.tones[kind];
    ctx.lineWidth = kind === "both" ? 4 : 2.4;
    ctx.setLineDash(kind === "predicted" ? [6, 3] : []);
  }
  ctx.stroke();
}
