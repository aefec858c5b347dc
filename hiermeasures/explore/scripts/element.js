// Elements of HTML, SVG and MathML. Text is only ever set as text. Stands before the scripts that make elements.

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function svgElement(tag, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

// A formula of parts: tag, text, parts and attributes. The text is text, whatever is in it.
function mathml([tag, text = "", parts = [], attributes = {}]) {
  const made = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  made.append(...parts.map(mathml));
  return made;
}

// A button that copies a text. `select` selects it, for browsers that let no page write to the clipboard.
function copyButton(text, select) {
  const made = element("button", "", "Copy");
  made.type = "button";
  made.onclick = async () => {
    select();
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      document.execCommand("copy");
    }
    made.textContent = "Copied";
    setTimeout(() => { made.textContent = "Copy"; }, 2000);
  };
  return made;
}
