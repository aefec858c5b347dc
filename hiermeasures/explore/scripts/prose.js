// Sets paragraphs of text; what was computed is set apart by its font. Text is only ever set as text.

const TAGS = { title: "h2", question: "h3" };
const WORDS = { words: "span", strong: "strong", stressed: "em" };
const SIGNS = { right: "✓ ", wrong: "✗ " };

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-prose");
  if (data.announced) host.setAttribute("aria-live", "polite"); else host.removeAttribute("aria-live");
  const sent = JSON.stringify(data.paragraphs);
  if (host.sent === sent) return;
  host.sent = sent;
  host.replaceChildren(...data.paragraphs.map(({ look, parts }) => {
    const made = element(TAGS[look] ?? "p", look, SIGNS[look]);
    made.append(...parts.map(([text, kind, says]) => {
      if (says && kind === "words") return term(text, says, made);
      const part = element(WORDS[kind] ?? "code", kind, text);
      if (says) part.title = says;
      return part;
    }));
    return made;
  }));
  if (data.follow) follow(host, ...data.follow);
}

// A term in a paragraph. A press shows its meaning below the paragraph, and another press hides it.
function term(text, meaning, paragraph) {
  const made = element("button", "term", text), shown = element("p", "note", meaning);
  made.type = "button";
  made.title = meaning;
  made.setAttribute("aria-expanded", false);
  made.onclick = () => {
    if (shown.isConnected) shown.remove(); else paragraph.after(shown);
    made.setAttribute("aria-expanded", shown.isConnected);
  };
  return made;
}

// What was pressed is often gone with what it changed, and the focus with it; on a small screen the change is out of sight.
// So the focus goes to the verdict, or to the first paragraph, and as much as fits of what is said comes into view.
function follow(host, about, state) {
  const known = (PAGE.followed ??= {}), before = known[about];
  known[about] = state;
  const paragraph = host.querySelector(".right, .wrong") ?? host.firstElementChild;
  if (before === undefined || before === state || !paragraph) return;
  paragraph.tabIndex = -1;
  paragraph.focus({ preventScroll: true });
  for (const part of [host, paragraph]) part.scrollIntoView({ block: "nearest" });
}
