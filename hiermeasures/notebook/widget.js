// Joins the Explorer (explorer.js) with a widget's model, which Python keeps.

export default { render };

const STILL = "hiermeasures-still";   // explorer.py
const applied = new Map();            // how far the gestures of a session were told to marimo

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

// The cells that use a widget run again in marimo when the browser changes a value of it, and so hear of clicks.
function report(model, { reports, session, seen }) {
  if (!reports || seen <= (applied.get(session) ?? 0)) return;
  applied.set(session, seen);
  model.set("_applied", seen);
  model.save_changes();
}

// Hides the picture that stands for the widget where it is not alive; the function that is returned shows it again.
function hideStill(session) {
  const style = element("style"), picture = `.${STILL}-${session}`;
  style.textContent = `${picture}, .jp-OutputArea-child:has(${picture}) { display: none !important; }`;
  document.head.append(style);
  return () => style.remove();
}
