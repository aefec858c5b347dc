// The index of lessons: a picture of each, what one learns in it, how long it takes, and how far it is done.

function drawComponent({ data, parentElement }) {
  const host = parentElement.querySelector(".hm-lessons"), sent = JSON.stringify(data.lessons);
  if (host.sent === sent) return;
  host.sent = sent;
  const focused = host.querySelector(":focus")?.dataset.key;
  host.replaceChildren(...data.lessons.map((lesson) => {
    const made = element("li");
    made.append(lessonOf(lesson, (key) => outbox.put(data.address.component, "choose", { key })));
    return made;
  }));
  [...host.querySelectorAll("button")].find(({ dataset }) => dataset.key === focused)?.focus();
}

function lessonOf({ key, number, title, learns, minutes, cards, picture, done }, choose) {
  const made = element("button", "lesson"), image = element("img"), words = element("span", "words");
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
  made.append(image, words);
  return made;
}
