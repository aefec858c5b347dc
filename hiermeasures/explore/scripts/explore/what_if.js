// Draws the table of edits. A row that the mouse or the keyboard is on asks the graph to show what it would make of the drawing; a
// click on it does the edit, its question mark asks why. One edit is reached by the tab key, the others from there by arrow keys.

const tables = new WeakMap();

function drawComponent({ data: { address, ...data }, parentElement }) {
  const host = parentElement.querySelector(".hm-what-if");
  if (!tables.has(host)) tables.set(host, {});
  const state = tables.get(host);
  state.put = (kind, row) => {
    outbox.put(address, { kind, ...row.edit });
    if (kind === "do") preview(null);
  };
  const sent = JSON.stringify(data);
  if (state.sent !== sent) draw(host, data, state);
  state.sent = sent;
  return () => { if (!host.isConnected) preview(null); };
}

function draw(host, data, state) {
  const focused = host.getRootNode().activeElement;
  const place = focused?.matches(":focus-visible") && host.contains(focused) ? [focused.dataset.edit, focused.className] : null;
  const table = element("table");
  table.setAttribute("aria-label", "Edits of one class, with their effects on the measures");
  const head = element("tr");
  head.append(heading("click", "An edit of one class: + adds it, − removes it, → replaces it by another."));
  head.append(...data.columns.map((column) => {
    const made = heading(column.title, column.about);
    if (column.symbol) made.replaceChildren(symbolElement(column.symbol));
    made.classList.add("number");
    made.classList.toggle("chosen", column.chosen);
    return made;
  }), heading("why", ""));
  const top = element("thead"), body = element("tbody");
  top.append(head);
  body.append(...data.rows.map((row) => line(row, data, state)));
  table.append(top, body);
  table.hidden = !data.rows.length;
  host.replaceChildren(table, element("p", "", data.note));
  host.onkeydown = (event) => walk(host, event);
  reachable(host, host.querySelector("button"));
  if (place) (host.querySelector(`button[data-edit="${CSS.escape(place[0])}"].${place[1]}`) ?? host.querySelector("button"))?.focus();
  else preview(null);
}

function heading(text, about) {
  const made = element(text ? "th" : "td", "", text);
  if (about) made.title = about;
  if (text) made.scope = "col";
  return made;
}

function line(row, { columns, meanings }, state) {
  const made = element("tr");
  const doIt = element("button", "do", row.name), why = element("button", "why", "?");
  for (const button of [doIt, why]) {
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.edit = JSON.stringify(row.edit);
    button.onfocus = () => { reachable(made.closest(".hm-what-if"), button); preview(row); };
    button.onblur = () => preview(null);
  }
  doIt.title = row.classes.join(" → ");
  why.setAttribute("aria-label", `Why, ${row.name}`);
  why.onclick = (event) => { event.stopPropagation(); state.put("why", row); };
  made.onclick = () => state.put("do", row);
  made.onmouseenter = () => preview(row);
  made.onmouseleave = () => preview(null);
  const first = element("th", "edit");
  first.scope = "row";
  first.append(doIt, element("span", "about", row.about), ...(row.remark ? [element("p", "remark", row.remark)] : []));
  made.append(first, ...row.cells.map((cell, i) => {
    const box = element("td", `number ${cell.word}`, cell.text);
    box.title = `${columns[i].title} ${columns[i].before} → ${cell.after}, ${meanings[cell.word]}`;
    box.classList.toggle("chosen", columns[i].chosen);
    return box;
  }));
  const last = element("td");
  last.append(why);
  made.append(last);
  return made;
}

// The classes that an edit changes, each on its side; none ends the preview.
function preview(row) {
  const edits = row ? row.classes.map((name) => ({ name, side: row.edit.side })) : [];
  events.dispatchEvent(new CustomEvent("hm-preview", { detail: { edits } }));
  events.dispatchEvent(new CustomEvent("hm-point", { detail: { classes: row ? row.classes : [] } }));
}

function reachable(host, button) {
  for (const each of host.querySelectorAll("button")) each.tabIndex = each === button ? 0 : -1;
}

function walk(host, event) {
  const at = event.target.closest("button"), row = at?.closest("tr");
  const rows = [...host.querySelectorAll("tbody tr")], place = rows.indexOf(row);
  const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: rows.length - 1 }[event.key];
  const aside = { ArrowRight: ".why", ArrowLeft: ".do" }[event.key];
  if (place < 0 || (to === undefined && !aside)) return;
  event.preventDefault();
  const next = rows[Math.min(Math.max(to ?? place, 0), rows.length - 1)];
  next.querySelector(aside ?? `.${at.className}`).focus({ preventScroll: true });
  const box = host.getBoundingClientRect(), lines = next.getBoundingClientRect(), top = box.top + host.querySelector("thead").offsetHeight;
  if (lines.top < top) host.scrollTop -= top - lines.top;
  else if (lines.bottom > box.bottom) host.scrollTop += lines.bottom - box.bottom;
}
