// Draws the controls of a screen (controls.py) and keeps them: what has the same kind, style and key stays the same element, so that
// focus, scrolling and what is being typed stay. What a person does is a gesture; until Python has answered it is shown on top of the data.
//
// `ui` is the screen's: put(key, value), pending(key) for the value that is on its way, names() of the classes drawn, and mount(component, root).

function drawControls(holder, controls, ui) {
  const before = holder.controls ?? new Map(), now = new Map();
  controls.forEach((control, i) => {
    const name = `${control.kind} ${control.component ?? control.style ?? ""} ${control.key ?? i}`;
    const made = before.get(name) ?? makeControl(control, ui);
    now.set(name, made);
    made.update(control);
    if (made.inner) drawControls(made.inner, control.parts ?? [], ui);
  });
  for (const [name, gone] of before) {
    if (now.has(name)) continue;
    gone.element.remove();
    gone.leave?.();
  }
  let place = holder.firstChild;   // nothing is moved that is in its place: it would lose the focus
  for (const kept of now.values()) {
    if (kept.element === place) place = place.nextSibling;
    else holder.insertBefore(kept.element, place);
  }
  holder.controls = now;
}

const makeControl = (control, ui) => MAKERS[control.kind](control, ui);

const MAKERS = {
  area: ({ key }) => group("div", `area ${key}`),
  row: ({ style }) => group("div", `row ${style ?? ""}`),
  box: ({ style }) => group("div", `box ${style ?? ""}`),
  words: madeWords, formula: madeFormula, switch: madeSwitch, pills: madePills, choice: madeChoice, check: madeCheck, text: madeText,
  number: madeNumber, classes: madeClasses, file: madeFile, button: madeButton, menu: madeMenu, sheet: madeSheet, save: madeSave, picture: madePicture,
  image: madeImage, copy: madeCopy, link: madeLink, component: madeComponent,
};

function group(tag, className) {
  const made = element(tag, className.trim());
  const update = ({ need }) => need && made.style.setProperty("--hm-need", need);   // the height of the drawings of what is presented
  return { element: made, inner: made, update };
}

// --- what is read -------------------------------------------------------------------------------------------------

function madeWords({ style, key }, ui) {
  const made = element(style === "title" ? "h3" : "p", style ?? "");
  if (style === "title" && ui.level) made.setAttribute("aria-level", ui.level);
  if (key) made.dataset.key = key;
  if (style === "error") made.setAttribute("role", "alert");
  return {
    element: made,
    update({ text, help }) {
      setText(made, text);
      made.title = help ?? (style === "line" ? text : "");
    },
  };
}

function madeFormula(control, ui) {
  const made = element("div", "formula"), lit = lightUp(made, ui.events ?? new EventTarget());
  let sent = "";
  const fit = () => {   // set smaller where it is wider than its place
    made.style.fontSize = "";
    if (made.scrollWidth > made.clientWidth) made.style.fontSize = `${0.98 * made.clientWidth / made.scrollWidth}em`;
  };
  const resized = new ResizeObserver(fit);
  resized.observe(made);
  return {
    element: made,
    leave: () => { resized.disconnect(); lit.leave(); },
    update({ formula, terms }) {
      const now = JSON.stringify([formula, terms]);
      if (now === sent) return;
      made.replaceChildren(mathml(formula));
      lit.update(terms ?? {});
      sent = now;
      fit();
    },
  };
}

