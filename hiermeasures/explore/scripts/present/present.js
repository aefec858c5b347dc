// Draws what stands above and below the drawings of a presentation, and hears its keys. What is hidden has not come from Python. The
// guesses of a class are kept here only, for as long as the page is open.

const VEIL = "▒▒▒▒";
const WORDS = { better: "better", same: "the same", worse: "worse" };
const votes = new Map();   // by what is shown and measure
const KEYS = {
  Enter: ["reveal", {}], a: ["all", {}], ArrowRight: ["go", { by: 1 }], PageDown: ["go", { by: 1 }],
  ArrowLeft: ["go", { by: -1 }], PageUp: ["go", { by: -1 }], Escape: ["leave", {}],
};
let current = null;   // what hears keys

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-present");
  const put = (kind, value = {}) => outbox.put(data.address, { kind, ...value });
  if (data.head) head(host, data.head, put);
  else if (data.rows) rows(host, data.rows, put);
  else {
    tools(host, data.tools, put);
    if (!current) document.addEventListener("keydown", pressed);
    current = { host, put, code: data.tools.code };
  }
  return () => {
    if (host.isConnected || current?.host !== host) return;
    document.removeEventListener("keydown", pressed);
    current = null;
  };
}

// --- keys -------------------------------------------------------------------------------------------------------

function pressed(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, at = event.composedPath()[0];
  const cell = current?.host.getRootNode().host?.closest(".cell");   // in a page that is not the Explorer's own
  if (!current?.host.isConnected || (cell && !event.composedPath().includes(cell)) || !KEYS[key] || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (holdsKey(at, event.key)) return;
  event.preventDefault();
  if (key === "Escape" && current.code) return current.put("code", { open: false });
  current.put(...KEYS[key]);
}

// Fields have keys of their own, and Enter presses a button.
function holdsKey(at, key) {
  const field = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName ?? "") || at.getAttribute?.("role") === "application";
  return (field && key !== "Escape") || (key === "Enter" && at.closest?.("button, a, summary"));
}

// --- above the drawings -----------------------------------------------------------------------------------------

function head(host, { title, place }, put) {
  const made = element("div", "head"), leave = button("✕", () => put("leave"));
  leave.setAttribute("aria-label", "Leave (Escape)");
  leave.title = "Leave (Escape)";
  made.append(element("h2", "", title), element("span", "place", place), leave);
  redraw(host, made);
}

// --- below them -------------------------------------------------------------------------------------------------

function rows(host, data, put) {
  const made = element("div", "said");
  const said = data.about.length ? data.about : [data.question].filter(Boolean), words = element("div", "words");
  words.append(...said.map((text) => element("p", data.about.length ? "about" : "question", text)));
  if (said.length) made.append(words);
  const list = element("ul", data.votes ? "rows voted" : "rows");
  list.append(...data.rows.map((row) => line(host, row, data, put)));
  made.append(list);
  redraw(host, made);
}

function line(host, row, data, put) {
  const made = element("li", "row"), symbol = element("span", "symbol"), values = element("span", "values");
  symbol.append(...row.symbol.map(symbolPart));
  symbol.title = row.name;
  symbol.setAttribute("aria-label", row.name);
  symbol.setAttribute("role", "img");
  row.values.forEach((value, k) => {
    if (k) values.append(element("span", "arrow", "→"));
    values.append(value === null ? veiled(row, k, data, put) : element("span", "value", value));
  });
  made.dataset.key = row.key;
  made.append(symbol, values);
  if (data.votes) made.append(ballot(host, row, data, put));
  return made;
}

function symbolPart([text, how]) {
  const [style, moved] = how.split(" ");
  return element({ sub: "sub", sup: "sup" }[moved] ?? "span", style, text);
}

function veiled(row, k, data, put) {
  const made = button(VEIL, () => put("reveal", { item: row.key }));
  made.className = "value veiled";
  made.setAttribute("aria-label", `Reveal ${row.key}${data.captions[k] ? `, ${data.captions[k]}` : ""}`);
  return made;
}

