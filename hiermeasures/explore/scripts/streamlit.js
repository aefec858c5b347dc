// The Explorer as a component of Streamlit's. Its gestures are in the outbox of the page, which the mailbox sends.

const views = new WeakMap();

function drawComponent({ data: sent, parentElement }) {
  const data = JSON.parse(new TextDecoder().decode(sent)), holder = parentElement.querySelector(".hm-explorer");
  let at = views.get(holder);
  if (at && at.data.session !== data.session) at = void at.view.destroy();   // the server was started anew
  if (!at) {
    at = { data };
    views.set(holder, at);
    at.view = mount(holder, { window: true, page: PAGE, data: () => at.data });
  }
  at.data = data;
  at.view.draw();
  return () => { if (!holder.isConnected) at.view.destroy(); };
}
