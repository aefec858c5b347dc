// Joins the page's outbox (outbox.js) with Python: one state value takes the gestures there, the data brings back how far they
// were applied. Also takes the presses of those of Streamlit's own buttons whose order among the gestures matters, by mouse or by keys.
// What the address bar shows comes along (location.js).

export default function ({ data, parentElement, setStateValue }) {
  const send = (pending) => setStateValue("pending", pending);
  Object.assign(outbox, { buttons: data.buttons, shortcuts: data.shortcuts });
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
  const key = holder && outbox.buttons.find((button) => holder.classList.contains(`st-key-${button}`));
  if (!key) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  outbox.put(key, "press");
}

// Whether the button can be pressed is for Python to say: it may be about to become so by a gesture before.
function pressByKeys(event) {
  const pressed = keysOf(event), isHere = ([, [keys, place]]) => keys === pressed && document.querySelector(`.st-key-${place}`);
  const [button] = (outbox.send && Object.entries(outbox.shortcuts).find(isHere)) || [];
  if (!button || typing(event.composedPath()[0]) || (pressed.length === 1 && inDrawing(event))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  outbox.put(button, "press");
}

// As they are declared: "Ctrl+Shift+Z", where a Mac has its Command key. The letter is that of the layout, if it is a Latin one.
function keysOf({ ctrlKey, metaKey, altKey, shiftKey, key, code }) {
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key/, "");
  return [(ctrlKey || metaKey) && "Ctrl", altKey && "Alt", shiftKey && "Shift", letter].filter(Boolean).join("+");
}

// The drawing has keys of its own, which are letters.
const inDrawing = (event) => event.composedPath()[0].getAttribute?.("role") === "application";

// Whether keys belong to the text of a field. A field that offers choices has one of its own only while they are open.
function typing(field) {
  if (field.getAttribute?.("role") === "combobox") return field.getAttribute("aria-expanded") === "true";
  const untyped = ["button", "checkbox", "radio", "range", "submit", "file", "color"];
  return field.isContentEditable || field.tagName === "TEXTAREA" || (field.tagName === "INPUT" && !untyped.includes(field.type));
}
