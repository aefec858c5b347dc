// Which keys a person pressed, and whether they belong to what has the focus.

// As they are declared: "Ctrl+Shift+Z" or "ArrowRight", where a Mac has its Command key. The letter is that of the layout, if it is a Latin one.
function keysOf({ ctrlKey, metaKey, altKey, shiftKey, key, code }) {
  const letter = /^[a-z0-9]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key|^Digit/, "");
  return [(ctrlKey || metaKey) && "Ctrl", altKey && "Alt", shiftKey && "Shift", letter].filter(Boolean).join("+");
}

const LETTERS = "input, select, [role=application]:is([data-cursor], [data-early]), [role=listbox]";
const ARROWS = "input, select, [role=radio], [role=tab], [role=slider], [role=application], [role=listbox], [role=toolbar] *";

// Whether what has the focus does something of its own with a key that is pressed alone.
function usesKeys(at, pressed) {
  const own = pressed === "Enter" ? "button, a, summary, [role]:not([role=application]), [data-cursor], [data-early]" : /^[A-Z]$/.test(pressed) ? LETTERS : ARROWS;
  return Boolean(at.closest?.(own)) || Boolean(document.querySelector("[role=dialog]:not([hidden]), [data-testid=stPopoverBody]"));
}

// Whether keys belong to the text of a field. A field that offers choices has one of its own only while they are open, or typed.
function typing(field) {
  if (field.list) return field.value !== "";
  if (field.getAttribute?.("role") === "combobox") return field.getAttribute("aria-expanded") === "true";
  const untyped = ["button", "checkbox", "radio", "range", "submit", "file", "color"];
  return field.isContentEditable || field.tagName === "TEXTAREA" || (field.tagName === "INPUT" && !untyped.includes(field.type));
}
