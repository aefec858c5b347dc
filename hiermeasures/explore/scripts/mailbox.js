// Joins the page's outbox (outbox.js) with Python: one state value takes the gestures there, the data brings back how far they
// were applied. Also takes the presses of those of Streamlit's own buttons whose order among the gestures matters, by mouse or by keys.

function drawComponent({ data, parentElement, setStateValue }) {
  const send = (pending) => setStateValue("pending", pending);
  Object.assign(outbox, { buttons: data.buttons, page: data.model });
  if (!outbox.listens) listen();
  outbox.connect(data, send);
  refocus();
  return () => {
    if (parentElement.isConnected) return;
    outbox.disconnect(send);
  };
}

function listen() {
  outbox.listens = true;
  document.addEventListener("click", press, true);
  document.addEventListener("keydown", pressByKeys, true);
  for (const event of ["change", "click", "keydown"]) document.addEventListener(event, note, true);
}

function note(event) {
  if (event.target.closest("[data-testid=stBidiComponent]")) return;   // one of ours
  if (event.type !== "keydown" || event.key === "Enter") outbox.note();
}

// Before Streamlit hears of it, which would keep only the last of several presses while the page runs.
function press(event) {
  const holder = outbox.send && event.target.closest("button")?.closest('[class*="st-key-"]');
  const key = holder && Object.keys(outbox.buttons).find((button) => holder.classList.contains(`st-key-${button}`));
  if (!key) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  outbox.pressed = key;
  outbox.put({ model: outbox.page, key });
}

// A button that Streamlit draws anew after it was pressed, as with another look, has lost the focus.
function refocus() {
  if (!outbox.pressed || document.activeElement !== document.body) return;
  document.querySelector(`.st-key-${outbox.pressed} button`)?.focus({ preventScroll: true });
}

// Whether the button can be pressed is for Python to say: it may be about to become so by a gesture before.
function pressByKeys(event) {
  const pressed = keysOf(event), isHere = ([key, keys]) => keys === pressed && document.querySelector(`.st-key-${key}`);
  const [button] = (outbox.send && Object.entries(outbox.buttons).find(isHere)) || [];
  const at = event.composedPath()[0];
  if (!button || event.repeat || typing(at) || (!/Ctrl|Alt/.test(pressed) && usesKeys(at, pressed))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  outbox.put({ model: outbox.page, key: button });
}
