// Lists the figures by paper and finds among them while a person types: all words have to occur in number, title, topics or paper. The
// field keeps the focus; arrow keys go through the list, Enter opens.

const menus = new WeakMap();

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-figures");
  if (!menus.has(host)) menus.set(host, new Menu(host));
  menus.get(host).show(data);
}

class Menu {
  constructor(host) {
    this.host = host;
    this.active = null;   // the option that Enter opens
    this.field = element("input", "find");
    Object.assign(this.field, { type: "text", placeholder: "Number, title, topic or paper", autocomplete: "off", spellcheck: false });
    this.topics = element("div", "topics");
    this.list = element("div", "list");
    this.none = element("p", "none", "No figure has these words.");
    this.list.id = "figures";
    this.list.tabIndex = -1;
    const said = {
      role: "combobox", "aria-label": "Find a figure", "aria-expanded": "true", "aria-controls": "figures", "aria-autocomplete": "list",
    };
    for (const [name, value] of Object.entries(said)) this.field.setAttribute(name, value);
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Figures");
    this.topics.setAttribute("role", "group");
    this.topics.setAttribute("aria-label", "Topics");
    this.none.setAttribute("role", "status");
    this.field.oninput = () => this.find();
    this.field.onkeydown = (event) => this.key(event);
    host.append(this.field, this.topics, this.none, this.list);
  }

  show(data) {
    const fresh = !this.data;
    const changed = JSON.stringify([data.papers, data.chosen]) !== JSON.stringify([this.data?.papers, this.data?.chosen]);
    this.data = data;
    if (!changed) return;
    this.topics.replaceChildren(...data.topics.map((topic) => this.topic(topic)));
    this.options = [];
    this.list.replaceChildren(...data.papers.map((paper, i) => this.group(paper, i)));
    this.find();
    if (fresh) requestAnimationFrame(() => this.field.focus({ preventScroll: true }));
  }

  topic(topic) {
    const button = element("button", "topic", topic);
    button.type = "button";
    button.onclick = () => {
      this.field.value = this.field.value === topic ? "" : topic;
      this.find();
      this.field.focus({ preventScroll: true });
    };
    return button;
  }

  group({ name, figures }, i) {
    const group = element("div", "group"), heading = element("div", "paper", name);
    heading.id = `paper${i}`;
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", heading.id);
    group.append(heading, ...figures.map((figure) => this.option(figure, name)));
    return group;
  }

  option({ key, title, topics }, paper) {
    const option = element("div", "option", title);
    option.id = `option${this.options.length}`;
    option.setAttribute("role", "option");
    option.append(element("span", "about", topics.join(", ")));
    option.onclick = () => this.open(key);
    option.onpointermove = () => this.activate(option);
    Object.assign(option, { key, words: [title, ...topics, paper].join(" ").toLowerCase() });
    this.options.push(option);
    return option;
  }

  find() {
    const words = this.field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const option of this.options) option.hidden = !words.every((word) => option.words.includes(word));
    for (const group of this.list.children) group.hidden = !group.querySelector(".option:not([hidden])");
    for (const button of this.topics.children) button.setAttribute("aria-pressed", String(button.textContent === this.field.value));
    const found = this.found();
    this.none.hidden = found.length > 0;
    this.list.hidden = !found.length;
    this.activate((!words.length && found.find(({ key }) => key === this.data.chosen)) || found[0] || null, true);
  }

  found() {
    return this.options.filter((option) => !option.hidden);
  }

  activate(option, bring = false) {
    this.active = option;
    for (const each of this.options) each.setAttribute("aria-selected", String(each === option));
    if (option) this.field.setAttribute("aria-activedescendant", option.id); else this.field.removeAttribute("aria-activedescendant");
    if (!bring || !option) return;
    const [box, line] = [this.list.getBoundingClientRect(), option.getBoundingClientRect()];
    if (line.top < box.top + 30 || line.bottom > box.bottom) this.list.scrollTop += line.top - box.top - box.height / 3;
  }

  key(event) {
    const found = this.found(), at = found.indexOf(this.active);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (to !== undefined && found.length) this.activate(found[Math.min(Math.max(to, 0), found.length - 1)], true);
    else if (event.key === "Enter" && this.active) this.open(this.active.key);
    else return;
    event.preventDefault();
  }

  open(key) {
    outbox.put(this.data.address, { kind: "choose", key });
    this.host.getRootNode().host?.closest(".menu")?.querySelector(".opens").focus();
  }
}
