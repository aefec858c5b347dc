// Python behind the page, in a worker (worker.js). It has one open request at a time. If a worker does not answer, it is ended and a
// new one begins. The new sessions do not know the open request.

const PATIENCE = 20_000;   // milliseconds before a worker that computes is ended

export class Python {
  ready = false;
  turn = 0;        // the number of ended workers
  #worker = null;
  #asked = null;   // the open request

  // `hear` gets { ready }, { progress }, { broken } and { lost: why, request }. `next` returns the next request or undefined.
  constructor({ begin, version, hear, next }) {
    Object.assign(this, { begin, version, hear, next });
    this.start();
  }

  start() {
    const mine = new Worker(`worker.js${this.version}`, { type: "module" });
    this.#worker = mine;
    this.ready = false;
    mine.onmessage = ({ data }) => this.#worker === mine && this.#heard(data);
    mine.onerror = ({ message }) => this.#worker === mine && this.#heard({ failed: message });
    mine.postMessage({ kind: "begin", version: this.version, ...this.begin });
  }

  // Sends the next request, if there is no open one.
  work() {
    if (!this.ready || this.#asked) return;
    const request = this.next();
    if (!request) return;
    this.#asked = { request, timer: setTimeout(() => this.#again("hang"), PATIENCE) };
    const { kind, shows, content } = request;
    this.#worker.postMessage({ kind, shows, content });
  }

  // Begins a session of a place. It has no answer.
  session(session) {
    this.#worker.postMessage({ kind: "session", ...session });
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.ready = false;
  }

  #heard({ failed, begins, progress, ready, text }) {
    if (failed) console.warn(failed);
    if (progress) return void this.hear({ progress });
    if (failed && (begins || !this.#asked)) return void this.hear({ broken: true });
    if (failed) return void this.#again("fault");
    const request = this.#asked?.request;
    clearTimeout(this.#asked?.timer);
    this.#asked = null;
    if (ready) {
      this.ready = true;
      this.hear({ ready });
    }
    if (text) request.take(text);
    this.work();
  }

  #again(lost) {
    const { request, timer } = this.#asked;
    clearTimeout(timer);
    this.#asked = null;
    this.end();
    this.turn += 1;
    this.hear({ lost, request });
    this.start();
  }
}
