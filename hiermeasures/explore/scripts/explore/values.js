// Draws the table of values and reports which measure was chosen and which were starred. One row is reached by the tab key, the
// others from there by the arrow keys. Rows are kept across reruns, so focus and scroll stay.

const FADE = 20;   // pixels at the lower edge of the table in which a row is hardly seen (values.css)
const DIRECTION_WORDS = "▲ higher is better · ▼ lower is better", STAR_WORDS = "☆ list it with the main measures";
const tables = new WeakMap();

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-values");
  const families = familiesWith(data), shape = JSON.stringify([data.short, Object.keys(data.rows)]);
  let table = tables.get(host);
  if (!table) tables.set(host, table = newTable(host, parentElement.querySelector(".told")));
  const rebuilt = table.shape !== shape;
  if (rebuilt) rebuild(host, table, data.short ? [{ rows: families.flatMap((family) => family.rows) }] : families, shape);
  const stars = withStar(data), moved = table.pinned !== data.pinned;
  table.pinned = data.pinned;
  host.classList.toggle("pinned", data.pinned);
  host.classList.toggle("short", data.short);
  host.classList.toggle("quiet", data.quiet);
  table.quiet = data.quiet;
  host.classList.toggle("printed", data.printed && !data.typing && !data.pinned);
  host.classList.toggle("typing", data.typing && !data.pinned);
  for (const row of families.flatMap((family) => family.rows)) {
    const cells = table.rows.get(row.key);
    fill(cells, { ...row, ...data.rows[row.key] });
    showStar(cells.star, row.name, stars.has(row.key));
    cells.button.onclick = () => {
      outbox.put(data.address, { kind: "choose", key: row.key });
      markChosen(host, table, row.key);
      tell(table, cells.button);
    };
    cells.print.onchange = () => outbox.put(data.address, { kind: "print", key: row.key, text: cells.print.value });
    cells.star.onclick = () => {
      const on = cells.star.getAttribute("aria-pressed") !== "true";
      outbox.put(data.address, { kind: "star", key: row.key, on });
      showStar(cells.star, row.name, on);
      tell(table, cells.star);
    };
  }
  markChosen(host, table, outbox.latest(data.address, "choose")?.key ?? data.chosen, rebuilt || moved);
  tell(table, host.querySelector("button:hover") ?? table.told.at);
}

function newTable(host, line) {
  const table = { shape: null, rows: new Map(), chosen: null, pinned: null, told: { line, at: null } };
  host.addEventListener("keydown", (event) => walk(host, event));
  host.addEventListener("focusin", ({ target }) => {
    if (target.dataset.key) reachable(table, target.dataset.key);
    tell(table, target);
  });
  host.addEventListener("focusout", () => tell(table, null));
  host.addEventListener("pointerover", ({ target }) => tell(table, target.closest("button")));
  host.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && tell(table, null));
  new ResizeObserver(() => bringIntoView(host, table.rows.get(table.chosen)?.button)).observe(host);
  return table;
}

function rebuild(host, table, families, shape) {
  const focused = host.getRootNode().activeElement;
  const key = host.contains(focused) ? focused.dataset.key ?? focused.dataset.star : null;
  Object.assign(table, { shape, rows: build(host, families) });
  if (key) (table.rows.get(key) ?? table.rows.values().next().value)?.button.focus();
}

// The families of which the data has rows, with these rows only; a person's own measures before all.
function familiesWith({ rows, own }) {
  const shown = [...(own ? [own] : []), ...FAMILIES].map((family) => ({ ...family, rows: family.rows.filter(({ key }) => key in rows) }));
  return shown.filter((family) => family.rows.length);
}

// Which measures have a star, with what Python does not know of yet.
function withStar({ starred, address }) {
  const keys = new Set(starred);
  for (const { key, value } of outbox.after(address)) {
    if (key === address.key && value.kind === "star") keys[value.on ? "add" : "delete"](value.key);
  }
  return keys;
}

function markChosen(host, table, chosen, moved = false) {
  for (const [key, { button }] of table.rows) button.setAttribute("aria-pressed", String(key === chosen));
  const changed = table.chosen !== chosen;
  table.chosen = chosen;
  if (changed || moved) {
    reachable(table, chosen);
    bringIntoView(host, table.rows.get(chosen)?.button);
  }
}

// What the symbols mean, in the line below the table, for those who cannot let a mouse rest on them: those of the row or the star
// that has the mouse or the focus, or was tapped; else those of all rows.
function tell(table, at) {
  const { told } = table, row = table.rows.get(at?.dataset.key);
  told.at = at?.isConnected ? at : null;
  if (told.at?.dataset.star) told.line.replaceChildren(at.title);
  else if (told.at && row) told.line.replaceChildren(element("b", "", row.name.textContent), ` · ${row.better.textContent} ${row.better.title}`);
  else told.line.replaceChildren([...(table.pinned ? [] : [DIRECTION_WORDS]), ...(table.quiet ? [] : [STAR_WORDS])].join(" · "));
}

// The one row that the tab key reaches.
function reachable(table, key) {
  const reached = table.rows.has(key) ? key : table.rows.keys().next().value;
  for (const [each, { button }] of table.rows) button.tabIndex = each === reached ? 0 : -1;
}

// The arrow keys: up and down from row to row, right to its star and left again.
function walk(host, event) {
  const at = event.target.closest("button");
  const rows = [...host.querySelectorAll(".row")], place = rows.indexOf(at?.parentElement);
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }[event.key];
  const aside = { ArrowRight: ".star", ArrowLeft: "[data-key]" }[event.key];
  if (place < 0 || (to === undefined && !aside)) return;
  event.preventDefault();
  const next = aside ? rows[place].querySelector(aside) : rows[Math.min(Math.max(to, 0), rows.length - 1)].querySelector("[data-key]");
  next.focus({ preventScroll: true });
  bringIntoView(host, next);
}

