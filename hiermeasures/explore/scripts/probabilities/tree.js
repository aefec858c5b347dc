// Draws a hierarchy with a bar of probability under every class. A bar is dragged (or moved with the arrow keys), a class is
// clicked; both are reported, shown at once, and confirmed or corrected by what comes back. Labels are set as text, never as markup.

const BAR = 62, BAR_HEIGHT = 10, BAR_TOP = 18, NUMBER_GAP = 7, LABEL_HEIGHT = 26;
const LARGEST = 1.2;   // how far a drawing is scaled; a large one is drawn smaller, and whole

const trees = new WeakMap();
const TYPING = 350;   // milliseconds without a key after which what the arrow keys chose is reported

function add(parent, name, attributes, text) {
  const made = svgElement(name, attributes, text);
  parent.append(made);
  return made;
}

function edge(svg, points) {
  add(svg, "polyline", { class: "edge", points: points.map(([x, y]) => `${x},${y}`).join(" ") });
}

// As in the Explorer: a circle for true, a box for predicted, both for both; dashed for ancestors of a class. The colours repeat it.
function marks(group, { true: circled, predicted: boxed }, width, height) {
  const side = circled !== "none" && boxed !== "none" ? "both" : circled !== "none" ? "true" : "predicted";
  const gap = side === "both" ? RING : 0;
  const shape = (kind, role, more, rx) => add(group, "rect", {
    class: `${kind} ${side} ${role}`, x: -width / 2 - more, y: -height / 2 - more, width: width + 2 * more, height: height + 2 * more, rx,
  });
  if (boxed !== "none") shape("box", boxed, gap, 3);
  if (circled !== "none") shape("ring", circled, 0, height / 2);
}

function bar(group, node, tau) {
  const left = -(BAR + NUMBER_GAP + 28) / 2;
  const holder = add(group, "g", {
    class: "bar", transform: `translate(${left},${BAR_TOP})`, role: "slider", tabindex: 0, "data-focus": `bar ${node.id}`,
    "aria-label": `Probability of ${node.label}`, "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": node.p,
  });
  add(holder, "rect", { class: "reach", x: -8, y: -7, width: BAR + 16, height: BAR_HEIGHT + 14 });
  add(holder, "rect", { class: "track", width: BAR, height: BAR_HEIGHT, rx: 2 });
  const fill = add(holder, "rect", { class: "fill", height: BAR_HEIGHT, rx: 2 });
  if (tau !== null) add(holder, "line", { class: "tau", x1: tau * BAR, x2: tau * BAR, y1: -3, y2: BAR_HEIGHT + 3 });
  const grip = add(holder, "rect", { class: "grip", y: -2, width: 4, height: BAR_HEIGHT + 4, rx: 2 });
  const number = add(holder, "text", { class: "number", x: BAR + NUMBER_GAP, y: BAR_HEIGHT / 2 });
  const show = (p) => {
    fill.setAttribute("width", p * BAR);
    grip.setAttribute("x", p * BAR - 2);
    number.textContent = (p < 0.0005 || p >= 0.01 ? p.toFixed(2) : p.toFixed(3)) + (node.odd ? " !" : "");
    holder.setAttribute("aria-valuenow", p);
  };
  show(node.p);
  add(holder, "title", {}, node.hint);
  return { holder, show };
}

function follow(tree, holder, show, node) {
  const round = (p) => Math.round(Math.min(1, Math.max(0, p)) * 100) / 100;
  const at = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(holder.getScreenCTM().inverse());
    return round(point.x / BAR);
  };
  holder.addEventListener("pointerdown", (event) => {
    holder.setPointerCapture(event.pointerId);
    tree.dragged = { label: node.id, value: at(event) };
    show(tree.dragged.value);
    event.preventDefault();
    holder.focus();
  });
  holder.addEventListener("pointermove", (event) => {
    if (tree.dragged) show((tree.dragged.value = at(event)));
  });
  const release = () => {
    const edit = tree.dragged;
    tree.dragged = null;
    if (edit) tree.put("edit", edit);
  };
  holder.addEventListener("pointerup", release);
  holder.addEventListener("pointercancel", release);
  holder.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01 }[event.key];
    if (!step) return;
    event.preventDefault();
    if (tree.typed?.label !== node.id) tree.endTyping();
    tree.typed = { label: node.id, value: round((tree.typed?.value ?? node.p) + step * (event.shiftKey ? 10 : 1)) };
    show(tree.typed.value);
    clearTimeout(tree.timer);
    tree.timer = setTimeout(() => tree.endTyping(), TYPING);
  });
}

