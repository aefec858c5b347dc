// What a page holds, and a field that finds in it while a person types: all words have to occur in an entry, and entries that have them
// in their title come first. While nothing is typed the parts of the page are listed. An entry leads to a place of the page, or Python
// is told its key; so it is for links in the page's own HTML that say a key.

const typed = (PAGE.typed ??= {});   // by page: it is still there when a person comes back
const MOST_FOUND = 50;

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-contents");
  host.data = data;
  if (!host.field) makeField(host);
  listContents(host);
  const follow = (event) => {
    const link = event.target.closest?.("a[data-leads]");
    if (link && plain(event)) choose(host, link.dataset.leads);
  };
  document.addEventListener("click", follow);
  return () => document.removeEventListener("click", follow);
}

function makeField(host) {
  const { name, label } = host.data;
  host.field = Object.assign(element("input"), { type: "search", placeholder: label, autocomplete: "off", spellcheck: false });
  host.field.setAttribute("aria-label", label);
  host.field.value = typed[name] ?? "";
  host.field.oninput = () => {
    typed[name] = host.field.value;
    listContents(host);
  };
  host.field.onkeydown = ({ key }) => {
    if (key === "Enter" && host.field.value) host.list.querySelector("a")?.click();
  };
  host.told = element("p");
  host.told.setAttribute("role", "status");
  host.list = element("ul");
  host.append(host.field, host.told, host.list);
}

function listContents(host) {
  const { parts, entries } = host.data, words = host.field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? entriesWith(entries, words) : parts;
  host.told.textContent = !words.length ? "" : found.length ? `${found.length} found` : "Nothing here has these words.";
  host.list.replaceChildren(...found.slice(0, MOST_FOUND).map((entry) => {
    const item = element("li"), link = element("a");
    link.href = entry.address || `#${entry.to}`;
    link.onclick = (event) => {
      if (!plain(event)) return;
      if (entry.key) choose(host, entry.key);
      else goTo(entry);
    };
    link.append(element("span", "title", entry.title), element("span", "about", entry.about));
    item.append(link);
    return item;
  }));
}

function entriesWith(entries, words) {
  const have = (text) => words.every((word) => text.toLowerCase().includes(word));
  const found = entries.filter(({ title, about, text }) => have(`${title} ${about} ${text}`));
  return [...found.filter(({ title }) => have(title)), ...found.filter(({ title }) => !have(title))];
}

// A click that is not meant to open another tab; the browser is not to follow it.
function plain(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return false;
  event.preventDefault();
  return true;
}

function choose(host, key) {
  outbox.put(host.data.address, { kind: "choose", key });
  typed[host.data.name] = host.field.value = "";
  listContents(host);
}

async function goTo({ to, inside }) {
  const fold = inside && document.querySelector(`.st-key-${CSS.escape(inside)} details`);
  if (fold && !fold.open) fold.querySelector("summary").click();
  const place = () => document.querySelector(`.st-key-${CSS.escape(to)}, #${CSS.escape(to)}`);
  for (let frame = 0, still = 0, top; frame < 180 && still < 15; frame++) {   // what is unfolded takes a while to get its size
    await new Promise(requestAnimationFrame);
    place()?.style.setProperty("scroll-margin-top", "4.5rem");
    place()?.scrollIntoView();
    const now = place()?.getBoundingClientRect().top;
    still = now !== undefined && now === top ? still + 1 : 0;
    top = now;
  }
  const target = Object.assign(place() ?? {}, { tabIndex: -1 });
  target.style?.setProperty("outline", "none");
  target.focus?.({ preventScroll: true });
  target.animate?.([{ boxShadow: "0 0 0 3px currentColor" }, { boxShadow: "0 0 0 3px transparent" }], 2000);
}
