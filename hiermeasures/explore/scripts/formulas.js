// Keeps displayed formulas in their place: they break at their relations (app/pages.py), and one whose widest part is still wider than
// the place is set smaller.

if (!globalThis.hiermeasuresFormulas) {
  const fitted = new WeakMap();   // for which text and which width a formula was fitted

  const fit = (formula) => {
    const state = `${formula.clientWidth} ${formula.textContent}`;
    if (!formula.clientWidth || fitted.get(formula) === state) return;
    fitted.set(formula, state);
    formula.style.fontSize = "";
    const widest = Math.max(0, ...[...formula.querySelectorAll(".katex-html > .base")].map((part) => part.getBoundingClientRect().width));
    if (widest > formula.clientWidth) formula.style.fontSize = `${0.98 * formula.clientWidth / widest}em`;
  };

  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
  const changed = new MutationObserver(() => {
    for (const formula of document.querySelectorAll(".katex-display")) {
      if (!fitted.has(formula)) resized.observe(formula);
      fit(formula);
    }
  });
  globalThis.hiermeasuresFormulas = { fit, resized, changed };
  changed.observe(document.body, { childList: true, subtree: true, characterData: true });
}
