// Draws a flow network that Python has placed, as SVG. Every text is set as text.

const drawn = new WeakMap();

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-flow");
  const sent = JSON.stringify({ ...data, address: null });
  if (drawn.get(host) !== sent) draw(host, data);
  drawn.set(host, sent);
  return () => { if (!host.isConnected) point([]); };
}

function draw(host, data) {
  const root = svgElement("svg", { viewBox: `0 0 ${data.width} ${data.height}`, role: "img", "aria-label": data.words });
  root.append(arrowHead("tip", 5), arrowHead("tip-used", 3.4));
  const labels = data.edges.map(label);
  root.append(...data.edges.map((e, i) => edge(e, labels[i])), ...labels, ...data.nodes.map(node));
  host.replaceChildren(root, element("p", "", data.note));
  point([]);   // an edge that goes under the mouse does not say that it was left
}

function edge({ from, to, flow, says, classes, quiet }, text) {
  const [x1, y1] = from, [x2, y2] = to, length = Math.hypot(x2 - x1, y2 - y1) || 1, gap = 21;
  const at = (x, y, sign) => [x + (sign * gap * (x2 - x1)) / length, y + (sign * gap * (y2 - y1)) / length];
  const [ax, ay] = at(x1, y1, 1), [bx, by] = at(x2, y2, -1);
  const line = svgElement("line", { x1: ax, y1: ay, x2: bx, y2: by, class: flow ? "used" : "idle", "marker-end": `url(#${flow ? "tip-used" : "tip"})` });
  line.append(svgElement("title", {}, says));
  if (quiet) {
    line.addEventListener("mouseenter", () => text.classList.remove("quiet"));
    line.addEventListener("mouseleave", () => text.classList.add("quiet"));
  }
  return pointing(line, classes);
}

function label({ at, anchor, interval, cost, flow, classes, says, quiet }) {
  const words = [interval, cost, flow ? `×${flow}` : ""].filter(Boolean).join("\u00a0\u00a0");
  const [x, y] = at, width = words.length * 5.3 + 8, left = { start: -9, middle: -width / 2, end: 9 - width }[anchor];
  const group = svgElement("g", { class: `label${flow ? " used" : ""}${quiet ? " quiet" : ""}` });
  group.append(svgElement("rect", { x: x + left, y: y - 7.5, width, height: 15, rx: 4 }));
  group.append(svgElement("text", { x: x + left + width / 2, y: y + 0.5 }, words), svgElement("title", {}, says));
  return pointing(group, classes);
}

function node({ kind, label: text, name, x, y, says }) {
  const group = svgElement("g", { class: `node ${kind.replace(" ", "-")}` });
  const wide = Math.max(34, text.length * 7.4 + 14);
  if (kind === "true" || kind === "source" || kind === "sink") group.append(svgElement("rect", { x: x - wide / 2, y: y - 15, width: wide, height: 30, rx: 15 }));
  else group.append(svgElement("rect", { x: x - wide / 2, y: y - 15, width: wide, height: 30, rx: kind === "default true" ? 15 : 4 }));
  group.append(svgElement("text", { x, y }, text), svgElement("title", {}, says));
  return pointing(group, kind === "true" || kind === "predicted" ? [name] : []);
}

function arrowHead(id, size) {
  const marker = svgElement("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: size, markerHeight: size, orient: "auto-start-reverse" });
  marker.append(svgElement("path", { d: "M 0 1 L 10 5 L 0 9 z", class: id }));
  const defs = svgElement("defs");
  defs.append(marker);
  return defs;
}

function pointing(item, classes) {
  if (!classes.length) return item;
  item.addEventListener("mouseenter", () => point(classes));
  item.addEventListener("mouseleave", () => point([]));
  return item;
}

function point(classes) {
  events.dispatchEvent(new CustomEvent("hm-point", { detail: { classes } }));
}
