// What changes in a drawing moves for MOVE milliseconds: a circle or box closes in on a class that joins a set and opens around one that
// leaves it, the text of a pair goes to its new place, and links and badges fade in or out. What is new is painted at once and nothing
// waits for a move. Belongs to component.js and overlay.js, which call these.

const MOVE = 200;
const BETWEEN = 30;        // milliseconds from picture to picture: the answer to a click needs the processor too
const OPENED = 18;         // how far from its class a circle or box begins or ends, in drawing units
const MOST_MOVING = 150;   // classes; larger drawings change at once

const nameOfPart = ({ shape, start, end, text, kind }) => [shape ?? `${start} ${end}`, text, kind].join("|");
const sameEdge = (one) => (other) => one.slice(0, 3).every((part, k) => part === other[k]);
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const shareOf = ({ since }) => 1 - (1 - Math.min(1, (performance.now() - since) / MOVE)) ** 2;   // fast, then slower

// Begins what moves from one scene to the next. A change of the view is no move, but the result of an answer is one.
function startMoves(graph, before) {
  const { scene, data, view } = graph;
  if (!before || !graph.network || scene === before || isStill() || scene.shapes.length > MOST_MOVING) return;
  if (view !== data.view || (before.title !== scene.title && !data.fades)) return graph.moves.clear();
  const since = performance.now();
  for (const move of [...sideMoves(scene, before), ...partMoves(scene, before)]) graph.moves.set(move.key, { ...move, since });
  if (graph.moves.size && !graph.moving) nextFrame(graph);
}

function nextFrame(graph) {
  const asked = performance.now();
  graph.moving = requestAnimationFrame(function step() {
    if (!graph.network) return;
    if (performance.now() - asked < BETWEEN) return void (graph.moving = requestAnimationFrame(step));
    graph.moving = null;
    for (const [key, { since }] of graph.moves) if (performance.now() - since >= MOVE) graph.moves.delete(key);
    graph.network.redraw();
    if (graph.moves.size) nextFrame(graph);
  });
}

function* sideMoves({ shapes }, before) {
  const known = new Map(before.shapes.map((shape) => [shape.id, shape]));
  for (const shape of shapes) {
    const old = known.get(shape.id);
    for (const side of old ? ["true", "predicted"] : []) {
      const joins = isOn(shape, side);
      if (joins !== isOn(old, side)) yield { key: `${side} ${shape.id}`, side, joins, look: joins ? shape : old };
    }
  }
}

// A link that comes takes the place of one that goes and has the same end.
function* partMoves(scene, before) {
  const [now, then] = [scene, before].map(({ links, badges }) => new Map([...links, ...badges].map((part) => [nameOfPart(part), part])));
  const gone = new Set([...then.values()].filter((part) => !now.has(nameOfPart(part)) && part.start && isInPlace(part, scene, before)));
  const left = new Set(gone);
  for (const [key, part] of now) {
    const old = then.get(key);
    if (old && (!part.start || (old.x === part.x && old.y === part.y))) continue;
    const from = old ?? [...left].find(({ start, end, kind }) => kind === part.kind && (start === part.start || end === part.end));
    left.delete(from);
    yield { key, part, from, comes: !old };
  }
  for (const part of gone) yield { key: `gone ${nameOfPart(part)}`, part, goes: true };
}

// Whether both ends of a link are where they were.
function isInPlace({ start, end }, ...scenes) {
  const places = scenes.map(({ shapes }) => [start, end].map((id) => shapes.find((shape) => shape.id === id)).map((shape) => [shape?.x, shape?.y]));
  return String(places[0]) === String(places[1]);
}

// How strong a part is painted, or an edge of its path. An edge that the former path had is as strong as before.
function opacityOf({ moves }, part, edge = null) {
  const move = moves.get(nameOfPart(part));
  return move?.comes && !(edge && move.from?.path.some(sameEdge(edge))) ? shareOf(move) : 1;
}

// How strong the text of a link is painted: as ever, if it moves there from another link.
const textOpacityOf = (graph, link) => (graph.moves.get(nameOfPart(link))?.from ? 1 : opacityOf(graph, link));

// Where the text of a link is.
function placeOf({ moves }, link) {
  const move = moves.get(nameOfPart(link));
  if (!move?.from) return link;
  const share = shareOf(move);
  return { x: move.from.x + (link.x - move.from.x) * share, y: move.from.y + (link.y - move.from.y) * share };
}

// The links that go, fainter and fainter.
function paintGone(ctx, graph) {
  for (const { goes, part, ...move } of graph.moves.values()) {
    if (goes && graph.nodes.get(part.start) && graph.nodes.get(part.end)) paintLink(ctx, graph, part, true, 1 - shareOf(move));
  }
}

function paintSides(ctx, graph) {
  const { nodes, theme } = graph;
  for (const { side, joins, look, ...move } of graph.moves.values()) {
    const node = side && nodes.get(look.id);
    if (!node) continue;
    const share = shareOf(move), away = OPENED * (joins ? 1 - share : share) + (side === "predicted" ? standOff(look) : 0);
    const w = measure(ctx, look.text, theme, look) / 2 + away, h = heightOf(look) / 2 + away, style = STYLES.outlines[look[side]];
    outline(ctx, node.x, node.y, w, h, side === "true" ? h : 3, { ...style, opacity: joins ? share : 1 - share }, theme[sidesOf(look)]);
  }
}
