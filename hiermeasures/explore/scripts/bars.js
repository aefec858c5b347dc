// Answers as bars, each with its number; what is right has a sign, once that is told. Words are only ever set as text.

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-bars"), sent = JSON.stringify(data);
  if (host.sent === sent) return;
  host.sent = sent;
  host.setAttribute("aria-label", data.caption);
  host.replaceChildren(...data.bars.map(({ words, number, share, right }) => {
    const made = element("li", right ? "right" : ""), bar = element("span", "bar");
    bar.style.setProperty("--share", share);
    made.append(element("span", "words", `${right ? "✓ " : right === false ? "✗ " : ""}${words}`), bar, element("span", "number", String(number)));
    return made;
  }));
}
