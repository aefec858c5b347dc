// The index of lessons: above it the families of measures, what each looks at and the lessons about it; of each lesson a picture, what
// one learns in it, how long it takes, and how far it is done.

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-lessons"), sent = JSON.stringify(data.lessons);
  if (host.sent === sent) return;
  host.sent = sent;
  const focused = host.querySelector(":focus")?.dataset.key, wasOpen = host.querySelector("details")?.open;
  const choose = (key) => outbox.put(data.address.component, "choose", { key });
  const lessons = listOf("lessons", data.lessons, (lesson) => lessonOf(lesson, choose));
  host.replaceChildren(...(data.families?.length ? [mapOf(data.families, choose, wasOpen ?? window.innerWidth > 900)] : []), lessons);
  [...host.querySelectorAll("button")].find(({ dataset }) => dataset.key === focused)?.focus();
}

function listOf(name, entries, made) {
  const list = element("ul", name);
  list.append(...entries.map((entry) => {
    const item = element("li");
    item.append(made(entry));
    return item;
  }));
  return list;
}

function mapOf(families, choose, open) {
  const map = element("details", "map");
  map.open = open;
  map.append(
    element("summary", "", "The families of measures, and what each looks at"),
    listOf("families", families, (family) => familyOf(family, choose)),
  );
  return map;
}

function familyOf({ title, about, measures, picture, lessons }, choose) {
  const made = element("div", "family"), words = element("span", "words"), links = element("span", "links");
  links.append(...lessons.map(({ key, number, title: name }) => {
    const link = buttonOf("link", key, choose);
    link.textContent = `Lesson ${number}`;
    link.title = name;
    return link;
  }));
  words.append(element("span", "title", title), element("span", "learns", about), element("span", "long", measures), links);
  made.append(imageOf(picture), words);
  return made;
}

function lessonOf({ key, number, title, learns, minutes, cards, picture, solved, seen, questions, done }, choose) {
  const made = buttonOf("lesson", key, choose), words = element("span", "words");
  words.append(
    element("span", "title", `${number}. ${title}`),
    element("span", "learns", learns),
    element("span", "long", [`${minutes} min`, `${cards} ${cards === 1 ? "card" : "cards"}`, done].filter(Boolean).join(" · ")),
  );
  if (seen) words.append(barOf(seen / cards, questions ? solved / questions : 0));
  made.append(imageOf(picture), words);
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

function buttonOf(name, key, choose) {
  const made = element("button", name);
  made.type = "button";
  made.dataset.key = key;
  made.onclick = () => choose(key);
  return made;
}

function imageOf(picture) {
  const image = element("img");
  image.src = picture;   // of Python's; no script runs in an image
  image.alt = "";
  image.loading = "lazy";
  return image;
}
