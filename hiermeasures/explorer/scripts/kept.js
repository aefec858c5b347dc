// Keeps one text in the browser's storage for Python, and tells what was kept before: once to every session, and when another window
// changes it. What cannot be kept is told, too.

const NAME = "hiermeasures.my-lesson";

function drawComponent({ data, parentElement, setStateValue }) {
  const tell = (told) => setStateValue("told", { turn: crypto.randomUUID?.() ?? String(Math.random()), ...told });
  const storage = (use) => {
    try {
      return use(localStorage);
    } catch (fault) {
      if (PAGE.keptFault !== String(fault)) tell({ fault: "its storage is full or closed to this page" });
      PAGE.keptFault = String(fault);
      return null;
    }
  };
  if (PAGE.keptSession !== data.session) {
    PAGE.keptSession = data.session;
    PAGE.keptFault = null;
    if (!data.read) tell({ text: storage((kept) => kept.getItem(NAME)) ?? "" });
  } else if (data.read && data.forget) storage((kept) => kept.removeItem(NAME));
  else if (data.text) storage((kept) => kept.getItem(NAME) !== data.text && kept.setItem(NAME, data.text));
  const changed = (event) => event.key === NAME && event.newValue && tell({ text: event.newValue });
  window.removeEventListener("storage", PAGE.keptListener);
  window.addEventListener("storage", PAGE.keptListener = changed);
  return () => parentElement.isConnected || window.removeEventListener("storage", changed);
}
