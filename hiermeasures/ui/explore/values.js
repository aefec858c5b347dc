// Draws the table of values and reports which measure was chosen. Rows are kept across reruns, so focus and scroll stay.

const tables = new WeakMap();

export default function ({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-values");
  const shape = JSON.stringify(data.families.map((f) => f.rows.map((r) => r.key)));
  let table = tables.get(host);
  if (table?.shape !== shape) {
    table = { shape, rows: build(host, data.families) };
    tables.set(host, table);
  }
  host.classList.toggle("pinned", data.pinned);
  for (const row of data.families.flatMap((family) => family.rows)) {
    const cells = table.rows.get(row.key);
    fill(cells, row);
    cells.button.onclick = () => {
      outbox.put(data.address.component, "choose", { key: row.key });
      markChosen(host, table, row.key);
    };
  }
  markChosen(host, table, outbox.latest(data.address, "choose")?.key ?? data.chosen);
}

function markChosen(host, table, chosen) {
  for (const [key, { button }] of table.rows) button.setAttribute("aria-pressed", String(key === chosen));
  if (table.chosen !== chosen) bringIntoView(host, table.rows.get(chosen)?.button);
  table.chosen = chosen;
}

// Scrolls the table itself, never the page, and only where the row cannot be seen.
function bringIntoView(host, row) {
  if (!row) return;
  const [box, line] = [host.getBoundingClientRect(), row.getBoundingClientRect()];
  if (line.top < box.top || line.bottom > box.bottom) host.scrollTop += line.top - box.top - (box.height - line.height) / 2;
}

function build(host, families) {
  const rows = new Map();
  const columns = element("div", "columns");
  columns.append(...halves(families).map((half) => column(half, rows)));
  host.replaceChildren(families.length ? columns : element("p", "", "No measure has these words in its name."));
  return rows;
}

function column(families, rows) {
  const made = element("div");
  made.append(...families.map((family) => {
    const section = element("section");
    const heading = element("h3", "", family.title);
    heading.title = family.about;
    section.append(heading, ...family.rows.map((row) => {
      const cells = {
        button: element("button"), symbol: element("span", "symbol"), bar: element("span", "bar"), share: element("i"),
        value: element("span", "value"), better: element("span", "better"), before: element("b"),
        change: element("span", "change"), word: element("span", "word"),
      };
      cells.symbol.append(...row.symbol.map(([text, style]) => element("span", style, text)));
      cells.bar.append(cells.share, cells.before);
      cells.button.type = "button";
      cells.button.dataset.key = row.key;
      cells.button.append(cells.symbol, cells.bar, cells.value, cells.better, cells.change, cells.word);
      rows.set(row.key, cells);
      return cells.button;
    }));
    return section;
  }));
  return made;
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

function fill({ button, bar, share, before, value, better, change, word }, row) {
  const pinned = row.moved !== undefined;
  value.textContent = row.value;
  better.textContent = row.better === "higher" ? "▲" : "▼";
  better.title = row.better === "higher" ? "higher is better" : "lower is better";
  bar.classList.toggle("none", row.share === null);
  share.style.width = percent(row.share);
  before.hidden = (row.before_share ?? null) === null;
  before.style.left = percent(row.before_share);
  change.textContent = row.change ?? "";
  word.textContent = row.word ?? "";
  word.className = `word ${row.word ?? ""}`;
  button.title = [`${row.name}. ${row.about}`, `Exactly: ${row.exact}.`, ...(pinned ? [`Pinned: ${row.before}; ${row.moved}.`] : [])].join("\n");
  button.setAttribute("aria-label", `${row.name}: ${row.value}, ${pinned ? row.moved : better.title}`);
}

function percent(share) {
  return `${100 * Math.min(1, Math.max(0, share ?? 0))}%`;
}