// The terms of a formula and their classes: who points at a term sees its classes in the drawing (graph/overlay.js), and a class under the
// mouse in the drawing marks its terms. `terms` has words and classes by key. Nothing in a formula can have the focus, so each term has a
// button behind it, for the keyboard, and for screen readers, which read its words. A finger on a term gives the focus to its button.
function lightUp(formula, channel) {
  let known = {}, pointed = null, stops = {};
  const parts = () => [...formula.querySelectorAll("[data-term]")];
  const light = (of) => parts().forEach((part) => part.classList.toggle("lit", of(part.dataset.term)));
  const point = (key) => {
    if (key === pointed) return;
    pointed = key;
    light((each) => each === key);
    channel.dispatchEvent(new CustomEvent("hm-point", { detail: { classes: known[key]?.[1] ?? [], whole: true } }));
  };
  const focused = () => Object.keys(stops).find((key) => stops[key] === formula.getRootNode().activeElement) ?? null;
  const over = ({ detail: { name } }) => { if (pointed === null) light((key) => name !== null && known[key]?.[1].includes(name)); };
  const stop = ([key, [words]]) => {
    const made = element("button", "term", words);
    made.type = "button";
    made.onfocus = () => point(key);
    made.onblur = () => point(null);
    return [key, made];
  };
  channel.addEventListener("hm-over", over);
  return {
    leave: () => { point(null); channel.removeEventListener("hm-over", over); },
    update(terms) {
      point(null);
      known = terms;
      stops = Object.fromEntries(Object.entries(terms).map(stop));
      for (const part of parts()) {
        const key = part.dataset.term;
        if (!(key in stops)) continue;
        part.onmouseenter = () => point(key);
        part.onmouseleave = () => point(focused());
        part.onclick = () => stops[key].focus({ preventScroll: true });
      }
      formula.append(...Object.values(stops));
    },
  };
}

function setText(made, text) {
  if (made.textContent !== text) made.textContent = text;
}

// --- choices ------------------------------------------------------------------------------------------------------

function madeSwitch({ key, label, title, help }, ui) {
  const made = element("div", "switch-line"), buttons = element("div", "switch");
  made.dataset.key = key;
  buttons.setAttribute("role", "radiogroup");
  buttons.setAttribute("aria-label", label);
  if (title) made.append(element("span", "label", label));
  if (title && help) made.append(helpOf(label, help));
  made.append(buttons);
  const fault = faultOf(() => made);
  const choose = (i) => ui.put(key, { place: i, word: buttons.children[i].textContent });   // they may be others soon
  return {
    element: made,
    update(control) {
      const chosen = ui.pending(key)?.place ?? control.value;
      renew(buttons, control.words, "radio");
      [...buttons.children].forEach((button, i, all) => {
        button.setAttribute("aria-checked", String(i === chosen));
        button.tabIndex = i === (chosen ?? 0) ? 0 : -1;
        button.onclick = () => choose(i);
        button.onkeydown = (event) => {
          const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
          if (!step) return;
          event.preventDefault();
          const to = (i + step + all.length) % all.length;
          all[to].focus();
          choose(to);
        };
      });
      buttons.title = control.help ?? "";
      fault(control);
    },
  };
}

function madePills({ key, label }, ui) {
  const made = element("div"), pills = element("div", "pills"), fault = faultOf(() => made);
  made.dataset.key = key;
  pills.setAttribute("role", "group");
  pills.setAttribute("aria-label", label);
  made.append(pills);
  return {
    element: made,
    update(control) {
      const chosen = ui.pending(key) ?? control.values;
      renew(pills, control.words);
      [...pills.children].forEach((button, i) => {
        const on = chosen.includes(i);
        button.setAttribute("aria-pressed", String(on));
        button.onclick = () => ui.put(key, on ? chosen.filter((k) => k !== i) : [...chosen, i]);
      });
      fault(control);
    },
  };
}

function renew(holder, words, role) {
  if (holder.childElementCount !== words.length) {
    holder.replaceChildren(...words.map(() => {
      const button = element("button");
      button.type = "button";
      if (role) button.setAttribute("role", role);
      return button;
    }));
  }
  words.forEach((word, i) => setText(holder.children[i], word));
}

