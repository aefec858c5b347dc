// Draws a confusion matrix as a table (draw/matrix.py). Labels are set as text only. The heads stay in sight while it scrolls in its
// own box. It has one place in the tab order: the arrow keys go from cell to cell, as in the grid pattern of WAI-ARIA.

const HINT = "Click a number to list its instances, or a class to open it.";

function drawComponent({ data: { address, ...data }, parentElement }) {
  const host = parentElement.querySelector(".hm-matrix");
  host.address = address;
  const sent = JSON.stringify(data);
  if (host.sent !== sent) drawMatrix(host, data);
  host.sent = sent;
  markChosenCell(host, outbox.latest(address, "choose")?.key ?? JSON.stringify(data.chosen));
}

function drawMatrix(host, data) {
  const focused = host.getRootNode().activeElement?.closest("[data-key]")?.dataset.key;
  if (!host.box) {
    host.box = element("div", "box wide");
    host.box.onkeydown = (event) => walk(host.box, event);
    const over = ({ target }) => markLines(host, target.closest("td, th"));
    for (const kind of ["mouseover", "focusin"]) host.box.addEventListener(kind, over);
    host.box.onmouseleave = () => markLines(host, null);
    host.legend = element("ul", "legend");
    host.reading = element("p", "reading", HINT);
    host.notes = element("div", "notes");
    host.leads = element("p", "leads");
    host.append(host.leads, host.legend, host.reading, host.box, host.notes);
  }
  const longest = Math.max(...data.cells.map(({ text }) => text.length), ...data.columns.map(({ total }) => total.length));
  host.box.style.setProperty("--cell", `${longest + 1.5}ch`);
  host.box.replaceChildren(tableOf(host, data));
  host.legend.replaceChildren(...data.legend.map(([role, words]) => {
    const item = element("li");
    item.append(element("span", `sample ${role}${role === "right" ? " framed" : ""}`), words);
    return item;
  }));
  const places = data.largest.map(([row, column, words]) => lead(host, [data.rows[row].key, data.columns[column].key], words));
  host.leads.replaceChildren(...(places.length ? [`${data.leads_to}:`, ...places] : []));
  host.notes.replaceChildren(...data.notes.map((note) => element("p", "", note)));
  const grid = [...host.box.querySelectorAll("[data-key]")], place = grid.find(({ dataset }) => dataset.key === focused);
  (place ?? grid[0]).tabIndex = 0;
  place?.focus({ preventScroll: true });
}

function tableOf(host, data) {
  const table = element("table"), head = element("thead"), body = element("tbody");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", data.caption);
  const names = element("tr"), totals = element("tr", "totals");
  names.append(cornerOf(), headOf(host, null, "columns", "total"), ...data.columns.map((column) => headOf(host, column, "columns")));
  totals.append(
    headOf(host, null, "rows", "total"),
    cellOf(host, ["", ""], data.total, `Total: ${data.total}`),
    ...data.columns.map((column) => cellOf(host, ["", column.key], column.total, `Predicted ${column.words}, total: ${column.total}`)));
  head.append(names, totals);
  const cells = new Map(data.cells.map((cell) => [cell.place.join(" "), cell]));
  body.append(...data.rows.map((row, i) => rowOf(host, data, row, (j) => cells.get(`${i} ${j}`))));
  table.append(head, body);
  return table;
}

function rowOf(host, { columns }, row, cellAt) {
  const made = element("tr", row.state === "open" ? "opened" : "");
  made.append(
    headOf(host, row, "rows"),
    cellOf(host, [row.key, ""], row.total, `True ${row.words}, total: ${row.total}`),
    ...columns.map((column, j) => {
      const { text, shade, kind, about, inside } = cellAt(j) ?? {};
      const opened = row.state === "open" || column.state === "open";
      const cell = cellOf(host, [row.key, column.key], text, about);
      cell.classList.toggle("between", opened);
      if (kind) {
        cell.classList.add(...kind.split(" "));
        cell.style.setProperty("--shade", shade);
        cell.classList.toggle("split", Boolean(inside));
        if (inside) cell.style.setProperty("--inside", inside);
      }
      return cell;
    }));
  return made;
}

function cornerOf() {
  const made = element("td", "corner");
  made.append(element("span", "", "true ↓"), " ", element("span", "", "predicted →"));
  return made;
}

function headOf(host, head, axis, words = "") {
  const made = element("th", head ? "" : "of-totals");
  made.scope = axis === "rows" ? "row" : "col";
  if (head === null) {
    made.append(placed(element("span", "", words), `${axis} total`));
    return made;
  }
  made.classList.toggle("special", Boolean(head.special));
  made.title = head.about ?? head.words;
  made.style.setProperty("--depth", head.depth ?? 0);
  const place = placed(element(head.state ? "button" : "span", head.state ?? ""), `${axis} ${head.key}`);
  if (head.state) {
    place.type = "button";
    place.setAttribute("aria-expanded", String(head.state === "open"));
    place.onclick = () => outbox.put(host.address, { kind: "open", axis, key: head.key });
  }
  place.append(element("span", "mark"), element("span", "", head.words));
  made.append(place);
  return made;
}

function cellOf(host, [row, column], text = "", about = "") {
  const made = element("td", row && column ? "" : "of-totals"), there = text && text !== "0";
  const place = placed(element(there ? "button" : "span", "", text), JSON.stringify([row, column]));
  if (there) {
    place.type = "button";
    place.onclick = () => choose(host, row, column);
  }
  if (about) {
    made.title = about;
    place.ariaLabel = about;
  }
  made.append(place);
  return made;
}

function choose(host, row, column) {
  const key = JSON.stringify([row, column]);
  outbox.put(host.address, { kind: "choose", key, row, column });
  events.listExpected = true;   // linked_table.js brings the list into sight when it is drawn
  markChosenCell(host, key);
}

// A button that chooses a cell, which may be out of sight.
function lead(host, [row, column], words) {
  const made = element("button", "", words);
  made.type = "button";
  made.onclick = () => {
    choose(host, row, column);
    host.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  return made;
}

function placed(made, key) {
  made.dataset.key = key;
  made.tabIndex = -1;
  return made;
}

function markChosenCell(host, key) {
  for (const place of host.querySelectorAll("td [data-key]")) {
    place.classList.toggle("chosen", place.dataset.key === key);
    if (place.localName === "button") place.ariaPressed = String(place.dataset.key === key);
  }
}

// Rings the names of the row and the column of a cell, and reads it out above the matrix.
function markLines({ box, reading }, cell) {
  for (const marked of box.querySelectorAll(".over")) marked.classList.remove("over");
  reading.textContent = cell?.title || HINT;
  if (!cell || cell.matches(".corner")) return;
  cell.closest("tbody tr, .totals")?.classList.add("over");
  box.querySelector("tr").cells[cell.cellIndex].classList.add("over");
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function walk(box, event) {
  const here = event.target.closest("td, th"), rows = [...box.querySelectorAll("tr")];
  if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
  const row = rows.indexOf(here.parentElement), column = here.cellIndex;
  const [down, right] = STEPS[event.key] ?? [0, { Home: -column, End: here.parentElement.cells.length - 1 - column }[event.key]];
  const next = rows[row + down]?.cells[column + right]?.querySelector("[data-key]");
  if (right === undefined) return;
  event.preventDefault();
  if (!next) return;
  box.querySelector('[data-key][tabindex="0"]').tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
}
