// Cells of tables with four columns or more get the title of their column, which narrow pages show in place of the head (site.css).

for (const table of document.querySelectorAll(".md-typeset table:not([class])")) {
  const titles = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
  if (titles.length < 4) continue;
  table.dataset.stacks = "";
  for (const row of table.querySelectorAll("tbody tr")) [...row.cells].forEach((cell, k) => { cell.dataset.title = titles[k] ?? ""; });
}