// Scrolls the table itself, never the page, and only where the row cannot be seen.
function bringIntoView(host, row) {
  if (!row) return;
  const [box, line] = [host.getBoundingClientRect(), row.getBoundingClientRect()];
  if (line.top < box.top || line.bottom > box.bottom - FADE) host.scrollTop += line.top - box.top - (box.height - line.height) / 2;
}

function build(host, families) {
  const rows = new Map();
  const columns = element("div", "columns");
  columns.setAttribute("role", "toolbar");
  columns.setAttribute("aria-label", "Measures");
  columns.setAttribute("aria-orientation", "vertical");
  columns.append(...halves(families).filter((half) => half.length).map((half) => column(half, rows)));
  host.replaceChildren(families.length ? columns : element("p", "", "No measure has these words in its name."));
  return rows;
}

function column(families, rows) {
  const made = element("div");
  made.append(...families.map((family) => {
    const section = element("section");
    const heading = element("h3", "", family.title);
    heading.title = family.about;
    section.append(...(family.title ? [heading] : []), ...family.rows.map((row) => {
      const cells = cellsOf(row);
      rows.set(row.key, cells);
      const line = element("div", "row");
      line.append(cells.button, cells.print, cells.mark, cells.star);
      return line;
    }));
    return section;
  }));
  return made;
}

// The parts of a row. What is read aloud is the name, the value and what it means; symbol and arrow are for the eye.
function cellsOf(row) {
  const cells = {
    button: element("button"), symbol: symbolElement(row.symbol), name: element("span", "name", row.name),
    bar: element("span", "bar"), share: element("i"), value: element("span", "value"), better: element("span", "better"),
    paper: element("span", "paper"), before: element("b"), change: element("span", "change"), step: element("span"), word: element("span", "word"), spoken: element("span", "spoken"),
    star: element("button", "star"), print: element("input", "print"), mark: element("span", "mark"),
  };
  cells.print.setAttribute("aria-label", `${row.name}, as printed`);
  cells.print.maxLength = 200;
  for (const name of ["symbol", "bar", "better", "paper", "change", "step", "word"]) cells[name].setAttribute("aria-hidden", "true");
  cells.bar.append(cells.share, cells.before);
  cells.button.type = cells.star.type = "button";
  cells.button.dataset.key = cells.star.dataset.star = row.key;
  cells.star.tabIndex = -1;
  const { symbol, name, bar, step, value, better, paper, change, word, spoken } = cells;
  cells.button.append(symbol, name, bar, step, value, better, paper, change, word, spoken);
  return cells;
}

function showStar(star, name, on) {
  star.textContent = on ? "★" : "☆";
  star.setAttribute("aria-pressed", String(on));
  star.setAttribute("aria-label", `Star ${name}`);
  star.title = on ? "Starred: listed with the core" : "List with the core";
}

// The families in two columns of nearly equal height, each in the families' order.
function halves(families) {
  const height = (chosen) => chosen.reduce((sum, family) => sum + family.rows.length + 1.5, 0);
  let best = [families, []];
  for (let set = 0; set < 2 ** (families.length - 1); set++) {
    const left = families.filter((_, i) => i === 0 || !(set >> (i - 1) & 1));
    const right = families.filter((family) => !left.includes(family));
    if (Math.max(height(left), height(right)) < Math.max(...best.map(height))) best = [left, right];
  }
  return best;
}

const PRINTED_MARKS = { match: " ✓", by_criterion: " ✓", explained: " ≠", conjectured: " ≠", unexplained: " ?", changed: "" };

function fill({ button, bar, share, before, value, better, paper, print, mark, change, step, word, spoken }, row) {
  const pinned = row.moved !== undefined;
  const direction = row.better === "higher" ? "higher is better" : "lower is better";
  value.textContent = row.value;
  better.textContent = row.better === "higher" ? "▲" : "▼";
  better.title = direction;
  bar.classList.toggle("none", row.share === null);
  share.style.width = percent(row.share);
  before.hidden = (row.before_share ?? null) === null;
  before.style.left = percent(row.before_share);
  paper.textContent = row.printed ? `${row.printed}${PRINTED_MARKS[row.status]}` : "";
  if (print.getRootNode().activeElement !== print) print.value = row.typed ?? "";
  mark.textContent = row.typed === undefined ? "" : ["match", "by_criterion"].includes(row.status) ? "✓" : "≠";
  mark.title = row.paper ?? "";
  paper.className = `paper ${row.status ?? ""}`;
  change.textContent = row.change ?? "";
  step.textContent = row.step ?? "";   // the last click's
  step.className = `step ${row.step_word ?? ""}`;
  word.textContent = row.word ?? "";
  word.className = `word ${row.word ?? ""}`;
  spoken.textContent = `${row.step ? `, ${row.step}, ${row.step_word}` : ""}, ${pinned ? row.moved : direction}${row.paper && !pinned ? `. ${row.paper}` : ""}`;
  button.title = [
    `${row.name}. ${row.about}`, `Exactly: ${row.exact}.`, ...(pinned ? [`Pinned: ${row.before}; ${row.moved}.`] : []), ...(row.paper ? [row.paper] : []),
  ].join("\n");
}

function percent(share) {
  return `${100 * Math.min(1, Math.max(0, share ?? 0))}%`;
}
