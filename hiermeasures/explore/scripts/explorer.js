// One Explorer in any host. Draws what the host's data says (screen.py); what a person does goes to the host as gestures.
//
// A host gives data() and send(gestures), or else the `page` whose outbox is sent, and calls view.draw() when its data has changed. `window`: it fills a window, whose keys are
// its own; else it is a part of another page. `theme`: the colours around it have to be asked for. PARTS are the components it draws.

const COLOURS = ["background-color", "secondary-background-color", "text-color", "border-color", "primary-color", "link-color"];
const KEPT_PAPER = "hiermeasures-paper";
const AREAS = { toolbar: "top", rows: "top", drawing: "left", options: "right", values: "right", panel: "right", wide: "wide" };
const shared = new Map();   // of every Explorer that sends for itself, by the token of its session
const sheets = new Map();   // made once, by their text

export function mount(holder, host) {
  return new View(holder, host);
}

// What the views of one Explorer share: the components' functions with their outbox.
function pageOf(host) {
  const { session } = host.data(), page = host.page ?? shared.get(session) ?? {};
  if (!host.page) shared.set(session, page);
  page.views ??= new Set();
  page.drawn ??= Object.fromEntries(Object.entries(PARTS).map(([name, { factory }]) => [name, factory(page)]));
  return page;
}

