// One Explorer in a notebook: joins the components of the app (PARTS), each in a shadow root of its own, with the model that Python
// keeps. Draws what the model's data says; what a person does goes to Python through the outbox, as messages.

export default { render };

const STILL = "hiermeasures-still";   // still.py
const MATHML = "http://www.w3.org/1998/Math/MathML";
const COLOURS = ["background-color", "secondary-background-color", "text-color", "border-color", "primary-color", "link-color"];
const pages = new Map();    // of every widget of this document, by the token of its session
const sheets = new Map();   // made once, by their text

function render({ model, el }) {
  const view = new View(model, el);
  return () => view.destroy();
}

// What the views of one widget share: the components' functions with their outbox, and what a click marks.
function pageOf({ session, graph }) {
  if (!pages.has(session)) {
    const page = { views: new Set(), mode: graph.click.mode, applied: 0 };
    page.drawn = Object.fromEntries(Object.entries(PARTS).map(([name, { factory }]) => [name, factory(page)]));
    pages.set(session, page);
  }
  return pages.get(session);
}

class View {
  constructor(model, el) {
    this.model = model;
    this.page = pageOf(this.data);
    this.page.views.add(this);
    this.parts = new Map();
    this.host = element("div", "hiermeasures");
    const root = this.host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet(STYLE)];
    this.widget = element("div", "widget");
    root.append(this.widget);
    this.build();
    el.append(this.host);
    this.hidesStill = hideStill(this.data.session);
    this.send = (gestures) => model.send(gestures);
    this.changed = () => this.draw();
    model.on("change:_data", this.changed);
    this.keys = (event) => ownKeys(this.host, event);
    window.addEventListener("keydown", this.keys, true);
    this.themed = watchTheme(() => this.readTheme() && this.draw());
    this.sized = new ResizeObserver(() => this.begin());   // a notebook draws before the cell is in the page
    this.sized.observe(this.host);
  }

  get data() {
    return this.model.get("_data");
  }

  begin() {
    if (!this.host.clientWidth) return;
    this.sized.disconnect();
    this.readTheme();
    this.begun = true;
    this.draw();
  }

  // The cells that use a widget run again in marimo when the browser changes a value of it, and so hear of clicks.
  draw() {
    const { data, page } = this;
    if (!this.begun) return;
    page.outbox.connect(data, this.send);
    this.drawFrame(data);
    for (const name of Object.keys(PARTS)) this.drawPart(name);
    if (!data.reports || data.seen <= page.applied) return;
    page.applied = data.seen;
    this.model.set("_applied", data.seen);
    this.model.save_changes();
  }

  // --- the frame ------------------------------------------------------------------------------------------------

  build() {
    const columns = element("div", "columns"), left = element("div"), right = element("div"), below = element("div", "below");
    this.marks = switchOf("A click marks");
    this.views = switchOf("What is drawn on the hierarchy");
    this.list = element("button");
    this.title = element("h3");
    this.whatIf = element("button", "", "what if");
    this.nothing = element("p");
    this.leftOut = element("p", "note");
    this.formula = element("div", "formula");
    this.sentence = element("p");
    this.note = element("p", "note");
    this.why = element("div", "why");
    this.list.type = this.whatIf.type = "button";
    left.append(lineOf(element("span", "", "Click"), this.marks), lineOf(element("span", "", "Show"), this.views), this.part("graph"));
    right.append(
      lineOf(this.list), this.part("values"), this.leftOut, lineOf(this.title, this.whatIf), this.nothing,
      this.formula, this.sentence, this.note, this.part("table"), this.part("flow"),
    );
    below.append(this.part("what_if"), this.why);   // as wide as the cell
    columns.append(left, right, below);
    this.widget.append(columns);
  }

  part(name) {
    const host = element("div", name), root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet(PARTS[name].css)];
    root.innerHTML = PARTS[name].html;   // from parts.py, without any data
    this.parts.set(name, { host, root, leave: null });
    return host;
  }

  drawFrame(data) {
    const { outbox } = this.page;
    const put = (kind, value) => outbox.put("explorer", kind, value);
    const address = { component: "explorer", session: data.session, seen: data.seen };
    const view = outbox.latest(address, "view")?.key ?? data.view, whatIf = outbox.latest(address, "what if")?.on ?? data.what_if;
    choices(this.marks, data.marks, this.page.mode, (mode) => this.mark(mode));
    choices(this.views, data.views, view, (key) => put("view", { key }));
    this.list.textContent = data.listing.words;
    this.list.onclick = () => put("list", { on: !data.listing.on });
    this.title.textContent = data.title;
    this.title.title = data.about;
    this.whatIf.setAttribute("aria-pressed", String(whatIf));
    this.whatIf.onclick = () => {
      put("what if", { on: !whatIf });
      this.drawFrame(data);
    };
    this.nothing.textContent = data.nothing;
    this.leftOut.textContent = data.left_out;
    this.formula.replaceChildren(...(data.evidence ? [mathml(data.evidence.formula)] : []));
    this.sentence.textContent = data.evidence?.sentence ?? "";
    this.note.textContent = data.evidence?.note ?? "";
    this.drawWhy(data.why);
  }

  drawWhy(why) {
    this.why.hidden = !why;
    if (!why) return;
    const formulas = (why.formulas ?? []).map((parts) => {
      const holder = element("div", "formula");
      holder.append(mathml(parts));
      return holder;
    });
    this.why.replaceChildren(element("p", "question", why.question), ...formulas, element("p", why.hint ? "note" : "", why.hint ?? why.sentence));
  }

  // --- the components ---------------------------------------------------------------------------------------------

  drawPart(name) {
    const part = this.parts.get(name), data = this.dataOf(name);
    part.host.hidden = !data;
    if (data) part.leave = this.page.drawn[name]({ data, parentElement: part.root });
  }

  dataOf(name) {
    const { data } = this;
    if (name === "graph") return { ...data.graph, click: { ...data.graph.click, mode: this.page.mode } };
    return name === "what_if" ? data.edits : data[name];
  }

  mark(mode) {
    this.page.mode = mode;
    for (const view of this.page.views) {
      choices(view.marks, this.data.marks, mode, (chosen) => view.mark(chosen));
      view.drawPart("graph");
    }
  }

  // --- the theme ----------------------------------------------------------------------------------------------------

  // Whether the colours of the notebook are others than before. The canvas needs them as plain colours.
  readTheme() {
    const { widget } = this;
    for (const name of COLOURS) widget.style.removeProperty(`--st-${name}`);
    widget.style.removeProperty("color-scheme");
    const probe = element("span"), found = {};
    widget.append(probe);
    for (const name of COLOURS) {
      probe.style.color = `var(--st-${name})`;
      found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    for (const [name, colour] of Object.entries(found)) widget.style.setProperty(`--st-${name}`, colour);
    widget.style.setProperty("color-scheme", isDark(widget) ? "dark" : "light");
    const theme = JSON.stringify(found), changed = theme !== this.theme;
    this.theme = theme;
    return changed && this.begun;
  }

  destroy() {
    const { page, data } = this;
    this.model.off("change:_data", this.changed);
    window.removeEventListener("keydown", this.keys, true);
    this.themed();
    this.sized.disconnect();
    this.hidesStill();
    page.outbox.disconnect(this.send);
    page.views.delete(this);
    this.host.remove();
    for (const { leave } of this.parts.values()) Promise.resolve(leave).then((left) => left?.());
    if (page.views.size) page.views.values().next().value.draw();
    else pages.delete(data.session);
  }
}

