// Draws the table beside the graph. Labels are set as text only. A row or class under the mouse or the keyboard asks the graph to
// ring its classes and light up its edges, and the class under the mouse on the graph marks its rows here.

const tables = new WeakMap();
const SIDES = ["", "added", "class", "uncounted"];

function drawComponent({ data: { address, ...data }, parentElement }) {
  const host = parentElement.querySelector(".hm-table");
  if (!tables.has(host)) {
    const over = ({ detail }) => mark(host, detail.name);
    events.addEventListener("hm-over", over);
    tables.set(host, { over });
  }
  const state = tables.get(host);
  state.choose = (key, column) => {
    outbox.put(address, { kind: "choose", key, column });
    markChosen(host, key);
  };
  const sent = JSON.stringify(data);
  if (state.sent !== sent) draw(host, data, state);
  state.sent = sent;
  if (events.listExpected && address.key === "systems_list") {
    events.listExpected = false;
    host.style.scrollMarginTop = "9rem";   // for the heading of the list
    host.scrollIntoView({ block: "nearest" });
  }
  markChosen(host, outbox.latest(address, "choose")?.key ?? data.rows.find((row) => row.chosen)?.key);
  return () => { if (!host.isConnected) { events.removeEventListener("hm-over", state.over); point([]); } };
}

function draw(host, data, state) {
  const focused = host.getRootNode().activeElement?.dataset?.key;
  const table = element("table", data.compact ? "compact" : "");
  table.setAttribute("aria-label", data.caption);
  const head = element("tr"), bars = data.columns.filter(({ kind }) => kind === "bars").length;
  head.append(...data.columns.map((column) => {
    const cell = element("th", column.kind);
    fill(cell, column.title);
    if (!cell.textContent) return element("td", column.kind);   // without words it is no heading
    if (column.about) cell.title = column.about;
    if (column.kind === "bars") cell.style.width = `${Math.min(30, 80 / bars)}%`;
    return cell;
  }));
  const top = element("thead"), body = element("tbody");
  top.append(head);
  body.append(...data.rows.map((row) => line(row, data.columns, state)));
  table.append(top, body);
  host.replaceChildren(table, element("p", "", data.note ?? ""));
  point([]);   // a row that goes under the mouse does not say that it was left
  host.classList.toggle("wide", Boolean(data.wide));
  if (data.wide) Object.assign(host, { tabIndex: 0, role: "region", ariaLabel: data.caption });   // the arrow keys scroll it
  bringIntoView(host, body.querySelector("tr.chosen"));
  if (focused) host.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function markChosen(host, key) {
  for (const row of host.querySelectorAll("tr[data-key]")) {
    row.classList.toggle("chosen", row.dataset.key === key);
    row.setAttribute("aria-pressed", String(row.dataset.key === key));
  }
}

// Scrolls the table itself, never the page.
function bringIntoView(host, row) {
  if (!row) return;
  const bottom = row.offsetTop + row.offsetHeight;
  if (bottom > host.scrollTop + host.clientHeight) host.scrollTop = bottom - host.clientHeight / 2;
}

function line(row, columns, state) {
  const made = element("tr");
  Object.assign(made, { classes: row.classes, edges: row.edges });
  made.classList.toggle("chosen", Boolean(row.chosen));
  row.cells.forEach((cell, i) => {
    const box = element("td", columns[i].kind);
    if (cell.share === undefined) fill(box, cell);
    else box.append(shareBar(cell, state));
    made.append(box);
  });
  if (row.key !== undefined) {
    made.dataset.key = row.key;
    made.setAttribute("role", "button");
    made.onclick = ({ target }) => state.choose(row.key, columns[target.closest("td").cellIndex].key);
    made.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      state.choose(row.key);
    };
  }
  if (row.key !== undefined || row.classes.length) made.tabIndex = 0;
  made.onmouseenter = made.onfocus = () => point(row.classes, row.edges);
  made.onmouseleave = made.onblur = () => point([]);
  return made;
}

function fill(box, cell) {
  if (cell.bar) return box.append(bar(cell.bar));
  if (!cell.chips) {
    const look = [cell.strong && "strong", cell.faint && "faint"].filter(Boolean).join(" ");
    box.append(cell.symbol ? symbolElement(cell.symbol) : element("span", look, cell.text));
    if (cell.below) box.append(element("small", "", cell.below));
    if (cell.says) box.title = cell.says;
    return;
  }
  box.append(...cell.chips.map((chip) => {
    if (chip.word !== undefined) return element("span", "word", chip.word);
    const made = element("span", "chip", chip.label), name = chip.name ?? chip.label;
    const [t, p] = chip.mark;
    if (t) made.classList.add("true", `t-${SIDES[t]}`);
    if (p) made.classList.add("predicted", `p-${SIDES[p]}`);
    made.classList.toggle("struck", Boolean(chip.struck));
    made.classList.toggle("strong", Boolean(chip.strong));
    made.dataset.name = name;
    if (chip.name || chip.called) made.title = chip.called ? `${name}: ${chip.called}` : name;
    made.onmouseenter = (event) => { event.stopPropagation(); point([name]); };
    made.onmouseleave = () => { const { classes = [], edges } = made.closest("tr"); point(classes, edges); };
    return made;
  }));
}

// A bar that can be chosen is a button, as long as the cell is wide.
function shareBar({ text, share, good, key, says }, state) {
  const made = element(key === undefined ? "span" : "button", good ? "share good" : "share", text);
  made.style.setProperty("--share", `${100 * share}%`);
  if (says) made.title = made.ariaLabel = says;
  if (key === undefined) return made;
  made.type = "button";
  made.dataset.key = key;
  made.onclick = () => state.choose(key);
  return made;
}

function bar([both, predicted, truth, most]) {
  const made = element("div", "bar");
  for (const [count, side] of [[both, "both"], [predicted, "predicted"], [truth, "true"]]) {
    if (!count) continue;
    const part = element("i", side, String(count));
    part.style.width = `${(100 * count) / most}%`;
    made.append(part);
  }
  return made;
}

function mark(host, name) {
  for (const row of host.querySelectorAll("tbody tr")) {
    const names = new Set([...row.classes, ...[...row.querySelectorAll(".chip")].map((c) => c.dataset.name)]);
    row.classList.toggle("over", name !== null && names.has(name));
  }
}

function point(classes, edges = []) {
  events.dispatchEvent(new CustomEvent("hm-point", { detail: { classes, edges } }));
}
