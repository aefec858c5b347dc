// Buttons that save a picture of the page as SVG and as PNG: a chart of plotly's with its caption, or an SVG that is sent.

const SCALE = 2, LINE = 16, EDGE = 8;   // pixels of a PNG per pixel of the page; of the caption

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-picture");
  host.sent = data;
  if (host.childElementCount) return;
  host.append(...["SVG", "PNG"].map((kind) => {
    const made = element("button", "", `Picture as ${kind}`);
    made.type = "button";
    made.onclick = () => savePicture(host, kind);
    return made;
  }));
}

function savePicture(host, kind) {
  const { name, chart, caption } = host.sent, plot = document.querySelector(`.st-key-${chart} .js-plotly-plot`);
  if (!plot) return;
  const svg = pictureOf(plot, caption, getComputedStyle(host)), text = new XMLSerializer().serializeToString(svg);
  if (kind === "SVG") return handOut(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
  const [width, height] = ["width", "height"].map((side) => SCALE * svg.getAttribute(side));
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const bigger = new XMLSerializer().serializeToString(svg);
  handOutPainted(`${name}.png`, `data:image/svg+xml;charset=utf-8,${encodeURIComponent(bigger)}`, { width, height });
}

// One SVG of the layers that plotly draws above each other, on the page's background, with the caption below.
function pictureOf(plot, caption, style) {
  const { width, height } = plot.querySelector(".main-svg").getBoundingClientRect(), font = `12px ${style.fontFamily}`;
  const lines = linesOf(caption, width - 2 * EDGE, font), ink = style.getPropertyValue("--st-text-color") || style.color;
  const whole = Math.round(height + (lines.length && LINE * lines.length + EDGE));
  const made = svgElement("svg", { width, height: whole, viewBox: `0 0 ${width} ${whole}`, "font-family": style.fontFamily });
  made.append(svgElement("rect", { width, height: whole, fill: style.getPropertyValue("--st-background-color") || "white" }));
  for (const layer of plot.querySelectorAll(".main-svg")) made.append(copyOf(layer, width, height));
  lines.forEach((line, k) => {
    const text = svgElement("text", { x: EDGE, y: height + LINE * (k + 0.8), fill: ink, "font-size": 12 }, line);
    fixLength(text, penOf(font).measureText(line).width);
    made.append(text);
  });
  return made;
}

// The page's fonts may be missing where the picture is shown. Text then keeps its length.
function fixLength(text, length) {
  if (!length || text.querySelector(".line")) return;
  text.setAttribute("textLength", length.toFixed(1));
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

function penOf(font) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  return pen;
}

function copyOf(layer, width, height) {
  const copy = layer.cloneNode(true), texts = copy.querySelectorAll("text");
  layer.querySelectorAll("text").forEach((text, k) => fixLength(texts[k], text.getComputedTextLength()));
  for (const passing of copy.querySelectorAll(".hoverlayer, .zoomlayer, .drag, .draglayer, .modebar-container")) passing.remove();
  for (const [name, value] of Object.entries({ x: 0, y: 0, width, height })) copy.setAttribute(name, value);
  copy.removeAttribute("style");
  for (const part of copy.querySelectorAll("[clip-path]")) {   // plotly names them by the page's address
    part.setAttribute("clip-path", part.getAttribute("clip-path").replace(/url\(['"]?[^#]*/, "url(").replace(/['"]/g, ""));
  }
  return copy;
}

function linesOf(text, width, font) {
  const pen = penOf(font), lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
