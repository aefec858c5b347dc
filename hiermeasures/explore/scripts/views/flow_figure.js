// Draws a flow network that Python has placed, as SVG. Every text is set as text.

const drawn = new WeakMap();

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-flow");
  const sent = JSON.stringify({ ...data, address: null });
  if (drawn.get(host) !== sent) draw(host, data);
  drawn.set(host, sent);
  return () => { if (!host.isConnected) point([]); };
}

function draw(host, { width, height, words, scene, note }) {
  const root = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
  const [shapes, links, badges] = [["class", scene.shapes], ["link", scene.links], ["badge", scene.badges]]
    .map(([what, parts]) => parts.map((part) => ({ ...DEFAULTS[what], ...part })));
  const byId = new Map(shapes.map((shape) => [shape.id, shape]));
  const ends = links.map(({ start, end }) => [byId.get(start), byId.get(end)]);
  const labels = badges.map((badge, i) => label(badge, ends[i]));
  root.append(arrowHead("tip", 5), arrowHead("tip-used", 3.4));
  root.append(...badges.map((badge, i) => edge(badge, ends[i], labels[i])), ...labels, ...shapes.map(node));
  host.replaceChildren(root, element("p", "", note));
  point([]);   // an edge that goes under the mouse does not say that it was left
}

function edge({ kind, faint, words }, [from, to], text) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1, gap = 21;
  const at = ({ x, y }, sign) => [x + (sign * gap * (to.x - from.x)) / length, y + (sign * gap * (to.y - from.y)) / length];
  const [ax, ay] = at(from, 1), [bx, by] = at(to, -1);
  const look = { class: faint ? "idle" : "used", "marker-end": `url(#${faint ? "tip" : "tip-used"})` };
  const line = svgElement("line", { x1: ax, y1: ay, x2: bx, y2: by, ...look });
  line.append(svgElement("title", {}, words));
  if (kind === "quiet") {
    line.addEventListener("mouseenter", () => text.classList.remove("quiet"));
    line.addEventListener("mouseleave", () => text.classList.add("quiet"));
  }
  return pointing(line, [from, to]);
}

function label({ text, kind, faint, words, x, y }, ends) {
  const width = text.length * 5.3 + 8;
  const group = svgElement("g", { class: `label${faint ? "" : " used"}${kind === "quiet" ? " quiet" : ""}` });
  group.append(svgElement("rect", { x: x - width / 2, y: y - 7.5, width, height: 15, rx: 4 }));
  group.append(svgElement("text", { x, y: y + 0.5 }, text), svgElement("title", {}, words));
  return pointing(group, ends);
}

function node(shape) {
  const { text, words, x, y, width, height, ringed } = shape;
  const side = ["true", "predicted"].find((name) => shape[name] !== "none");
  const look = ringed ? "end" : shape[side] === "added" ? `default-${side}` : side;
  const group = svgElement("g", { class: `node ${look}` });
  const rx = side === "predicted" ? 4 : height / 2;
  group.append(svgElement("rect", { x: x - width / 2, y: y - height / 2, width, height, rx }));
  group.append(svgElement("text", { x, y }, text), svgElement("title", {}, words[0]));
  return pointing(group, [shape]);
}

function arrowHead(id, size) {
  const marker = svgElement("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: size, markerHeight: size, orient: "auto-start-reverse" });
  marker.append(svgElement("path", { d: "M 0 1 L 10 5 L 0 9 z", class: id }));
  const defs = svgElement("defs");
  defs.append(marker);
  return defs;
}

// Under the mouse an item rings what of its shapes are classes on the drawing.
function pointing(item, shapes) {
  const classes = shapes.filter((shape) => shape.true === "class" || shape.predicted === "class").map(({ title }) => title);
  if (!classes.length) return item;
  item.addEventListener("mouseenter", () => point(classes));
  item.addEventListener("mouseleave", () => point([]));
  return item;
}

function point(classes) {
  events.dispatchEvent(new CustomEvent("hm-point", { detail: { classes } }));
}
