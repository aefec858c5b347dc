// Keeps one text in the browser's storage for Python, and tells what was kept before: to every session, and when another window
// changes it. That nothing can be kept is told, too, and when it can again.

const NAME = "hiermeasures-my-lesson", AGAIN = 2000;   // ms after which what was told and not heard is told again

function drawComponent({ data, parentElement, setStateValue }) {
  const tell = (told) => setStateValue("told", { turn: `${Date.now()} ${Math.random()}`, ...told });
  try {
    if (!data.read) begin(data, parentElement, tell);
    else if (data.forget) localStorage.removeItem(NAME);
    else if (data.text && localStorage.getItem(NAME) !== data.text) localStorage.setItem(NAME, data.text);
    if (data.fault) tell({});
  } catch {
    if (!data.fault) tell({ fault: "its storage is full or closed to this page" });
  }
  const changed = (event) => event.key === NAME && event.newValue && tell({ text: event.newValue });
  window.removeEventListener("storage", PAGE.keptListener);
  window.addEventListener("storage", PAGE.keptListener = changed);
  return () => parentElement.isConnected || window.removeEventListener("storage", changed);
}

// Once from every place at which this is mounted, for what is told while one page of the app gives way to another is not heard.
function begin({ session }, place, tell) {
  const known = place.told, now = performance.now();
  if (known?.session === session && now - known.at < AGAIN) return;
  place.told = { session, at: now };
  tell({ begins: true, text: localStorage.getItem(NAME) ?? "" });
}
