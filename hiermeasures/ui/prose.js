// Sets paragraphs of text; what was computed is set apart by its font. Text is only ever set as text.

const TAGS = { title: "h2", question: "h3" };
const SIGNS = { right: "✓ ", wrong: "✗ " };

export default function ({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-prose");
  if (data.announced) host.setAttribute("aria-live", "polite"); else host.removeAttribute("aria-live");
  const sent = JSON.stringify(data.paragraphs);
  if (host.sent === sent) return;
  host.sent = sent;
  host.replaceChildren(...data.paragraphs.map(({ look, parts }) => {
    const made = element(TAGS[look] ?? "p", look, SIGNS[look]);
    made.append(...parts.map(([text, kind, says]) => {
      const part = element(kind === "words" ? "span" : "code", kind, text);
      if (says) part.title = says;
      return part;
    }));
    return made;
  }));
}