// The three guesses; once the values are there, which was right.
function ballot(host, row, data, put) {
  const made = element("span", "votes"), key = `${data.key}|${row.key}`;
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", `${row.key}: better, the same or worse?`);
  if (row.word === "undefined") made.append(element("span", "undefined", "not defined"));
  else for (const [word, words] of Object.entries(WORDS)) {
    const chosen = votes.get(key) === word, right = row.word === word;
    const mark = !row.word ? "" : right ? "✓" : chosen ? "✗" : "";
    const vote = button(words, () => {
      if (chosen) votes.delete(key); else votes.set(key, word);
      rows(host, data, put);
    });
    vote.setAttribute("aria-pressed", String(chosen));
    vote.dataset.word = word;
    vote.setAttribute("aria-label", `${row.key}: ${words} ${mark}`.trim());
    if (mark) vote.append(element("span", "mark", mark));
    vote.classList.toggle("right", right);
    vote.disabled = Boolean(row.word);
    made.append(vote);
  }
  return made;
}

function tools(host, data, put) {
  const made = element("div", "tools");
  if (data.hides && data.hidden.length) made.append(keyed("reveal one", "⏎", () => put("reveal")), keyed("reveal all", "A", () => put("all")));
  else if (data.hides) made.append(button("hide again", () => put("hide")));
  if (data.steps || data.turns) {
    const place = data.step ? `step ${data.step} of ${data.steps}` : data.steps ? `${data.steps} steps` : "";
    const back = button("←", () => put("go", { by: -1 })), next = button("→", () => put("go", { by: 1 }));
    back.setAttribute("aria-label", "Back");
    next.setAttribute("aria-label", "Next");
    made.append(back, ...(place ? [element("span", "step", place)] : []), next);
  }
  made.append(element("span", "gap"));
  if (data.shared) made.append(button("QR code ▣", () => put("code", { open: true })), button("copy link", copy(put)));
  if (data.code) made.append(code(data.code, put));
  redraw(host, made);
}

// Where the browser lets no page copy, the link is shown to be taken by hand.
const copy = (put) => async (event) => {
  const at = event.currentTarget;
  try {
    await navigator.clipboard.writeText(location.href);
    at.textContent = "copied";
  } catch {
    put("code", { open: true });
  }
};

function code({ link, image, note, choices = [] }, put) {
  const made = element("dialog", "code");
  made.open = true;
  made.setAttribute("aria-label", "QR code of this page");
  if (image) {
    const picture = element("img");
    picture.src = image;
    picture.alt = `QR code of ${link}`;
    made.append(picture);
  }
  if (link) {
    const address = element("p", "link", link);
    address.tabIndex = 0;   // a long one scrolls
    made.append(address);
  }
  if (note) made.append(element("p", "note", note));
  const addresses = element("div", "addresses");
  for (const { host, words, chosen } of choices) {
    const choose = button(words, () => put("code", { open: true, host }));
    choose.setAttribute("aria-pressed", String(chosen));
    addresses.append(choose);
  }
  made.append(addresses, keyed("close", "Esc", () => put("code", { open: false })));
  return made;
}

// --- helpers ----------------------------------------------------------------------------------------------------

function button(text, act) {
  const made = element("button", "", text);
  made.type = "button";
  made.onclick = act;
  made.onmousedown = (event) => event.preventDefault();   // the mouse leaves the keys to the page
  return made;
}

function keyed(text, key, act) {
  const made = button(text, act);
  made.append(element("kbd", "", key));
  return made;
}

// The button that has the focus keeps it where there is one of its name afterwards.
function redraw(host, made) {
  const nameOf = (at) => at?.getAttribute("aria-label") ?? at?.textContent;
  const focused = host.contains(host.getRootNode().activeElement) ? nameOf(host.getRootNode().activeElement) : null;
  host.replaceChildren(made);
  if (focused) [...host.querySelectorAll("button")].find((each) => nameOf(each) === focused)?.focus();
}
