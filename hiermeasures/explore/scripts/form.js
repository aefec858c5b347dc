// A tree of controls (controls.js) as a component of Streamlit's. Its gestures come from the component.

function drawComponent({ data, parentElement }) {
  const holder = parentElement.querySelector(".hm-form");
  Object.assign(holder, { sent: data, ui: holder.ui ?? uiOf(holder) });
  const draw = () => drawControls(holder, holder.sent.controls, holder.ui);
  draw();
  events.addEventListener("hm-gesture", draw);
  return () => events.removeEventListener("hm-gesture", draw);
}

const uiOf = (holder) => ({
  put: (key, value = null) => outbox.put(holder.sent.address, { key, value }),
  pending: (key) => outbox.after(holder.sent.address).findLast((done) => done.key === holder.sent.address.key && done.value.key === key)?.value.value,
  names: () => [],
  level: 2,   // of its titles: the page has one of its own above
  submit: () => {},
});