function madeChoice(control, ui) {
  const field = element("select"), { made, about } = labelled(control, field);
  let sent = "";
  field.onchange = () => ui.put(control.key, { place: Number(field.value), word: field.selectedOptions[0].text });
  return {
    element: made,
    update(now) {
      const options = JSON.stringify([now.words, now.empty]);
      if (options !== sent) {
        const none = element("option", "", now.empty ?? "");
        none.value = "";
        none.hidden = true;
        field.replaceChildren(none, ...now.words.map((word, i) => {
          const option = element("option", "", word);
          option.value = String(i);
          return option;
        }));
      }
      sent = options;
      field.value = String(ui.pending(control.key)?.place ?? now.value ?? "");
      about(now);
    },
  };
}

function madeCheck({ key, label }, ui) {
  const made = element("label", "check"), field = element("input");
  made.dataset.key = key;
  field.type = "checkbox";
  field.onchange = () => ui.put(key, field.checked);
  made.append(field, element("span", "", label));
  return {
    element: made,
    update(now) {
      field.checked = ui.pending(key) ?? now.value;
      field.disabled = Boolean(now.disabled);
      made.title = now.help ?? "";
    },
  };
}

// --- fields -------------------------------------------------------------------------------------------------------

// What was typed stays while it is being typed, and while it is refused.
function madeText(control, ui) {
  const several = control.lines > 1, field = element(several ? "textarea" : "input");
  const { made, about } = labelled(control, field);
  let known = null;
  if (several) field.rows = control.lines;
  Object.assign(field, { autocomplete: "off", spellcheck: false });
  const enter = () => {
    if (field.value !== (ui.pending(control.key) ?? known)) ui.put(control.key, field.value);
  };
  field.onchange = enter;
  field.onkeydown = (event) => {
    if (event.key !== "Enter" || (several && !event.ctrlKey && !event.metaKey)) return;
    enter();
    if (!several) ui.submit();
  };
  return {
    element: made,
    update(now) {
      const value = ui.pending(control.key) ?? now.value;
      if (value !== known && (known === null || !now.fault)) field.value = value;
      if (!now.fault) known = value;
      field.disabled = Boolean(now.disabled);
      field.placeholder = now.placeholder ?? "";
      about(now);
    },
  };
}

function madeNumber(control, ui) {
  const field = element("input"), { made, about } = labelled(control, field);
  let known;
  field.type = "number";
  field.onchange = () => {
    const value = field.value === "" ? null : Number(field.value);
    if (value !== known && !Number.isNaN(value)) ui.put(control.key, value);
  };
  return {
    element: made,
    update(now) {
      const pending = ui.pending(control.key), value = pending === undefined ? now.value : pending;
      if (value !== known && !now.fault) field.value = value ?? "";
      if (!now.fault) known = value;
      Object.assign(field, { step: String(now.step), min: now.least ?? "", max: now.most ?? "", placeholder: now.placeholder ?? "" });
      field.disabled = Boolean(now.disabled);
      about(now);
    },
  };
}

function madeClasses(control, ui) {
  const chips = element("div", "chips"), field = element("input"), offered = element("datalist");
  const { made, about } = labelled(control, chips);
  offered.id = `offered-${control.key}`;
  field.setAttribute("list", offered.id);
  field.setAttribute("aria-label", `Add to ${control.label.toLowerCase()}`);
  field.placeholder = "+ class";
  field.autocomplete = "off";
  let values = [];
  const put = (value) => ui.put(control.key, value);
  const add = () => {
    const name = field.value.trim();
    field.value = "";
    if (name && !values.includes(name)) put([...values, name]);
  };
  field.onchange = add;
  field.onkeydown = (event) => {
    if (event.key === "Backspace" && !field.value && values.length) put(values.slice(0, -1));
    if (event.key === "Enter" && !field.value) ui.submit();
  };
  field.onfocus = () => offered.replaceChildren(...ui.names().map((name) => {
    const option = element("option");
    option.value = name;
    return option;
  }));
  chips.append(field, offered);
  return {
    element: made,
    update(now) {
      const value = ui.pending(control.key) ?? now.values;
      if (JSON.stringify(value) !== JSON.stringify(values)) {
        for (const chip of chips.querySelectorAll("button")) chip.remove();
        for (const name of value) {
          const chip = element("button", "", name);
          chip.type = "button";
          chip.setAttribute("aria-label", `Remove ${name}`);
          chip.append(element("span", "", " ✕"));
          chip.onclick = () => put(values.filter((other) => other !== name));
          chips.insertBefore(chip, field);
        }
        values = value;
      }
      about(now);
    },
  };
}

