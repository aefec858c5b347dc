// Paints the shapes of a scene. STYLES (palette.py) holds every colour and line, HEIGHT (scene.py) how high a class is and RING how
// far the box of a class that is both stands off its circle, SUBTITLE how small a second line is and how far it moves the first. Here are only the page's own text and background, its font and how wide a
// text is in it.

const PADDING = 9, COUNT_GAP = 5, FONT_SIZE = 16;

function readTheme(host) {
  const style = getComputedStyle(host);
  const value = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  return {
    ...STYLES[isDark(host) ? "dark" : "light"], large: host.classList.contains("large"),
    background: value("--st-background-color", "#ffffff"), text: value("--st-text-color", "#222222"), font: value("--st-font", "sans-serif"),
  };
}

const isGiven = (role) => role === "class" || role === "uncounted";
const isClass = (shape) => isGiven(shape.true) || isGiven(shape.predicted);
const isOn = (shape, side) => shape[side] !== "none";
const sidesOf = (shape) => (isOn(shape, "true") ? (isOn(shape, "predicted") ? "both" : "true") : isOn(shape, "predicted") ? "predicted" : "none");
const heightOf = (shape) => shape?.height || HEIGHT;   // a sample of the legend has none
const standOff = (shape) => (sidesOf(shape) === "both" ? RING : 0);

function paint(ctx, x, y, width, shape, theme, hover) {
  const w = width / 2, h = heightOf(shape) / 2, ring = standOff(shape), inTrue = isOn(shape, "true");
  const colour = theme[sidesOf(shape)] || theme.text;
  ctx.save();
  ctx.fillStyle = theme.background;
  trace(ctx, x, y, w + ring, h + ring, ring ? 3 : inTrue ? h : 4);
  ctx.fill();
  if (hover) halo(ctx, x, y, w, h, theme);
  if (shape.ringed) outline(ctx, x, y, w, h, 8, STYLES.ringed, theme.text);
  if (isOn(shape, "predicted")) paintSide(ctx, x, y, w + ring, h + ring, 3, shape.predicted, colour, !inTrue, theme);
  if (inTrue) paintSide(ctx, x, y, w, h, h, shape.true, colour, true, theme);
  if (shape.text) {
    ctx.font = font(theme, isClass(shape));
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillStyle = theme.text;
    ctx.globalAlpha = shape.struck ? STYLES.struck_text : 1;
    const lift = shape.subtitle ? SUBTITLE.lift : 0;
    ctx.fillText(shape.text, x, y + 1 - lift);
    if (shape.subtitle) {
      ctx.font = smallFont(theme);
      ctx.fillText(shape.subtitle, x, y + 2 + lift);
    }
    ctx.globalAlpha = 1;
  }
  if (shape.struck) strike(ctx, x, y, w + 3, h + 3, theme);
  ctx.restore();
}

// A class of the side has a firm line, one put in by augmentation a thin dashed one, one that does not count there a dotted one.
function paintSide(ctx, x, y, w, h, radius, role, colour, fill, theme) {
  if (fill) {
    ctx.save();
    trace(ctx, x, y, w, h, radius);
    ctx.globalAlpha = role === "class" ? theme.class_fill : theme.added_fill;
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.restore();
  }
  outline(ctx, x, y, w, h, radius, STYLES.outlines[role], colour);
}

function outline(ctx, x, y, w, h, radius, style, colour) {
  ctx.save();
  trace(ctx, x, y, w, h, radius);
  lineStyle(ctx, style, colour);
  ctx.stroke();
  ctx.restore();
}

function lineStyle(ctx, { width, dash, opacity }, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.setLineDash(dash);
  ctx.globalAlpha = opacity;
}

// vis-network draws the edges.
function edgeStyle(role, theme) {
  const { width, dash, opacity } = STYLES.edges[role];
  return { color: { color: theme[role] || theme.line, opacity, inherit: false }, width, dashes: dash.length ? dash : false };
}

function halo(ctx, x, y, w, h, theme) {
  ctx.save();
  trace(ctx, x, y, w + 8, h + 8, 10);
  ctx.globalAlpha = 0.1;
  ctx.fillStyle = theme.text;
  ctx.fill();
  ctx.restore();
}

function strike(ctx, x, y, w, h, theme) {
  lineStyle(ctx, STYLES.strike, theme.text);
  ctx.beginPath();
  ctx.moveTo(x - w, y + h);
  ctx.lineTo(x + w, y - h);
  ctx.stroke();
}

const foldedFont = (theme) => `${FONT_SIZE}px ${theme.font}`;

function foldedWidth(ctx, count, theme) {
  ctx.save();
  ctx.font = foldedFont(theme);
  const { width } = ctx.measureText(`+${count}`);
  ctx.restore();
  return width + 10;
}

// How many children are folded away, in a small pill to the right of the class.
function paintFolded(ctx, x, y, half, count, theme) {
  ctx.save();
  ctx.font = foldedFont(theme);
  const width = foldedWidth(ctx, count, theme);
  trace(ctx, x + half + COUNT_GAP + width / 2, y, width / 2, 10, 10);
  ctx.fillStyle = theme.background;
  ctx.fill();
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = 1;
  ctx.stroke();
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.text;
  ctx.fillText(`+${count}`, x + half + COUNT_GAP + 5, y + 1);
  ctx.restore();
}

const onCount = (node, half, { x, y }) => Math.abs(y - node.y) < 12 && x > node.x + half + 2 && x < node.x + half + COUNT_GAP + 34;

function trace(ctx, x, y, w, h, radius) {
  ctx.beginPath();
  ctx.roundRect(x - w, y - h, 2 * w, 2 * h, radius);
}

function measure(ctx, label, theme, shape) {
  const height = heightOf(shape);
  ctx.save();
  ctx.font = font(theme, true);
  let width = ctx.measureText(label).width;
  if (shape?.subtitle) {
    ctx.font = smallFont(theme);
    width = Math.max(width, ctx.measureText(shape.subtitle).width);
  }
  ctx.restore();
  return Math.max(height, width + 2 * PADDING * height / HEIGHT);
}

// What the size of a class says, in a small and a large one.
function paintSizes(ctx, { least, most }, theme) {
  for (const [x, share] of [[8, least], [20.5, most]]) outline(ctx, x, 12, 7 * share, 7 * share, 7 * share, STYLES.size, theme.text);
}

const smallFont = (theme) => `400 ${Math.round(FONT_SIZE * SUBTITLE.size)}px ${theme.font}`;
const font = (theme, strong) => `${strong ? 600 : 400} ${FONT_SIZE}px ${theme.font}`;

