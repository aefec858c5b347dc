// Mounts vis-network on the scene that Python sends, keeps it across reruns, and reports clicks. What the scene looks like is
// painted by paint.js and overlay.js. Labels are only ever text: they reach the page through fillText and textContent.

const READABLE = 0.75;  // zoom below which labels are too small to read: 12 pixels
const LARGEST = 2;      // zoom to which a small hierarchy grows, where text has its usual size
const LEGEND_LINE = 28; // pixels of a line of the legend
const SPACE = 2;        // drawing units around all that is drawn
const OVERVIEW = 0.5;   // while the hierarchy is drawn, all of it is in sight down to this zoom
const graphs = new WeakMap();

async function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-graph");
  if (!graphs.has(host)) graphs.set(host, new Graph(host));
  const graph = graphs.get(host);
  graph.show(data);
  return () => { if (!host.isConnected) graph.destroy(); };
}

// What Python leaves out has its default.
const withDefaults = (what, part) => ({ ...DEFAULTS[what], ...part });
const wholeLegend = (lines) => lines.map((line) => ({ ...line, sample: withDefaults(line.what, line.sample) }));

function wholeScene(scene) {
  const parts = (what, list) => list.map((part) => withDefaults(what, part));
  return { ...scene, shapes: parts("class", scene.shapes), edges: parts("edge", scene.edges), links: parts("link", scene.links), badges: parts("badge", scene.badges) };
}

// vis-network knows no bent edges: a bend is a node that is not painted.
function networkOf({ shapes, edges }) {
  const nodes = shapes.map(({ id, x, y }) => ({ id, x, y })), joined = [];
  for (const { parent, child, bends } of edges) {
    const stops = [parent];
    for (const [x, y] of bends) {
      stops.push(`b${nodes.length}`);
      nodes.push({ id: stops.at(-1), x, y, bend: true });
    }
    stops.push(child);
    stops.slice(1).forEach((to, i) => joined.push({ id: `${stops[i]}>${to}`, from: stops[i], to, parent, child }));
  }
  return { nodes, edges: joined };
}

// A scene without the classes that are not marked, but for those in focus and those above what is left; their number is added to
// that of the children that are folded away.
function withoutBystanders(scene, focus) {
  const kept = new Set([...focus, ...scene.badges.map(({ shape }) => shape), ...scene.links.flatMap(({ start, end, path }) => [start, end, ...path.flatMap((edge) => edge.slice(0, 2))])]);
  for (const shape of scene.shapes) if (sidesOf(shape) !== "none" || shape.ringed || shape.focused) kept.add(shape.id);
  for (const id of kept) for (const { parent, child } of scene.edges) if (child === id) kept.add(parent);
  const gone = new Map();
  for (const { parent, child } of scene.edges) if (!kept.has(child)) gone.set(parent, (gone.get(parent) ?? 0) + 1);
  return {
    ...scene,
    shapes: scene.shapes.filter(({ id }) => kept.has(id)).map((shape) => ({ ...shape, folded: shape.folded + (gone.get(shape.id) ?? 0) })),
    edges: scene.edges.filter(({ child }) => kept.has(child)),
  };
}

class Graph {
  constructor(host) {
    this.host = host;
    this.canvas = element("div", "canvas");
    this.frame = element("div", "frame");
    this.caption = element("p", "caption");
    this.notes = element("p", "notes");
    this.near = this.wayButton("", () => this.fit());
    this.whole = this.wayButton("Show all", () => this.fit(true));
    this.fold = this.wayButton("Fold again", () => outbox.put(this.data.address, { kind: "fold" }));
    const ways = element("div", "ways");
    ways.append(this.fold, this.near, this.whole);
    this.legend = element("ul", "legend");
    this.frame.append(this.canvas, ways);
    host.append(this.caption, this.notes, this.frame, this.legend);
    this.scene = null;
    this.network = null;
    this.moves = new Map();
    host.graph = this;
    reportTo(this);
    this.gestured = () => this.refresh();
    events.addEventListener("hm-gesture", this.gestured);
    this.escaped = (event) => leaveOpen(this, event);
    document.addEventListener("keydown", this.escaped, true);
    this.resized = new ResizeObserver(() => { if (!this.moved) this.fit(); });
  }

  // A button on the drawing that leads to another view of it.
  wayButton(words, act) {
    const made = element("button", "", words);
    made.type = "button";
    made.hidden = true;
    made.onclick = act;
    return made;
  }