function madeFile(control, ui) {
  const field = element("input"), { made, about } = labelled(control, field), told = element("p", "error");
  field.type = "file";
  told.setAttribute("role", "alert");
  made.append(told);
  field.onchange = async () => {
    const [file] = field.files;
    if (!file) return;
    const { text, fault = "" } = await textOf(file, control.most);
    told.textContent = fault;
    if (!fault) ui.put(control.key, { name: file.name, text });
    field.value = "";
  };
  return {
    element: made,
    update(now) {
      field.accept = now.accept ?? "";
      about(now);
    },
  };
}

async function textOf(file, most) {
  if (file.size > most) return { fault: `${file.name} has ${file.size.toLocaleString("en")} bytes; ${most.toLocaleString("en")} are the most.` };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return { fault: `${file.name} is not text in UTF-8.` };
  }
}

// A field with its label, what is said about it, and why an entry was refused.
function labelled({ key, label, unseen, help }, field) {
  const made = element("div", "field"), name = element("label", unseen ? "unseen" : "label", label);
  made.dataset.key = key;
  field.id = `field-${key}`;
  name.htmlFor = field.id;
  made.append(name);
  if (help) made.append(helpOf(label, help));
  made.append(field);
  return { made, about: faultOf(() => made, field) };
}

function helpOf(label, help) {
  const button = element("button", "help", "?"), text = element("span", "told", help), both = element("span", "helped");
  button.type = "button";
  button.title = help;
  button.setAttribute("aria-label", `About ${label}: ${help}`);
  button.onclick = () => { text.hidden = !text.hidden; };
  text.hidden = true;
  both.append(button, text);
  return both;
}

// Says at the end of a place why an entry was refused.
function faultOf(place, field) {
  const told = element("p", "error");
  told.setAttribute("role", "alert");
  return ({ fault }) => {
    setText(told, fault ?? "");
    if (fault) place()?.append(told); else told.remove();
    field?.setAttribute("aria-invalid", String(Boolean(fault)));
  };
}

// --- buttons ------------------------------------------------------------------------------------------------------

function madeButton({ key, icon }, ui) {
  const made = element("button", icon ? "icon" : "");
  made.type = "button";
  made.dataset.key = key;
  made.onclick = () => ui.put(key);
  const fault = faultOf(() => made.parentElement);   // behind what is beside the button
  return {
    element: made,
    leave: () => fault({}),
    update({ words, keys, help, disabled, primary, pressed, ...now }) {
      setText(made, icon || words);
      made.setAttribute("aria-label", words);
      made.title = [help ?? (icon ? words : ""), keys && `(${keys})`].filter(Boolean).join(" ");
      made.disabled = Boolean(disabled);
      made.classList.toggle("primary", Boolean(primary));
      if (pressed === undefined) made.removeAttribute("aria-pressed"); else made.setAttribute("aria-pressed", String(pressed));
      fault(now);
    },
  };
}

// What opens below a button. It closes by the button, by Escape, and by a press elsewhere.
function madeMenu({ key }, ui) {
  const made = element("div", "menu"), button = element("button", "opens"), content = element("div", "content");
  made.dataset.key = key;
  button.type = "button";
  content.hidden = true;
  content.setAttribute("role", "dialog");
  made.append(button, content);
  let open = false, focused = false;
  const turn = (on) => on !== open && ui.put(key, on);
  const listen = leaving(made, button, () => turn(false));
  button.onclick = () => turn(!open);
  return {
    element: made,
    inner: content,
    leave: () => listen(false),
    update({ words, help, wide, parts, ...now }) {
      const on = ui.pending(key) ?? Boolean(now.open);
      setText(button, words);
      button.title = help ?? "";
      button.setAttribute("aria-expanded", String(on));
      content.setAttribute("aria-label", words);
      content.classList.toggle("wide", Boolean(wide));
      if (on !== open) listen(on);
      open = on;
      content.hidden = !on || !parts;
      if (!on) focused = false;
      requestAnimationFrame(() => {
        if (content.hidden) return;
        keepInWindow(content);
        if (focused) return;
        focused = true;
        content.querySelector("input, select, textarea, button:not(.help)")?.focus({ preventScroll: true });
      });
    },
  };
}

