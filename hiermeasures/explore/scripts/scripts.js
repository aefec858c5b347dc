// Holds the scripts and style sheets of all components (PARTS), and what they need of Python (CONSTANTS), for the stubs that
// Streamlit mounts (app/components.py).

// On a phone the menu of places covers the page. It closes behind the place that is chosen in it.
function closeMenu({ target }) {
  if (!target.closest?.("[data-testid=stSidebarNavLink]")) return;
  document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}

document.addEventListener("click", closeMenu);

const modules = {}, sheets = {};

const imported = (name) => {
  const address = URL.createObjectURL(new Blob([CONSTANTS, PARTS[name].script], { type: "text/javascript" }));
  return import(address).then((module) => module.default).finally(() => URL.revokeObjectURL(address));
};

const sheet = (name) => {
  const made = new CSSStyleSheet();
  made.replaceSync(PARTS[name].css);
  return made;
};

// What draws a component, once its style sheet is in the component's root.
export const load = (name, root) => {
  sheets[name] ??= sheet(name);
  if (!root.adoptedStyleSheets.includes(sheets[name])) root.adoptedStyleSheets.push(sheets[name]);
  return (modules[name] ??= imported(name));
};
