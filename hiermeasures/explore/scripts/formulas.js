// Formulas of a page's own HTML (app/components.py). Each part between two relations is MathML, so that a formula breaks at relations.
// One whose widest part is wider than its place is set smaller.

const fitted = new WeakMap();   // the width for which a formula was fitted

const fit = (formula) => {
  if (!formula.clientWidth || fitted.get(formula) === formula.clientWidth) return;
  fitted.set(formula, formula.clientWidth);
  formula.style.fontSize = "";
  const widest = Math.max(...[...formula.children].map((part) => part.getBoundingClientRect().width));
  if (widest > formula.clientWidth) formula.style.fontSize = `${0.98 * formula.clientWidth / widest}em`;
};

const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
const make = () => {
  for (const formula of document.querySelectorAll("[data-formula]")) {
    formula.replaceChildren(...JSON.parse(formula.dataset.formula).map(mathml));
    delete formula.dataset.formula;
    resized.observe(formula);
  }
};
new MutationObserver(make).observe(document.body, { childList: true, subtree: true });
make();
