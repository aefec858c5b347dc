// The page Choose: what the answers ask for. The rules come with the page, and mean what hiermeasures/verify/selector.py says; a test
// holds both to the same cards. Answers stand in the address: ?shape=dag&labels=several.

(() => {
const holds = (when, answers) => Object.entries(when).every(([question, those]) => those.includes(answers[question]));

const once = (values) => [...new Set(values)];

function imports(lines) {
  const names = new Map();
  for (const line of lines.filter((each) => each.startsWith("from "))) {
    const [module, imported] = line.slice(5).split(" import ");
    names.set(module, [...names.get(module) ?? [], ...imported.split(", ")]);
  }
  return [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([module, found]) => `from ${module} import ${once(found).sort().join(", ")}`);
}

// As `card` of selector.py.
function card(answers, { rules, measures }) {
  const holding = rules.filter(({ when }) => holds(when, answers)), all = (part) => once(holding.flatMap((rule) => rule[part] ?? []));
  const report = all("report"), beside = all("beside").filter((key) => !report.includes(key));
  const apart = holding.filter((rule) => rule.apart).flatMap((rule) => rule.report);
  const computed = [...report, ...beside].filter((key) => !apart.includes(key));
  const settings = Object.assign({}, ...holding.map((rule) => rule.settings ?? {})), set = Object.entries(settings);
  const flags = (wanted) => set.filter(([name]) => wanted(name)).map(([, [flag]]) => ` ${flag}`).join("");
  const words = {
    measures: computed.join(","),
    list: `[${computed.map((key) => `"${key}"`).join(", ")}]`,
    reported: [...report, ...beside].map((key) => `${key}: ${measures[key][2]}`).join(". "),
    root: settings.count_root?.[1] === "count_root=False" ? "not counted" : "counted (a virtual one not)",
    flags: flags(() => true),
    shared: flags((name) => name !== "average"),
    fit: flags((name) => ["missing", "unknown"].includes(name)),
    missing: settings.missing?.[0] === "--missing fail" ? ', missing="fail"' : "",
    unknown: settings.unknown ? `, ${settings.unknown[1]}` : "",
    keywords: set.filter(([, [, keyword]]) => keyword).map(([, [, keyword]]) => `, ${keyword}`).join(""),
  };
  const fill = (text) => text.replace(/\{(\w+)\}/g, (whole, word) => words[word] ?? whole);
  const filled = (part) => holding.filter((rule) => rule[part]).map((rule) => fill(fill(rule[part])));
  const lines = filled("python").join("\n").split("\n");
  return {
    report, beside, not_alone: all("not_alone"),
    command: filled("command").join("\n"),
    python: [...imports(lines), "", ...lines.filter((line) => !line.startsWith("from "))].join("\n"),
    caption: `${filled("caption").join(". ")}.`,
  };
}

// An answer to every question, and a sentence about each invalid answer.
function complete(given, questions) {
  const answers = {}, faults = [];
  for (const [key, [asks, offered]] of Object.entries(questions)) {
    const wanted = given.get(key);
    answers[key] = offered.includes(wanted) ? wanted : offered[0];
    if (wanted !== null && !offered.includes(wanted)) faults.push(`Ignored the answer “${wanted.slice(0, 40)}” to “${asks}”. You can answer ${offered.join(", ")}.`);
  }
  return { answers, faults };
}

const element = (name, ...inside) => { const made = document.createElement(name); made.append(...inside); return made; };

function list(title, keys, measures) {
  const items = keys.map((key) => {
    const [name, anchor] = measures[key], link = element(anchor ? "a" : "span", key);
    if (anchor) link.href = `measures.html#${anchor}`;
    return element("li", element("code", link), ` ${name}`);
  });
  return element("div", element("h3", title), element("ul", ...(items.length ? items : [element("li", "–")])));
}

function start(form) {
  const data = JSON.parse(document.getElementById("choose-data").textContent), at = (name) => document.getElementById(`choose-${name}`);
  const first = complete(new URLSearchParams(location.search), data.questions);
  for (const [key, answer] of Object.entries(first.answers)) form.elements[key].value = answer;
  at("faults").replaceChildren(...first.faults.map((fault) => element("p", fault)));

  function show() {
    const answers = Object.fromEntries(new FormData(form)), found = card(answers, data), told = new URLSearchParams();
    for (const part of document.querySelectorAll("[data-when]")) part.hidden = !JSON.parse(part.dataset.when).some((when) => holds(when, answers));
    at("measures").replaceChildren(...[["Report", "report"], ["Beside it", "beside"], ["Not alone", "not_alone"]].map(([title, part]) => list(title, found[part], data.measures)));
    for (const part of ["command", "python", "caption"]) at(part).querySelector("code").textContent = found[part];
    for (const [key, [, offered]] of Object.entries(data.questions)) if (answers[key] !== offered[0]) told.set(key, answers[key]);
    at("link").querySelector("a").href = `${location.pathname}${told.size ? `?${told}` : ""}`;
    return told;
  }

  form.addEventListener("change", () => {
    const told = show();
    at("faults").replaceChildren();
    history.replaceState(null, "", `${location.pathname}${told.size ? `?${told}` : ""}`);
  });
  document.body.classList.add("chooses");
  for (const part of [form, ...["measures", "command", "python", "caption", "link"].map(at)]) part.hidden = false;
  show();
  window.hiermeasuresCard = card;  // for the test
}

for (const form of document.querySelectorAll("form#choose-questions")) start(form);
})();