// The data with what pending gestures change. A click on a marked class waits for the answer: others below may keep it marked.
function expected(data, gestures) {
  const nodes = new Map(data.nodes.map((node) => [node.id, { ...node }]));
  for (const { key, value } of gestures) {
    const node = key === data.address.key && nodes.get(value.label);
    if (node && value.kind === "edit") node.p = value.value;
    if (node && value.kind === "choose" && data.nodes.find(({ id }) => id === node.id).true === "none") node.true = node.true === "none" ? "class" : "none";
  }
  return { ...data, nodes: [...nodes.values()] };
}

// The legend holds what is drawn now, in the same shapes.
function legend(root, entries) {
  const list = root.querySelector(".legend");
  list.replaceChildren();
  for (const { kind, words, ...sides } of entries) {
    const item = element("li", kind || "hint");
    const sample = svgElement("svg");
    sample.setAttribute("viewBox", "-16 -11 32 22");
    if (kind === "bar") {
      add(sample, "rect", { class: "track", x: -14, y: -4, width: 28, height: 8, rx: 2 });
      add(sample, "rect", { class: "fill", x: -14, y: -4, width: 17, height: 8, rx: 2 });
    } else if (kind === "tau") {
      add(sample, "line", { class: "tau", y1: -8, y2: 8 });
    } else if (kind) {
      marks(sample, sides, 12, 12);
    }
    item.append(...(kind ? [sample] : []), element("span", "", words));
    list.append(item);
  }
}

function draw(root, data, tree) {
  const focused = root.activeElement?.dataset?.focus;
  const [, , width] = data.view;
  const svg = svgElement("svg", { viewBox: data.view.join(" "), role: "group", "aria-label": data.title });
  svg.style.setProperty("--widest", `${width * LARGEST}px`);
  for (const points of data.edges) edge(svg, points);
  for (const node of data.nodes) {
    const group = add(svg, "g", { transform: `translate(${node.x},${node.y})` });
    const name = add(group, "g", { class: `name${node.root ? " root" : ""}`, "data-focus": `name ${node.id}` });
    add(name, "rect", { class: "ground", x: -node.width / 2, y: -LABEL_HEIGHT / 2, width: node.width, height: LABEL_HEIGHT });
    marks(name, node, node.width, LABEL_HEIGHT);
    add(name, "text", { class: node.true === "class" || node.predicted === "class" ? "strong" : "" }, node.label);
    if (node.root) continue;
    add(name, "title", {}, `${node.full}: click to make it true, or not`);
    name.setAttribute("role", "button");
    name.setAttribute("tabindex", 0);
    const choose = () => { tree.endTyping(); tree.put("choose", { label: node.id }); };
    name.addEventListener("click", choose);
    name.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
    });
    const { holder, show } = bar(group, node, data.tau);
    follow(tree, holder, show, node);
  }
  root.querySelector(".drawing").replaceChildren(svg);
  legend(root, data.legend);
  if (focused) [...svg.querySelectorAll("[data-focus]")].find((e) => e.dataset.focus === focused)?.focus();
}

// Draws anew what is known, but nothing under a hand that drags.
function refresh(tree) {
  if (tree.dragged) return;
  const { address } = tree.data;
  const typing = tree.typed ? [{ key: address.key, value: { kind: "edit", ...tree.typed } }] : [];
  draw(tree.root, expected(tree.data, [...outbox.after(address), ...typing]), tree);
}

function newTree(root) {
  return {
    root, data: null, dragged: null, typed: null, timer: 0,
    put(kind, value) {
      outbox.put(this.data.address, { kind, ...value });
      refresh(this);
    },
    endTyping() {
      const edit = this.typed;
      this.typed = null;
      clearTimeout(this.timer);
      if (edit) this.put("edit", edit);
    },
  };
}

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".tree");
  if (!trees.has(host)) trees.set(host, newTree(parentElement));
  const tree = trees.get(host);
  tree.data = data;
  refresh(tree);
  return () => { if (!host.isConnected) tree.endTyping(); };
}
