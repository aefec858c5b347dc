// What a person does in the drawing, as gestures (outbox.js), and what of it shows before Python has answered: a click marks its
// class at once, and the answer confirms or corrects it. Belongs to component.js, which calls these.

const named = ({ id, name }) => ({ id, name });

function reportTo(graph) {
  const put = (kind, value) => outbox.put(graph.data.address, { kind, ...value });
  graph.report = (kind, node, mode) => {
    if (!graph.data.click) return;   // nothing can be clicked
    mode ??= graph.data.click.mode;
    graph.cursor = node.id;   // the keyboard goes on from there
    put(kind, kind === "click" ? { ...named(node), mode } : named(node));
  };
  graph.edited = (change) => put("edit", change);
}

// The shapes with what pending clicks change. Undo takes back the latest of them; what was before them is not known here.
function expectedShapes({ scene, meanings, address }, gestures) {
  const clicks = [], undone = [];
  for (const { key, value } of gestures) {
    if (key === "undo" && clicks.length) undone.push(clicks.pop());
    else if (key === "redo" && undone.length) clicks.push(undone.pop());
    else if (key === address.key && value.kind === "click" && value.mode !== "edit") clicks.push(value);
  }
  const shapes = new Map(scene.shapes.map((shape) => [shape.id, shape]));
  for (const { id, mode } of clicks) {
    const shape = shapes.get(id);
    if (shape) shapes.set(id, marked(shape, mode, meanings));
  }
  return [...shapes.values()];
}

function marked(shape, side, meanings) {
  if (side === "answer") return { ...shape, focused: !shape.focused };   // the answer to a question, which marks no side
  if (side === "nothing") return shape;
  const now = { ...shape, [side]: isGiven(shape[side]) ? "none" : "class", ringed: false };
  return { ...now, words: [meanings[`${now.true} ${now.predicted}`], ...(shape.weight ? [shape.weight] : [])] };
}

// What is selected while a click edits, with what pending gestures change.
function expectedEditing({ editing, address }, gestures) {
  if (!editing) return editing;
  const expected = { ...editing };
  for (const { key, value } of gestures) {
    if (key !== address.key) continue;
    if (value.kind === "click" && value.mode === "edit" && !editing.linking) Object.assign(expected, { selected: value.id, edge: null });
    if (value.kind === "edit" && value.do === "select") Object.assign(expected, { selected: null, edge: [value.parent.id, value.child.id] });
    if (value.kind === "edit" && value.do === "let go") Object.assign(expected, { selected: null, edge: null });
  }
  return expected;
}
