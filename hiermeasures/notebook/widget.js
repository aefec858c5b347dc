// Connects the Explorer (explorer.js) with the model of a widget in Python.

export default { render };

const STILL = "hiermeasures-still";   // explorer.py
const applied = new Map();            // the last gesture of a session that marimo knows

function render({ model, el }) {
  const data = () => model.get("_data");
  const view = mount(el, { data, theme: true, send: (gestures) => model.send(gestures), drawn: (now) => report(model, now) });
  const changed = () => view.draw(), shown = hideStill(data().session);
  model.on("change:_data", changed);
  return () => {
    model.off("change:_data", changed);
    shown();
    view.destroy();
  };
}

// Tells marimo about clicks: cells that use a widget run again when the browser changes one of its values.
function report(model, { reports, session, seen }) {
  if (!reports || seen <= (applied.get(session) ?? 0)) return;
  applied.set(session, seen);
  model.set("_applied", seen);
  model.save_changes();
}

// Hides the still picture while the widget is alive. Returns a function that shows the picture again.
function hideStill(session) {
  const style = element("style"), picture = `.${STILL}-${session}`;
  style.textContent = `${picture}, .jp-OutputArea-child:has(${picture}) { display: none !important; }`;
  document.head.append(style);
  return () => style.remove();
}
