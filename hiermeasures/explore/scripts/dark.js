// Whether the page around a component is dark: the luminance of its background as it is painted. Stands before the scripts that ask.

function isDark(host) {
  const ctx = document.createElement("canvas").getContext("2d");
  ctx.fillStyle = getComputedStyle(host).getPropertyValue("--st-background-color").trim() || "#ffffff";
  ctx.fillRect(0, 0, 1, 1);
  const [r, g, b] = ctx.getImageData(0, 0, 1, 1).data;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 102;
}
