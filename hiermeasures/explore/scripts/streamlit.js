// The Explorer as a component of Streamlit's: its state value brings gestures, its data the screen.

const views = new WeakMap();

function drawComponent({ data: sent, parentElement, setStateValue }) {
  const data = JSON.parse(new TextDecoder().decode(sent)), holder = parentElement.querySelector(".hm-explorer");
  let at = views.get(holder);
  if (at && at.data.session !== data.session) at = void at.view.destroy();   // the server was started anew
  if (!at) {
    at = { data };
    views.set(holder, at);
    at.view = mount(holder, { window: true, data: () => at.data, send: (pending) => at.put("pending", pending) });
  }
  Object.assign(at, { data, put: setStateValue });
  at.view.draw();
  return () => { if (!holder.isConnected) at.view.destroy(); };
}
