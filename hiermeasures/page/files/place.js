// A place of the page: the Explorer or the lessons. What is stored of it is drawn at once. What is done before Python is there is
// answered from what is stored, where it is, and carried out by Python in order; Python's answers replace what is stored.

const SILENT = new Set(["welcomed", "met", "bring"]);   // gestures of the page's own, which change no drawing

// Reads a stored file once.
const files = new Map();
export function stored(path) {
  if (!files.has(path)) files.set(path, fetch(path).then((response) => (response.ok ? response.json() : Promise.reject(new Error(`${path}: ${response.status}`)))));
  return files.get(path);
}

export class Place {
  queue = [];        // requests, in order
  gestures = [];     // those that Python has not answered
  outbox = {};       // what the components of the place share, also while another place is shown
  last = "";         // the word of what Python answered last, which another session shows again
  word = "";         // the word of what is shown
  begun = -1;        // the turn of Python whose session it has
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

  // Shows what the word of an address says. Returns whether something of it can be seen before Python is there.
  async open(word) {
    if (word === this.word) return true;
    this.word = word;
    this.ask("open", word);
    this.node = null;   // what was stored of the place before is not what the address means
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

  // --- what is stored ---------------------------------------------------------------------------------------------------

  // The stored answer of a name, or undefined.
  async answer(name) {
    if (!name) return name === "" ? this.first : undefined;
    try {
      return (await stored(`${this.fileOf(name)}${this.version}`))[name];
    } catch {
      return undefined;   // Python answers
    }
  }

  // Goes on from what is shown with what was done since, as far as it is stored.
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
    if (this.queue.at(-1)?.kind === kind) this.queue.pop();   // the latest gestures are all; only the last address counts
    this.queue.push({ kind, content, restoring, shows: this.shows, place: this, take: (text) => this.take(text, restoring) });
    this.host.python?.work();
  }

  // The next request, to a session of the worker that is there.
  next(python) {
    if (this.queue.length && this.begun !== python.turn) this.begin(python);
    return this.queue.shift();
  }

  begin(python) {
    const token = this.settings.token + (python.turn ? `-${python.turn}` : "");
    python.session({ shows: this.shows, token, told: JSON.stringify(this.host.told(this)) });
    this.begun = python.turn;
  }

  // Begins anew where Python was, without what was on its way; at the beginning where that failed, too.
  restore(restoring) {
    if (this.begun < 0) return;   // nothing of it was on its way
    if (restoring) this.last = "";
    [this.queue, this.gestures, this.node] = [[], [], null];
    this.ask("open", this.last, true);
  }

  take(text, restored) {
    const answer = JSON.parse(text);
    if (answer.kept !== false) this.last = answer.word;
    this.gestures = this.gestures.filter(({ number }) => number > answer.data.seen);
    if (this.node && this.queue.length) return;   // what is shown may be ahead of this answer
    this.node = null;
    this.show(answer, restored);
  }

  show(answer, restored = false) {
    this.data = this.host.cut(answer.data);
    this.host.shown(this, answer, restored);
  }
}
