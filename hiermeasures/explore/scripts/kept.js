// Keeps one text in the browser's storage for Python, and tells what was kept before: to every session, and when another window
// changes it. That nothing can be kept is told, too, and when it can again.

const NAME = "hiermeasures-my-lesson";

function drawComponent({ data, parentElement }) {
  const { address } = data, waits = outbox.latest(address, "kept") !== undefined;
  const tell = (told) => outbox.put(address, { kind: "kept", ...told });
  try {
    if (!data.read) {
      if (!waits) tell({ begins: true, text: localStorage.getItem(NAME) ?? "" });
    } else if (data.forget) localStorage.removeItem(NAME);
    else if (data.text && localStorage.getItem(NAME) !== data.text) localStorage.setItem(NAME, data.text);
    if (data.fault && !waits) tell({});
  } catch {
    if (!data.fault && !waits) tell({ fault: "its storage is full or closed to this page" });
  }
  const changed = (event) => event.key === NAME && event.newValue && tell({ text: event.newValue });
  window.removeEventListener("storage", PAGE.keptListener);
  window.addEventListener("storage", PAGE.keptListener = changed);
  return () => parentElement.isConnected || window.removeEventListener("storage", changed);
}