  async show(sent) {
    const foldedAgain = this.data?.unfolded && !sent.unfolded;
    const data = { ...sent, scene: wholeScene(sent.scene) };
    this.coming = data;
    await visNetwork();
    if (this.coming !== data) return;   // a later rerun came first
    this.data = data;   // not before: what happens meanwhile is about what is painted
    this.host.classList.toggle("large", Boolean(data.large));
    this.theme = readTheme(this.host);
    const before = this.scene;
    this.predict();
    startMoves(this, before);
    this.notes.textContent = this.scene.notes.join("\n");
    this.caption.textContent = data.caption ?? data.large?.caption ?? "";
    this.drawLegend();
    if (!this.network) this.mount();
    const place = data.view === this.view && this.nodes.get(data.anchor ?? "") && this.onScreen(data.anchor);
    const changed = this.update();
    this.fold.hidden = !data.unfolded;
    if (data.view !== this.view || foldedAgain || (data.shows !== this.shows && !this.moved)) this.fit();
    else if (changed && place) this.keepInPlace(data.anchor, place);
    else if ((this.editing ? changed : !this.moved) && !this.allInSight()) this.fit();
    else if (before) this.network.redraw();
    Object.assign(this, { view: data.view, shows: data.shows });
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
    this.editing = expectedEditing(this.data, gestures);
    const scene = { ...this.data.scene, shapes: shapes.map((shape) => withEffect(shape, this.effects[shape.id])) };
    this.scene = this.narrow && !this.editing ? withoutBystanders(scene, this.data.focus) : scene;
    this.shapes = new Map(this.scene.shapes.map((shape) => [shape.id, shape]));
    this.walked = new Set(this.scene.edges.filter(({ walked }) => walked).map(({ parent, child }) => `${parent}>${child}`));
    this.lines = new Map(this.scene.edges.map((edge) => [`${edge.parent}>${edge.child}`, lineOf(this.shapes, edge)]));
    this.roles = new Map(this.scene.edges.map(({ parent, child, role }) => [`${parent}>${child}`, role]));
  }

  // Leaves out what is not marked, or draws it again.
  narrowTo(narrow) {
    if (Boolean(this.narrow) === narrow) return;
    this.narrow = narrow;
    this.predict();
    this.update();
  }

  // After a gesture, before Python answers. Edges and the legend wait for it.
  refresh() {
    if (!this.network) return;
    const before = this.scene;
    this.predict();
    startMoves(this, before);
    this.update();
    renewTooltip(this);
    renewCursor(this);
    this.network.redraw();
  }

  // The drawing moved under the mouse: it is over nothing until it moves itself.
  leave() {
    overNothing(this);
    if (this.keyboard && this.shapes.has(this.cursor)) announceOver(this, this.cursor);
  }

  mount() {
    const { DataSet, Network } = globalThis.vis;
    this.nodes = new DataSet();
    this.edges = new DataSet();
    const options = structuredClone(OPTIONS);
    options.interaction.zoomView = this.data.zoom;
    options.nodes.ctxRenderer = (args) => this.renderer(args);
    this.network = new Network(this.canvas, { nodes: this.nodes, edges: this.edges }, options);
    this.network.on("click", ({ pointer }) => {
      const node = this.nodes.get(this.network.getNodeAt(pointer.DOM) ?? "");
      const folded = this.nodes.get().find((n) => n.folded && onCount(n, this.halfWidth(n.name), pointer.canvas));
      if (folded) this.report("unfold", folded);
      else if (node && !node.bend) this.report("click", node);
    });
    this.network.on("hoverNode", ({ node }) => this.canvas.classList.toggle("over", !this.touched && !this.nodes.get(node)?.bend));
    this.network.on("blurNode", () => this.canvas.classList.remove("over"));
    for (const gesture of ["zoom", "dragEnd"]) this.network.on(gesture, () => this.setMoved(true));
    this.resized.observe(this.canvas);
    tooltipUp(this);
    linkUp(this);
    editUp(this);
    keysUp(this);
    effectsUp(this);
  }

  // Hands vis-network the difference only; true if nodes or edges came, went or moved.
  update() {
    const { nodes, edges } = networkOf(this.scene);
    const moved = difference(this.nodes, nodes.map((node) => ({ ...node, ...this.known(node.id) })), true);
    const joined = difference(this.edges, edges.map((e) => ({ ...e, ...this.styleOf(`${e.parent}>${e.child}`) })), false);
    return moved || joined;
  }

