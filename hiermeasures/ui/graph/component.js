// Draws what Python sends with vis-network, keeps it across reruns, and reports clicks. Labels are only ever text:
// they reach the page through fillText and textContent.

const NONE = 0, ADDED = 1, CLASS = 2;
const READABLE = 0.5;   // zoom below which labels cannot be read
const HEIGHT = 36, PADDING = 9, COUNT_GAP = 5, FONT_SIZE = 16;
const PALETTES = {
  light: { true: "#0072B2", predicted: "#E69F00", both: "#009E73" },
  dark: { true: "#56B4E9", predicted: "#E69F00", both: "#1FB88C" },
};
const graphs = new WeakMap();

export default async function ({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-graph");
  if (!graphs.has(host)) graphs.set(host, new Graph(host));
  const graph = graphs.get(host);
  graph.show(data);
  return () => { if (!host.isConnected) graph.destroy(); };
}

class Graph {
  constructor(host) {
    this.host = host;
    this.canvas = element("div", "canvas");
    this.canvas.setAttribute("role", "img");
    this.frame = element("div", "frame");
    this.notes = element("p", "notes");
    this.whole = element("button", "fit", "Show all");
    this.whole.hidden = true;
    this.whole.onclick = () => this.fit(true);
    this.legend = element("ul", "legend");
    this.frame.append(this.canvas, this.notes, this.whole);
    host.append(this.frame, this.legend);
    this.marks = {};
    this.network = null;
    host.graph = this;
    reportTo(this);
    this.gestured = () => this.refresh();
    document.addEventListener("hm-gesture", this.gestured);
    this.resized = new ResizeObserver(() => { if (!this.moved) this.fit(); });
  }

  async show(data) {
    this.data = data;
    await visNetwork();
    if (this.data !== data) return;   // a later rerun came first
    this.theme = readTheme(this.host);
    const before = this.marks;
    this.predict();
    this.canvas.setAttribute("aria-label", data.alt);
    this.notes.textContent = data.notes.join("\n");
    this.drawLegend();
    if (!this.network) this.mount();
    const held = data.view === this.view && this.nodes.get(data.anchor ?? "") && this.onScreen(data.anchor);
    const changed = this.update(data);
    if (data.view !== this.view) this.fit();
    else if (changed && held) this.hold(data.anchor, held);
    else if (changed && !this.moved && !this.allInSight()) this.fit();
    else if (before !== this.marks) this.network.redraw();
    this.view = data.view;
    showEditing(this);
    this.host.dataset.painted = String(Number(this.host.dataset.painted || 0) + 1);
  }

  // What is shown of the classes and of editing: what Python sent, with the gestures it does not know of yet.
  predict() {
    const gestures = outbox.after(this.data.address);
    this.marks = marksShown(this.data, gestures);
    this.editing = editingShown(this.data, gestures);
  }

  // After a gesture, before Python answers.
  refresh() {
    if (!this.network) return;
    this.predict();
    this.update(this.data);
    this.network.redraw();
  }

  mount() {
    const { DataSet, Network } = globalThis.vis;
    this.nodes = new DataSet();
    this.edges = new DataSet();
    const options = structuredClone(this.data.options);
    options.nodes.ctxRenderer = (args) => this.renderer(args);
    this.network = new Network(this.canvas, { nodes: this.nodes, edges: this.edges }, options);
    this.network.on("click", ({ pointer }) => {
      const node = this.nodes.get(this.network.getNodeAt(pointer.DOM) ?? "");
      const folded = this.nodes.get().find((n) => n.folded && onCount(n, this.halfWidth(n.name), pointer.canvas));
      if (folded) this.report("unfold", folded);
      else if (node && !node.bend) this.report("click", node);
    });
    this.network.on("hoverNode", ({ node }) => this.canvas.classList.toggle("over", !this.nodes.get(node)?.bend));
    this.network.on("blurNode", () => this.canvas.classList.remove("over"));
    for (const gesture of ["zoom", "dragEnd"]) this.network.on(gesture, () => this.setMoved(true));
    this.resized.observe(this.canvas);
    linkUp(this);
    editUp(this);
  }

  // Hands vis-network the difference only; true if nodes or edges came, went or moved.
  update({ nodes, edges }) {
    const moved = difference(this.nodes, nodes.map((n) => ({ ...n, name: n.title, title: n.bend ? undefined : this.tooltip(n) })), true);
    const joined = difference(this.edges, edges.map((e) => ({ ...e, ...this.edgeStyle(e) })), false);
    return moved || joined;
  }

  tooltip(node) {
    const mark = this.marks[node.id];
    const known = this.data.legend.find((entry) => mark && entry.slice(0, 3).join() === mark.join());
    const box = element("div");
    box.append(element("b", "", node.title), element("span", "", known ? known[3] : this.data.plain));
    if (this.data.badges[node.id]?.[2]) box.append(element("span", "", this.data.badges[node.id][2]));
    if (node.folded) box.append(element("span", "", `+${node.folded}: children not drawn; click the number to see them`));
    return box;
  }

  edgeStyle({ parent, child }) {
    const [above, below] = [this.marks[parent], this.marks[child]];
    const sides = sidesOfEdge(this.data, parent, child) ?? (above && below ? { t: above[0] && below[0], p: above[1] && below[1] } : {});
    const tone = toneOf(sides.t, sides.p);
    return tone
      ? { color: { color: this.theme.tones[tone], opacity: 0.75, inherit: false }, width: tone === "both" ? 4 : 2.4, dashes: tone === "predicted" && [6, 3] }
      : { color: { color: this.theme.line, opacity: 1, inherit: false }, width: 1.2, dashes: false };
  }

  renderer({ ctx, id, x, y, state, label }) {
    const node = this.nodes.get(id);
    if (!node || node.bend) return { drawNode() {}, nodeDimensions: { width: 1, height: 1 } };
    const mark = this.marks[id] || [NONE, NONE, 0];
    const width = measure(ctx, label, this.theme);
    return {
      drawNode: () => {
        paint(ctx, x, y, width, label, mark, this.theme, state.hover);
        if (node.folded) paintFolded(ctx, x, y, width / 2 + (mark[0] && mark[1] ? 4 : 0), node.folded, this.theme);
      },
      nodeDimensions: { width, height: HEIGHT },
    };
  }

  drawLegend() {
    const key = JSON.stringify([this.data.legend, this.data.key, this.theme]);
    if (key === this.legendKey) return;
    this.legendKey = key;
    this.legend.replaceChildren(...this.data.legend.map(([t, p, s, words]) => {
      const swatch = element("canvas");
      const scale = 2 * (globalThis.devicePixelRatio || 1);
      swatch.width = 30 * scale; swatch.height = 24 * scale;
      const ctx = swatch.getContext("2d");
      ctx.scale(scale * 0.52, scale * 0.52);
      paint(ctx, 29, 23, HEIGHT, "", [t, p, s], this.theme, false);
      const entry = element("li");
      entry.append(swatch, element("span", "", words));
      return entry;
    }), ...overlayKey(this.data.key, this.theme));
  }

  // Shows the whole; where that would be too small to read, what is in focus, unless the whole was asked for.
  fit(whole = false) {
    if (!this.network || !this.nodes.length || !this.canvas.clientWidth) return;
    this.network.setSize();   // vis-network follows a new size later, and would move the view again
    let view = this.viewOf(this.nodes.get());
    if (!whole && view.scale < READABLE && this.data.focus.length) {
      const near = this.viewOf(this.nodes.get(this.data.focus));
      const scale = Math.max(READABLE, Math.min(1, near.scale));
      const room = this.canvas.clientHeight / scale, margin = 90 / scale;
      const y = view.height < room - margin ? view.position.y : near.top + room / 2 - margin;
      view = { position: { x: near.position.x, y }, scale };
    }
    this.network.moveTo({ position: view.position, scale: view.scale, animation: false });
    this.setMoved(false);
    this.whole.hidden = whole || this.allInSight();
  }

  viewOf(nodes) {
    const { clientWidth, clientHeight } = this.canvas;
    const half = (n) => (n.bend ? 0 : n.label.length * 4.5 + 16);
    const left = Math.min(...nodes.map((n) => n.x - half(n))), right = Math.max(...nodes.map((n) => n.x + half(n)));
    const top = Math.min(...nodes.map((n) => n.y)) - 30, bottom = Math.max(...nodes.map((n) => n.y)) + 30;
    const scale = Math.min(1.7, (clientWidth - 48) / (right - left), (clientHeight - 56) / (bottom - top));
    return { position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale, top, height: bottom - top };
  }

  onScreen(id) {
    return this.network.canvasToDOM(this.network.getPosition(id));
  }

  // Moves the view so that a class is where it was on the screen.
  hold(id, was) {
    const now = this.onScreen(id), scale = this.network.getScale(), centre = this.network.getViewPosition();
    const position = { x: centre.x + (now.x - was.x) / scale, y: centre.y + (now.y - was.y) / scale };
    this.network.moveTo({ position, scale, animation: false });
    this.setMoved(true);
  }

  setMoved(moved) {
    this.moved = moved;
    this.whole.hidden = !moved;
  }

  allInSight() {
    const { clientWidth, clientHeight } = this.canvas;
    return this.nodes.get().every((n) => {
      const { x, y } = this.network.canvasToDOM({ x: n.x, y: n.y });
      return x >= 0 && y >= 0 && x <= clientWidth && y <= clientHeight;
    });
  }

  destroy() {
    this.resized.disconnect();
    document.removeEventListener("hm-gesture", this.gestured);
    unlink(this);
    this.network?.destroy();
    graphs.delete(this.host);
  }

  // What is on the canvas, for tests and for those who look from outside.

  locate(label) {
    const node = this.nodes.get().find((n) => n.name === label && !n.bend);
    if (!node) return null;
    const { x, y } = this.network.canvasToDOM({ x: node.x, y: node.y });
    const box = this.canvas.getBoundingClientRect();
    return { x: box.left + x, y: box.top + y };
  }

  // Half of how wide a class is drawn, in drawing units.
  halfWidth(label) {
    const node = this.nodes.get().find((n) => n.name === label && !n.bend);
    return (node && this.network.body.nodes[node.id].shape.width) / 2;
  }

  placement() {
    const positions = Object.fromEntries(this.nodes.get().map((n) => [n.id, this.network.getPosition(n.id)]));
    return { positions, scale: this.network.getScale(), centre: this.network.getViewPosition() };
  }
}

// --- painting ---------------------------------------------------------------------------------------------------

function paint(ctx, x, y, width, label, [t, p, struck], theme, hover) {
  const w = width / 2, h = HEIGHT / 2;
  const both = t && p;
  const colour = theme.tones[toneOf(t, p)] || theme.text;
  ctx.save();
  ctx.fillStyle = theme.background;
  if (both) trace(ctx, x, y, w + 4, h + 4, 3);
  else trace(ctx, x, y, w, h, t ? h : 4);
  ctx.fill();
  if (hover) halo(ctx, x, y, w, h, theme);
  if (struck & 2) ringed(ctx, x, y, w, h, theme);
  if (p) side(ctx, x, y, both ? w + 4 : w, both ? h + 4 : h, 3, p, colour, !t, theme);
  if (t) side(ctx, x, y, w, h, h, t, colour, true, theme);
  if (label) {
    ctx.font = font(theme, t === CLASS || p === CLASS);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillStyle = theme.text;
    ctx.globalAlpha = struck & 1 ? 0.55 : 1;
    ctx.fillText(label, x, y + 1);
    ctx.globalAlpha = 1;
  }
  if (struck & 1) strike(ctx, x, y, w + 3, h + 3, theme);
  ctx.restore();
}

// A class of the side has a firm line, one put in by augmentation a thin dashed one.
function side(ctx, x, y, w, h, radius, kind, colour, fill, theme) {
  ctx.save();
  trace(ctx, x, y, w, h, radius);
  if (fill) {
    ctx.globalAlpha = kind === CLASS ? theme.firm : theme.faint;
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.globalAlpha = 1;
  }
  ctx.strokeStyle = colour;
  ctx.lineWidth = kind === CLASS ? 2.6 : 1.4;
  ctx.setLineDash(kind === CLASS ? [] : [4, 3]);
  ctx.stroke();
  ctx.restore();
}

// A class that was looked at and is on neither side.
function ringed(ctx, x, y, w, h, theme) {
  ctx.save();
  trace(ctx, x, y, w, h, 8);
  ctx.strokeStyle = theme.text;
  ctx.globalAlpha = 0.7;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 3]);
  ctx.stroke();
  ctx.restore();
}