// Calls back, while it listens, for a press elsewhere and for Escape, after which the button has the focus.
function leaving(made, button, leave) {
  const away = (event) => {
    if (event.type === "keydown" ? event.key !== "Escape" : event.composedPath().includes(made)) return;
    leave();
    if (event.type === "keydown") button.focus();
  };
  return (on) => ["pointerdown", "keydown"].forEach((kind) => document[on ? "addEventListener" : "removeEventListener"](kind, away));
}

// Controls side by side, or behind a button where there is no room (explorer.css). That opens and closes in the browser alone: by the
// button, by what is left, by a button in it, and where Python closes a menu in it, for that has done its work.
function madeSheet({ key, words, always }, ui) {
  const made = element("div", `sheet${always ? " always" : ""}`), button = element("button", "opens", words), content = element("div", "content");
  made.dataset.key = key;
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  made.append(button, content);
  let menu = false;
  const turn = (on) => {
    button.setAttribute("aria-expanded", String(on));
    listen(on);
  };
  const listen = leaving(made, button, () => turn(false));
  button.onclick = () => turn(button.getAttribute("aria-expanded") !== "true");
  content.addEventListener("click", ({ target }) => target.parentElement === content && turn(false));
  return {
    element: made,
    inner: content,
    leave: () => listen(false),
    update({ parts }) {
      const turned = parts.map((part) => ui.pending(part.key)), before = menu;
      menu = parts.some((part, i) => turned[i] ?? part.open);
      if (before && !menu && !turned.includes(false)) turn(false);
    },
  };
}

function keepInWindow(content) {
  content.style.translate = "";
  const { left, right } = content.getBoundingClientRect(), room = document.documentElement.clientWidth - 8;
  const by = right > room ? Math.max(room - right, 8 - left) : 0;
  if (by) content.style.translate = `${by}px`;
}

function plainButton(key, act) {
  const made = element("button");
  made.type = "button";
  made.dataset.key = key;
  let now;
  made.onclick = () => act(now);
  return {
    element: made,
    update(control) {
      now = control;
      setText(made, control.words);
      made.title = control.help ?? "";
    },
  };
}

function madeSave({ key }) {
  return plainButton(key, ({ name, type, content }) => handOut(name, new Blob([content], { type })));
}

function madePicture({ key }) {
  return plainButton(key, ({ name, svg, width, height }) => handOutPainted(name, svg, { width, height }));
}

function madeImage({ key }) {
  const made = element("img", "image");
  made.dataset.key = key;
  return { element: made, update: ({ label, address }) => Object.assign(made, { alt: label, src: address }) };
}

function madeCopy(control) {
  const field = element("textarea"), { made } = labelled(control, field);
  field.readOnly = true;
  made.append(copyButton(() => field.value, () => field.select()));
  return {
    element: made,
    update({ content, lines }) {
      field.rows = lines;
      if (field.value !== content) field.value = content;
    },
  };
}

function madeLink() {
  const made = element("a");
  return {
    element: made,
    update({ words, address, help }) {
      setText(made, words);
      made.href = address;
      made.title = help ?? "";
    },
  };
}

// --- components ---------------------------------------------------------------------------------------------------

function madeComponent({ key, component }, ui) {
  const made = element("div", `component ${component}`), root = made.attachShadow({ mode: "open" });
  made.dataset.key = key;
  const { draw, leave } = ui.mount(component, root);
  return { element: made, update: ({ data }) => draw(key, data), leave };
}