// --- helpers --------------------------------------------------------------------------------------------------------

function sheet(text) {
  if (!sheets.has(text)) {
    const made = new CSSStyleSheet();
    made.replaceSync(text);
    sheets.set(text, made);
  }
  return sheets.get(text);
}

function lineOf(...parts) {
  const line = element("div", "line");
  line.append(...parts);
  return line;
}

function switchOf(label) {
  const group = element("div", "switch");
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", label);
  return group;
}

// A group of buttons of which one is chosen. The tab key reaches that one, arrow keys go on from it.
function choices(group, words, chosen, choose) {
  const keys = Object.keys(words);
  if (group.childElementCount !== keys.length) {
    group.replaceChildren(...keys.map((key) => {
      const button = element("button", "", words[key]);
      button.type = "button";
      button.setAttribute("role", "radio");
      return button;
    }));
  }
  const buttons = [...group.children];
  const pick = (i) => {
    choices(group, words, keys[i], choose);
    choose(keys[i]);
  };
  buttons.forEach((button, i) => {
    button.setAttribute("aria-checked", String(keys[i] === chosen));
    button.tabIndex = keys[i] === chosen ? 0 : -1;
    button.onclick = () => pick(i);
    button.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const to = (i + step + keys.length) % keys.length;
      buttons[to].focus();
      pick(to);
    };
  });
}

// A formula of parts: tag, attributes, text and parts. The text is text, whatever is in it.
function mathml([tag, attributes, text, parts]) {
  const made = document.createElementNS(MATHML, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  made.append(...parts.map(mathml));
  return made;
}

// Keys that are pressed in the widget are not shortcuts of the notebook, in which "dd" deletes the cell; those with Ctrl or Alt are.
function ownKeys(host, event) {
  if (!event.composedPath().includes(host)) return;
  host.toggleAttribute("data-lm-suppress-shortcuts", !(event.ctrlKey || event.metaKey || event.altKey));
}

// Hides the picture that stands for the widget where it is not alive; the function that is returned shows it again.
function hideStill(session) {
  const style = element("style"), picture = `.${STILL}-${session}`;
  style.textContent = `${picture}, .jp-OutputArea-child:has(${picture}) { display: none !important; }`;
  document.head.append(style);
  return () => style.remove();
}

// Calls back when the notebook may have changed its colours: attributes of the page, a style sheet, or the system's setting.
function watchTheme(callBack) {
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; callBack(); }, 50);
  };
  const page = new MutationObserver(soon), dark = window.matchMedia("(prefers-color-scheme: dark)");
  for (const part of [document.documentElement, document.body]) page.observe(part, { attributes: true });
  page.observe(document.head, { childList: true });
  document.head.addEventListener("load", soon, true);
  dark.addEventListener("change", soon);
  return () => {
    page.disconnect();
    document.head.removeEventListener("load", soon, true);
    dark.removeEventListener("change", soon);
  };
}