function halo(ctx, x, y, w, h, theme) {
  ctx.save();
  trace(ctx, x, y, w + 8, h + 8, 10);
  ctx.globalAlpha = 0.1;
  ctx.fillStyle = theme.text;
  ctx.fill();
  ctx.restore();
}

function strike(ctx, x, y, w, h, theme) {
  ctx.strokeStyle = theme.text;
  ctx.lineWidth = 1.6;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x - w, y + h);
  ctx.lineTo(x + w, y - h);
  ctx.stroke();
}

// How many children are folded away, in a small pill to the right of the class.
function paintFolded(ctx, x, y, half, count, theme) {
  ctx.save();
  ctx.font = `13px ${theme.font}`;
  const width = ctx.measureText(`+${count}`).width + 10;
  trace(ctx, x + half + COUNT_GAP + width / 2, y, width / 2, 10, 10);
  ctx.fillStyle = theme.background;
  ctx.fill();
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.text;
  ctx.fillText(`+${count}`, x + half + COUNT_GAP + 5, y + 1);
  ctx.restore();
}

const onCount = (node, half, { x, y }) => Math.abs(y - node.y) < 12 && x > node.x + half + 2 && x < node.x + half + COUNT_GAP + 34;

function trace(ctx, x, y, w, h, radius) {
  ctx.beginPath();
  ctx.roundRect(x - w, y - h, 2 * w, 2 * h, radius);
}