class View {
  constructor(holder, host) {
    this.host = host;
    this.page = pageOf(host);
    this.page.views.add(this);
    this.ui = this.makeUi();
    this.element = element("div", "hiermeasures");
    this.element.explorer = this;   // for whoever looks at the page from outside, as tests do
    const root = this.element.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet(STYLE)];
    this.frame = element("div", `explorer ${host.window ? "window" : "cell"}`);
    this.frame.tabIndex = -1;
    this.presents = false;
    this.areas = Object.fromEntries(["top", "left", "right", "wide"].map((name) => [name, element("div", name)]));
    const columns = element("div", "columns");
    columns.append(this.areas.left, this.areas.right, this.areas.wide);
    const all = element("div", "all");
    all.append(this.areas.top, columns);
    this.frame.append(all);
    root.append(this.frame);
    holder.append(this.element);
    this.send = host.send && ((gestures) => host.send(gestures));
    this.keys = (event) => this.pressed(event);
    window.addEventListener("keydown", this.keys, true);
    this.themed = host.theme ? watchTheme(() => this.readTheme() && this.draw()) : () => {};
    this.sized = new ResizeObserver(() => this.begin());   // a host may draw before it is in the page
    this.sized.observe(this.element);
    this.gestured = () => this.redraw();
    this.page.events.addEventListener("hm-gesture", this.gestured);
  }

  begin() {
    if (!this.element.clientWidth) return;
    this.sized.disconnect();
    if (this.host.theme) this.readTheme();
    this.begun = true;
    this.draw();
  }

  draw() {
    if (!this.begun) return;
    const data = this.host.data();
    if (this.send) this.page.outbox.connect(data, this.send);
    if (this.host.window && "paper" in data) this.remember(data.paper);
    this.redraw();
    if (data.title) document.title = `${data.title} – hiermeasures`;
    if (data.location) this.page.drawn.address({ data: data.location });
    this.host.drawn?.(data);
  }

  // The browser remembers whether a person wants the tools for papers.
  remember(chosen) {
    try {
      const kept = localStorage.getItem(KEPT_PAPER);
      if (chosen !== null) localStorage.setItem(KEPT_PAPER, chosen ? "on" : "off");
      else if (kept !== null && this.ui.pending("paper_tools") === undefined) this.ui.put("paper_tools", kept === "on");
    } catch { /* nothing is kept */ }
  }

  // The same data, with what was done since.
  redraw() {
    const data = this.host.data(), turns = presents(data) !== this.presents, focused = document.activeElement === this.element;
    this.presents = presents(data);
    if (this.host.window) haveWindow(this.presents);
    for (const [name, holder] of Object.entries(this.areas)) drawControls(holder, data.areas.filter(({ key }) => AREAS[key] === name), this.ui);
    if (turns && focused) this.frame.focus({ preventScroll: true });   // what had it is gone, and keys are heard where the focus is
  }

  // What the controls need; they keep it, and the data changes.
  makeUi() {
    const { page, host } = this;
    return {
      put: (key, value) => page.outbox.put({ model: host.data().model, key }, value),
      pending: (key) => page.outbox.after(host.data()).findLast((gesture) => gesture.key === key)?.value,
      names: () => (controlOf(host.data(), ({ component }) => component === "graph")?.data.scene.shapes ?? []).map(({ title, text }) => title || text),
      mount: (name, root) => this.mounted(name, root),
      submit: () => this.press("Enter"),
      events: page.events,
    };
  }

  mounted(name, root) {
    const { html, css } = PARTS[name];
    root.adoptedStyleSheets = [sheet(css)];
    root.innerHTML = html;   // from parts.py, without any data
    let left = null;
    return {
      draw: (key, sent) => {
        const { model, session, seen } = this.host.data(), data = { ...sent, address: { model, key, session, seen } };
        left = this.page.drawn[name]({ data: name === "graph" ? this.clickable(data) : data, parentElement: root });
      },
      leave: () => Promise.resolve(left).then((leave) => leave?.()),
    };
  }

  // The graph's data with what a click does now.
  clickable(data) {
    const chosen = this.ui.pending("click")?.place;
    return chosen === undefined || !data.click?.modes ? data : { ...data, click: { ...data.click, mode: data.click.modes[chosen] } };
  }

  // --- keys -------------------------------------------------------------------------------------------------------

  // Those of buttons. In a page that is not the Explorer's own, only what is pressed in it.
  pressed(event) {
    const inside = event.composedPath().includes(this.element), at = event.composedPath()[0];
    if (!this.host.window) {
      if (!inside) return;
      this.element.toggleAttribute("data-lm-suppress-shortcuts", !(event.ctrlKey || event.metaKey || event.altKey));
    }
    if (event.repeat || !this.element.isConnected || typing(at)) return;
    const keys = keysOf(event);
    if ((!/Ctrl|Alt/.test(keys) && usesKeys(at, keys)) || !this.press(keys)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // Presses the button that has these keys, if there is one.
  press(keys) {
    const found = controlOf(this.host.data(), (control) => control.keys === keys);
    if (found) this.ui.put(found.key);
    return Boolean(found);
  }

  // --- the theme --------------------------------------------------------------------------------------------------

  // Whether the colours around are others than before. The canvas needs them as plain colours.
  readTheme() {
    const { frame } = this;
    for (const name of COLOURS) frame.style.removeProperty(`--st-${name}`);
    frame.style.removeProperty("color-scheme");
    const probe = element("span"), found = {};
    frame.append(probe);
    for (const name of COLOURS) {
      probe.style.color = `var(--st-${name})`;
      found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    for (const [name, colour] of Object.entries(found)) frame.style.setProperty(`--st-${name}`, colour);
    frame.style.setProperty("color-scheme", isDark(frame) ? "dark" : "light");
    const theme = JSON.stringify(found), changed = theme !== this.theme;
    this.theme = theme;
    return changed && this.begun;
  }

  destroy() {
    const { page, host } = this;
    window.removeEventListener("keydown", this.keys, true);
    page.events.removeEventListener("hm-gesture", this.gestured);
    this.themed();
    this.sized.disconnect();
    page.outbox.disconnect(this.send);
    page.views.delete(this);
    for (const holder of Object.values(this.areas)) drawControls(holder, [], null);
    this.element.remove();
    if (host.window) {
      haveWindow(false);
      if (host.data().location) page.drawn.address({ data: null });
    }
    if (page.views.size) page.views.values().next().value.draw();
    else shared.delete(host.data().session);
  }
}

// Whether something is presented (present.py), which then has the whole window.
function presents(data) {
  return Boolean(controlOf(data, ({ style }) => style?.startsWith("stage ")));
}

// One rem is the smallest text then: 28.8 pixels at 1920 x 1080, 19.2 at 1280 x 720, and what the browser says on a phone.
function haveWindow(on) {
  const root = document.documentElement;
  root.classList.toggle("hm-presents", on);   // a host may have more around it to hide
  root.style.fontSize = on ? "max(100%, min(1.5vw, 2.667vh))" : "";
}

// --- helpers --------------------------------------------------------------------------------------------------------

function controlOf({ areas }, fits) {
  for (const control of areas) {
    const found = fits(control) ? control : control.parts && controlOf({ areas: control.parts }, fits);
    if (found) return found;
  }
  return null;
}

function sheet(text) {
  if (!sheets.has(text)) {
    const made = new CSSStyleSheet();
    made.replaceSync(text);
    sheets.set(text, made);
  }
  return sheets.get(text);
}

// Calls back when what is around may have changed its colours: attributes of the page, a style sheet, or the system's setting.
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
