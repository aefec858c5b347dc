// A place of the page: the Explorer or the lessons. Its stored picture is drawn at once. Before Python is ready, gestures get stored
// answers if there are any. Then Python carries out all gestures in order, and its answers replace the stored ones.

const SILENT = new Set(["welcomed", "met", "bring"]);   // gestures of the page that change no drawing

// Reads a stored file once.
const files = new Map();
export function stored(path) {
  if (!files.has(path)) files.set(path, fetch(path).then((response) => (response.ok ? response.json() : Promise.reject(new Error(`${path}: ${response.status}`)))));
  return files.get(path);
}

export class Place {
  queue = [];        // requests, in order
  gestures = [];     // gestures that Python has not answered
  outbox = {};       // shared by the components of the place, also while it is hidden
  last = "";         // the word of the last answer of Python. Another session can show it again
  word = "";         // the word of the shown state
  begun = -1;        // the turn of Python that has its session
  view = null;

  // `file` has the first picture. `fileOf` returns the file of a stored answer by its name. `host` is the page.
  constructor(shows, { file, fileOf, nameOf, version, host }) {
    Object.assign(this, { shows, file, fileOf, nameOf, version, host });
  }

  async load() {
    if (this.data) return;
    const { data, then, settings } = await stored(`${this.file}${this.version}`);
    this.node = this.first = { data, word: "", then };
    Object.assign(this, { settings, data: this.host.cut(data) });
  }

  // Shows the state of an address. Returns whether a part of it is visible before Python is ready.
  async open(word) {
    if (word === this.word) return true;
    this.word = word;
    this.ask("open", word);
    this.node = null;   // the old stored answer belongs to another address
    const node = this.host.python?.ready ? null : await this.answer(this.nameOf(word));
    if (node && this.word === word && !this.host.python?.ready) this.foresee(node, this.data.seen);
    return Boolean(node);
  }

  send({ session, gestures }) {
    if (session !== this.session) this.gestures = [];
    this.session = session;
    const known = new Set(this.gestures.map(({ number }) => number));
    this.gestures.push(...gestures.filter(({ number }) => !known.has(number)));
    this.ask("gestures", JSON.stringify({ session, gestures: this.gestures }));
    this.follow();
  }

  // --- stored answers ---------------------------------------------------------------------------------------------------

  // Returns the stored answer with a name, or undefined.
  async answer(name) {
    if (!name) return name === "" ? this.first : undefined;
    try {
      return (await stored(`${this.fileOf(name)}${this.version}`))[name];
    } catch {
      return undefined;   // Python answers
    }
  }

  // Continues from the shown answer with the gestures since then, as far as answers are stored.
  async follow() {
    let node = this.node, seen = this.data.seen;
    const from = node;
    for (const { number, key, value } of this.gestures.filter(({ number: n }) => n > seen)) {
      const silent = SILENT.has(value?.kind) || (key === "paper_tools" && value === false);
      const found = silent ? node : await this.answer(node?.then?.[`${key} ${JSON.stringify(value)}`]);
      if (!found) break;
      [node, seen] = [found, number];
    }
    if (node && node !== from && this.node === from && !this.host.python?.ready) this.foresee(node, seen);
  }

  foresee(node, seen) {
    this.node = node;
    this.show({ ...node, data: { ...node.data, seen } });
  }

  // --- Python -------------------------------------------------------------------------------------------------------------

  ask(kind, content, restoring = false) {
    if (this.queue.at(-1)?.kind === kind) this.queue.pop();   // the latest request has all gestures, and only the last address counts
    this.queue.push({ kind, content, restoring, shows: this.shows, place: this, take: (text) => this.take(text, restoring) });
    this.host.python?.work();
  }

  // Returns the next request, for a session of the current worker.
  next(python) {
    if (this.queue.length && this.begun !== python.turn) this.begin(python);
    return this.queue.shift();
  }

  begin(python) {
    const token = this.settings.token + (python.turn ? `-${python.turn}` : "");
    python.session({ shows: this.shows, token, told: JSON.stringify(this.host.told(this)) });
    this.begun = python.turn;
  }

  // Returns to the last answer of Python, without open requests. If this failed before, begins at the start.
  restore(restoring) {
    if (this.begun < 0) return;   // it had no open request
    if (restoring) this.last = "";
    [this.queue, this.gestures, this.node] = [[], [], null];
    this.ask("open", this.last, true);
  }

  take(text, restored) {
    const answer = JSON.parse(text);
    if (answer.kept !== false) this.last = answer.word;
    this.gestures = this.gestures.filter(({ number }) => number > answer.data.seen);
    if (this.node && this.queue.length) return;   // the shown answer may be ahead of this one
    this.node = null;
    this.show(answer, restored);
  }

  show(answer, restored = false) {
    this.data = this.host.cut(answer.data);
    this.host.shown(this, answer, restored);
  }
}
