// Joins the page's outbox (outbox.js) with Python: one state value takes the gestures there, the data brings back how far they
// were applied. Also takes the presses of those of Streamlit's own buttons whose order among the gestures matters.
// What the address bar shows comes along (location.js).

export default function ({ data, parentElement, setStateValue }) {
  const send = (pending) => setStateValue("pending", pending);
  outbox.buttons = data.buttons;
  if (!outbox.listens) listen();
  outbox.connect(data, send);
  reflect(data.location);
  return () => {
    if (parentElement.isConnected) return;
    outbox.disconnect(send);
    if (!outbox.send) reflect(null);
  };
}

function listen() {
  outbox.listens = true;
  document.addEventListener("click", press, true);
  for (const event of ["change", "click", "keydown"]) document.addEventListener(event, note, true);
}

function note(event) {
  if (event.target.closest("[data-testid=stBidiComponent]")) return;   // one of ours
  if (event.type !== "keydown" || event.key === "Enter") outbox.note();
}

// Before Streamlit hears of it, which would keep only the last of several presses while the page runs.
function press(event) {
  const holder = outbox.send && event.target.closest("button")?.closest('[class*="st-key-"]');
  const key = holder && outbox.buttons.find((button) => holder.classList.contains(`st-key-${button}`));
  if (!key) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  outbox.put(key, "press");
}
