// Mounts vis-network on the scene that Python sends, keeps it across reruns, and reports clicks. What the scene looks like is
// painted by paint.js and overlay.js. Labels are only ever text: they reach the page through fillText and textContent.

const READABLE = 0.75;  // zoom below which labels are too small to read: 12 pixels
const LARGEST = 1.7;    // zoom to which a small hierarchy grows, where text has its usual size
const OVERVIEW = 0.5;   // while the hierarchy is drawn, all of it is in sight down to this zoom
const graphs = new WeakMap();

async function drawComponent({ data, parentElement }) {
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
    this.frame = element("div", "frame");
    this.caption = element("p", "caption");
    this.notes = element("p", "notes");
    this.whole = element("button", "fit", "Show all");
    this.whole.hidden = true;
    this.whole.onclick = () => this.fit(true);
    this.legend = element("ul", "legend");
    this.frame.append(this.canvas, this.whole);
    host.append(this.caption, this.notes, this.frame, this.legend);
    this.scene = null;
    this.network = null;
    host.graph = this;
    reportTo(this);
    this.gestured = () => this.refresh();
    events.addEventListener("hm-gesture", this.gestured);
    this.escaped = (event) => leaveOpen(this, event);
    document.addEventListener("keydown", this.escaped, true);
    this.resized = new ResizeObserver(() => { if (!this.moved) this.fit(); });
  }

  async show(data) {
    this.data = data;
    await visNetwork();
    if (this.data !== data) return;   // a later rerun came first
    this.host.classList.toggle("large", Boolean(data.large));
    this.theme = readTheme(this.host);
    const before = this.scene;
    this.predict();
    this.roles = new Map(this.scene.edges.map(({ parent, child, role }) => [`${parent}>${child}`, role]));
    this.notes.textContent = this.scene.notes.join("\n");
    this.caption.textContent = data.large?.caption ?? "";
    this.drawLegend();
    if (!this.network) this.mount();
    const place = data.view === this.view && this.nodes.get(data.anchor ?? "") && this.onScreen(data.anchor);
    const changed = this.update(data.network);
    if (data.view !== this.view) this.fit();
    else if (changed && place) this.keepInPlace(data.anchor, place);
    else if (changed && (this.editing || !this.moved) && !this.allInSight()) this.fit();
    else if (before) this.network.redraw();
    this.view = data.view;
    if (changed) this.leave();
    renewTooltip(this);
    renewKeys(this);
    renewCursor(this);
    showEditing(this);
    showHint(this);
    this.host.dataset.painted = String(Number(this.host.dataset.painted || 0) + 1);
  }

  // What is shown of the classes and of editing: what Python sent, with the gestures that it does not know of yet.
  predict() {
    const gestures = outbox.after(this.data.address);
    this.effects = effectsNow(this, gestures);
    const shapes = previewedShapes(this, expectedShapes(this.data, gestures));
    this.scene = { ...this.data.scene, shapes: shapes.map((shape) => withEffect(shape, this.effects[shape.id])) };
    this.shapes = new Map(this.scene.shapes.map((shape) => [shape.id, shape]));
    this.editing = expectedEditing(this.data, gestures);
  }

  // After a gesture, before Python answers. Edges and the legend wait for it.
  refresh() {
    if (!this.network) return;
    this.predict();
    this.update(this.data.network);
    renewTooltip(this);
    renewCursor(this);
    this.network.redraw();
  }

  // The drawing moved under the mouse: it is over nothing until it moves itself.
  leave() {
    hideTooltip(this);
    this.canvas.classList.remove("over");
    if (this.over) announceOver(this, this.keyboard && this.shapes.has(this.cursor) ? this.cursor : null);
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
    keysUp(this);
    effectsUp(this);
  }

  // Hands vis-network the difference only; true if nodes or edges came, went or moved.
  update({ nodes, edges }) {
    const moved = difference(this.nodes, nodes.map((node) => ({ ...node, ...this.known(node.id) })), true);
    const joined = difference(this.edges, edges.map((e) => ({ ...e, ...edgeStyle(this.roles.get(`${e.parent}>${e.child}`), this.theme) })), false);
    return moved || joined;
  }

  // What is said of a class where its node is asked for; nothing of a bend.
  known(id) {
    const shape = this.shapes.get(id);
    return shape && { name: shape.title, label: shape.text, folded: shape.folded, title: tooltip(shape) };
  }

  renderer({ ctx, id, x, y, state, label }) {
    const shape = this.shapes.get(id);
    if (!shape) return { drawNode() {}, nodeDimensions: { width: 1, height: 1 } };
    const width = measure(ctx, label, this.theme, shape), height = heightOf(shape);
    // vis-network takes a size over only when it measures anew, and then for the next painting.
    Object.assign(this.network.body.nodes[id].shape, { width, height, left: x - width / 2, top: y - height / 2 });
    return {
      drawNode: () => {
        paint(ctx, x, y, width, shape, this.theme, state.hover && this.canvas.classList.contains("over"));
        if (shape.folded) paintFolded(ctx, x, y, width / 2 + standOff(shape), shape.folded, this.theme);
      },
      nodeDimensions: { width, height },
    };
  }

  drawLegend() {
    const lines = this.data.large?.legend ?? this.scene.legend, key = JSON.stringify([lines, this.theme]);
    if (key === this.legendKey) return;
    this.legendKey = key;
    this.legend.replaceChildren(...lines.map((line) => {
      const entry = element("li");
      const sample = swatch(line, this.theme);
      if (this.data.large) sample.style.zoom = remSize();
      entry.append(sample, element("span", "", line.words));
      return entry;
    }));
  }

  // Shows the whole; where that would be too small to read, what is in focus, unless the whole was asked for.
  fit(whole = false) {
    if (!this.network || !this.nodes.length || !this.canvas.clientWidth) return;
    this.network.setSize();   // vis-network follows a new size later, and would move the view again
    let view = this.viewOf(this.nodes.get());
    const readable = this.data.large ? remSize() : READABLE;
    if (!whole && view.scale < (this.editing ? OVERVIEW : readable) && this.data.focus.length) {
      let near = this.viewOf(this.nodes.get(this.data.focus));
      if (!this.editing && near.scale < readable) near = { ...this.viewOf(this.marked()), scale: readable };   // some may be out of sight
      const scale = Math.min(remSize(), near.scale);
      const room = this.canvas.clientHeight / scale, margin = Math.min(90 / scale, (room - near.height) / 2);
      const y = view.height < room - margin ? view.position.y : near.top + room / 2 - margin;
      view = { position: { x: near.position.x, y: this.within(view, y, room) }, scale };
    }
    this.network.moveTo({ position: view.position, scale: view.scale, animation: false });
    this.setMoved(false);
    this.whole.hidden = whole || this.allInSight();
    requestAnimationFrame(() => this.network?.redraw());   // vis-network leaves out what was not in sight the last time
  }

  // The middle of a view so high that nothing is seen beyond the upper and lower end of a whole that is higher.
  within({ position, height }, y, room) {
    const slack = Math.max(0, (height - room) / 2 + 20);
    return Math.min(Math.max(y, position.y - slack), position.y + slack);
  }

  marked() {
    const ids = this.data.focus.filter((id) => this.shapes.has(id) && isClass(this.shapes.get(id)));
    return this.nodes.get(ids.length ? ids : this.data.focus);
  }

  viewOf(nodes) {
    const { clientWidth, clientHeight } = this.canvas;
    const half = (n) => (n.bend ? 0 : this.shapes.get(n.id).width / 2 + 3);
    const count = (n) => (n.folded ? COUNT_GAP + 40 : 0);
    const left = Math.min(...nodes.map((n) => n.x - half(n))), right = Math.max(...nodes.map((n) => n.x + half(n) + count(n)));
    const top = Math.min(...nodes.map((n) => n.y)) - 30, lowest = this.data.large?.lowest ?? -Infinity;
    const bottom = Math.max(...nodes.map((n) => n.y + Math.max(30, this.under(n))), ...this.scene.links.map((link) => link.y + 30), lowest + 30);
    const scale = Math.min(LARGEST * remSize(), (clientWidth - 48) / (right - left), (clientHeight - 40) / (bottom - top));
    return { position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale, top, height: bottom - top };
  }

  onScreen(id) {
    return this.network.canvasToDOM(this.network.getPosition(id));
  }

  // Moves the view so that a class is where it was on the screen.
  keepInPlace(id, was) {
    const now = this.onScreen(id), scale = this.network.getScale(), centre = this.network.getViewPosition();
    const position = { x: centre.x + (now.x - was.x) / scale, y: centre.y + (now.y - was.y) / scale };
    this.network.moveTo({ position, scale, animation: false });
    this.setMoved(true);
  }

  setMoved(moved) {
    this.moved = moved;
    this.whole.hidden = !moved;
  }

  // Whether every class is in the picture whole, with room for the plus below it while it is edited.
  allInSight() {
    const { clientWidth, clientHeight } = this.canvas;
    return this.nodes.get().every((n) => {
      const half = n.bend ? 0 : this.halfWidthOf(n.id);
      const { x, y } = this.network.canvasToDOM({ x: n.x - half, y: n.y - heightOf(this.shapes.get(n.id)) / 2 });
      const end = this.network.canvasToDOM({ x: n.x + half, y: n.y + this.under(n) });
      return x >= 0 && y >= 0 && end.x <= clientWidth && end.y <= clientHeight;
    });
  }

  // How far below its middle a class ends, with the plus below it while it is edited.
  under({ id, bend }) {
    if (bend) return 0;
    const shape = this.shapes.get(id);
    return heightOf(shape) / 2 + standOff(shape) + (this.editing ? PLUS_GAP + PLUS : 0);
  }

  // Half of how wide a class is painted; before it was, of how wide it will be about.
  halfWidthOf(id) {
    return (this.network.body.nodes[id]?.shape.width ?? this.shapes.get(id).width) / 2;
  }

  destroy() {
    this.resized.disconnect();
    events.removeEventListener("hm-gesture", this.gestured);
    document.removeEventListener("keydown", this.escaped, true);
    unlink(this);
    effectsDown(this);
    this.network?.destroy();
    this.network = null;
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

// --- helpers ----------------------------------------------------------------------------------------------------


// How large text is on this page, beside its usual size: frame.py enlarges it on large screens.
const remSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

// Brings a DataSet to these items with as few changes as possible; true if items came, went or (nodes) moved.
function difference(dataset, items, placed) {
  const ids = new Set(items.map((item) => item.id));
  const gone = dataset.getIds().filter((id) => !ids.has(id));
  const changed = [];
  let moved = gone.length > 0;
  for (const item of items) {
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
