// What a person does in the drawing, as gestures (outbox.js), and what of it shows before Python has answered: a click marks its
// class at once, and the answer confirms or corrects it. Belongs to component.js, which calls these.

// What a click does. Streamlit's switch shows it at once, the data only after a run.
function clickMode({ click }) {
  const chosen = document.querySelector(`[class*="st-key-${click.switch}"] [role="radio"][aria-checked="true"]`);
  return click.modes[chosen?.textContent.trim()] ?? click.mode;
}

const named = ({ id, name }) => ({ id, name });

function reportTo(graph) {
  const put = (kind, value) => outbox.put(graph.data.address.component, kind, value);
  graph.report = (kind, node) => put(kind, kind === "click" ? { ...named(node), mode: clickMode(graph.data) } : named(node));
  graph.edited = (change) => put("edit", change);
}

// The marks with what pending clicks change. Undo takes back the latest of them; what was before them is not known here.
function marksShown({ marks, address }, gestures) {
  const clicks = [], undone = [];
  for (const { component, kind, value } of gestures) {
    if (component === "undo" && clicks.length) undone.push(clicks.pop());
    else if (component === "redo" && undone.length) clicks.push(undone.pop());
    else if (component === address.component && kind === "click" && value.mode !== "edit") clicks.push(value);
  }
  const shown = { ...marks };
  for (const { id, mode } of clicks) {
    const side = mode === "true" ? 0 : 1, mark = [...(shown[id] ?? [NONE, NONE, 0])];
    mark[side] = mark[side] === CLASS ? NONE : CLASS;
    shown[id] = mark;
  }
  return shown;
}

// What is selected while a click edits, with what pending gestures change.
function editingShown({ editing, address }, gestures) {
  if (!editing) return editing;
  const shown = { ...editing };
  for (const { component, kind, value } of gestures) {
    if (component !== address.component) continue;
    if (kind === "click" && value.mode === "edit" && !editing.linking) Object.assign(shown, { selected: value.id, edge: null });
    if (kind === "edit" && value.do === "select") Object.assign(shown, { selected: null, edge: [value.parent.id, value.child.id] });
    if (kind === "edit" && value.do === "let go") Object.assign(shown, { selected: null, edge: null });
  }
  return shown;
}