function measure(ctx, label, theme) {
  ctx.save();
  ctx.font = font(theme, true);
  const width = ctx.measureText(label).width;
  ctx.restore();
  return Math.max(HEIGHT, width + 2 * PADDING);
}

const font = (theme, strong) => `${strong ? 600 : 400} ${FONT_SIZE}px ${theme.font}`;
const toneOf = (t, p) => (t && p ? "both" : t ? "true" : p ? "predicted" : null);

// --- helpers ----------------------------------------------------------------------------------------------------

function readTheme(host) {
  const style = getComputedStyle(host);
  const value = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const dark = isDark(host);
  return {
    background: value("--st-background-color", "#ffffff"), text: value("--st-text-color", "#222222"), font: value("--st-font", "sans-serif"),
    tones: PALETTES[dark ? "dark" : "light"], line: dark ? "#6b717c" : "#b4b9c2",
    badge: dark ? "#3a4150" : "#e9ebf0", firm: dark ? 0.28 : 0.16, faint: dark ? 0.14 : 0.08,
  };
}

// Brings a DataSet to the wanted items with as few changes as possible; true if items came, went or (nodes) moved.
function difference(dataset, wanted, placed) {
  const kept = new Set(wanted.map((item) => item.id));
  const gone = dataset.getIds().filter((id) => !kept.has(id));
  const changed = [];
  let moved = gone.length > 0;
  for (const item of wanted) {
    const old = dataset.get(item.id);
    if (!old || fingerprint(old) !== fingerprint(item)) changed.push(item);
    moved ||= !old || (placed && (old.x !== item.x || old.y !== item.y));
  }
  if (gone.length) dataset.remove(gone);
  if (changed.length) dataset.update(changed);
  return moved;
}

const fingerprint = (item) => JSON.stringify(item, (key, value) => (value instanceof Node ? value.textContent : value));

async function visNetwork() {
  while (!globalThis.vis?.Network) await new Promise((resume) => setTimeout(resume, 15));
}
