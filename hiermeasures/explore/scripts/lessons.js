// The index of lessons: of each a picture, what one learns in it, how long it takes, and how far it is done.

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-lessons"), sent = JSON.stringify(data.lessons);
  if (host.sent === sent) return;
  host.sent = sent;
  const focused = host.querySelector(":focus")?.dataset.key;
  const choose = (key) => outbox.put(data.address, { kind: "choose", key });
  const names = [...new Set(data.lessons.map(({ group = "" }) => group))];
  host.replaceChildren(...names.flatMap((name) => [
    ...(name ? [element("h2", "group", name)] : []),
    listOf(data.lessons.filter(({ group = "" }) => group === name), choose),
  ]));
  [...host.querySelectorAll("button")].find(({ dataset }) => dataset.key === focused)?.focus();
}

function listOf(lessons, choose) {
  const list = element("ul", "lessons");
  list.append(...lessons.map((lesson) => {
    const item = element("li");
    item.append(lessonOf(lesson, choose));
    return item;
  }));
  return list;
}

function lessonOf({ key, number, title, learns, minutes, cards, picture, solved, seen, questions, done }, choose) {
  const made = element("button", "lesson"), words = element("span", "words"), image = element("img");
  made.type = "button";
  made.dataset.key = key;
  made.onclick = () => choose(key);
  image.src = picture;   // of Python's; no script runs in an image
  image.alt = "";
  image.loading = "lazy";
  words.append(
    element("span", "title", `${number}. ${title}`),
    element("span", "learns", learns),
    element("span", "long", [`${minutes} min`, `${cards} ${cards === 1 ? "card" : "cards"}`, done].filter(Boolean).join(" · ")),
  );
  if (seen) words.append(barOf(seen / cards, questions ? solved / questions : 0));
  made.append(image, words);
  return made;
}

// How much is seen, and over it how much is solved; the words beside it say the same.
function barOf(seen, solved) {
  const made = element("span", "bar");
  for (const [name, share] of [["seen", seen], ["solved", solved]]) {
    const part = element("span", name);
    part.style.width = `${100 * share}%`;
    made.append(part);
  }
  return made;
}
