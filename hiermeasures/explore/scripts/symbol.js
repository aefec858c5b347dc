// A measure's symbol: pieces of text, each with a style (symbol.css).
function symbolElement(pieces) {
  const made = element("span", "symbol");
  made.append(...pieces.map(([text, style]) => element("span", style, text)));
  return made;
}