  // overlay.js paints an edge that a path walks, and vis-network the others.
  styleOf(edge) {
    const style = edgeStyle(this.roles.get(edge), this.theme);
    return this.walked.has(edge) ? { ...style, color: { ...style.color, opacity: 0 } } : style;
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
        const hover = state.hover && id !== this.editing?.selected;   // which has a frame already
        paint(ctx, x, y, width, shape, this.theme, hover && this.canvas.classList.contains("over"));
        if (shape.folded) paintFolded(ctx, x, y, width / 2 + standOff(shape), shape.folded, this.theme);
      },
      nodeDimensions: { width, height },
    };
  }

  drawLegend() {
    const lines = wholeLegend(this.data.large?.legend ?? this.scene.legend), key = JSON.stringify([lines, this.theme]);
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

  // Shows the whole. Where that would be too small to read, only what is marked is drawn, unless the whole was asked for.
  fit(whole = false) {
    if (!this.network || !this.nodes.length || !this.canvas.clientWidth) return;
    this.network.setSize();   // vis-network follows a new size later, and would move the view again
    this.narrowTo(false);
    let view = this.viewOf();
    if (!whole && this.tooSmall(view)) {
      if (this.editing) view = this.nearOf(view);
      else {
        this.narrowTo(true);
        view = this.viewOf();
      }
    } else if (!this.data.large) view.position.y -= this.lowered(view) / view.scale;
    this.network.moveTo({ position: view.position, scale: view.scale, animation: false });
    this.setMoved(false);
    this.whole.hidden = whole || !(this.narrow || this.moved || !this.allInSight());
    this.showNear(whole);
    requestAnimationFrame(() => this.network?.redraw());   // vis-network leaves out what was not in sight the last time
  }

  // While a large hierarchy is edited: what is in focus in letters that can be read, some of the rest out of sight.
  nearOf(view) {
    const near = this.viewOf(new Set(this.data.focus)), scale = Math.min(remSize(), near.scale);
    const room = this.canvas.clientHeight / scale, margin = Math.min(90 / scale, (room - near.height) / 2);
    const y = view.height < room - margin ? view.position.y : near.top + room / 2 - margin;
    return { position: { x: near.position.x, y: this.within(view, y, room) }, scale };
  }

  readable() {
    return this.data.large ? remSize() : READABLE;
  }

  // How many pixels lower than in its middle a drawing stands that is smaller than its frame: below it the legend has room for
  // several lines, so that no view moves it, and mostly has one.
  lowered({ height, scale }) {
    const slack = (this.canvas.clientHeight - height * scale) / 2 - 20, unused = this.legend.clientHeight - LEGEND_LINE * remSize();
    return Math.max(0, Math.min(slack, unused / 2));
  }

  // Whether the whole, seen so, cannot be read, and something of it is in focus.
  tooSmall({ scale }) {
    return scale < (this.editing ? OVERVIEW : this.readable()) && this.data.focus.length > 0;
  }

  // Offers the way back to what is in focus, where a person looks at something else.
  showNear(elsewhere) {
    this.near.hidden = !elsewhere || !this.tooSmall(this.viewOf());
    this.near.textContent = this.scene.shapes.some(isClass) ? "Fit what is marked" : "Back to the top";
  }

  // The middle of a view so high that nothing is seen beyond the upper and lower end of a whole that is higher.
  within({ position, height }, y, room) {
    const slack = Math.max(0, (height - room) / 2 + 20);
    return Math.min(Math.max(y, position.y - slack), position.y + slack);
  }

  // The view of all that is drawn, or of some classes.
  viewOf(ids = null) {
    const { clientWidth, clientHeight } = this.canvas;
    const { left, top, right, bottom } = extentOf(this, ids);
    const [width, height] = [right - left + 2 * SPACE, bottom - top + 2 * SPACE];
    const scale = Math.min(LARGEST * remSize(), (clientWidth - 24) / width, (clientHeight - 8) / height);
    return { position: { x: (left + right) / 2, y: (top + bottom) / 2 }, scale, top, height };
  }

  // Where all that is drawn is on the canvas, in pixels.
  drawnBox() {
    const { left, top, right, bottom } = extentOf(this);
    const [start, end] = [{ x: left, y: top }, { x: right, y: bottom }].map((place) => this.network.canvasToDOM(place));
    return { left: start.x, top: start.y, right: end.x, bottom: end.y };
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
    this.showNear(moved);
  }

  allInSight() {
    const { left, top, right, bottom } = this.drawnBox(), { clientWidth, clientHeight } = this.canvas;
    return left >= 0 && top >= 0 && right <= clientWidth && bottom <= clientHeight;
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


// How large text is on this page, beside its usual size: app/pages.py enlarges it on large screens.
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
