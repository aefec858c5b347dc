// Gestures on their way to Python. All components of a page share one outbox, so that their gestures have one order: each gets
// the next number, and all that Python has not acknowledged travel together as one state value of the mailbox (mailbox.js).

const MOST_SENT = 50;        // outbox.py takes no more at a time; the rest follows once these are acknowledged
const ENTERED = "entered";
const MOST_REMEMBERED = 100; // of those that are acknowledged

class Outbox {
  constructor(told = new EventTarget()) {
    this.events = told;    // hears of every gesture
    this.session = null;   // Python's token of the session: numbers begin anew with another
    this.last = 0;         // the number of the latest gesture
    this.seen = 0;         // the number of the latest one that Python has applied
    this.sent = 0;         // the number of the latest one that was sent
    this.gestures = [];    // all that are not acknowledged, and the latest of the others
    this.send = null;
  }

  // What was done with the control or component of a key, for a model: see Gesture of outbox.py.
  put({ model, key }, value = null) {
    this.gestures.push({ number: ++this.last, model, key, value });
    this.transmit();
    this.events.dispatchEvent(new CustomEvent("hm-gesture"));
  }

  // Something may have been entered in one of Streamlit's fields. Python must know that only with a later gesture.
  note() {
    if (this.gestures.at(-1)?.key !== ENTERED) this.gestures.push({ number: ++this.last, model: "page", key: ENTERED, value: null });
  }

  // What a mailbox knows from Python. Another session has never heard of what is pending, and numbers what follows anew.
  connect({ session, seen }, send) {
    if (session !== this.session) {
      const begun = this.session === null ? this.gestures : [];   // before the page knew of any session: those are meant for this one
      this.gestures = begun.map((gesture, i) => ({ ...gesture, number: seen + 1 + i }));
      Object.assign(this, { session, seen, last: seen + begun.length, sent: 0 });
    }
    if (!this.send) this.sent = 0;
    this.send = send;
    this.seen = Math.max(seen, this.seen);
    this.last = Math.max(this.last, this.seen);   // another outbox of the session may have numbered on
    const surplus = this.gestures.length - MOST_REMEMBERED;
    this.gestures = this.gestures.filter(({ number }, i) => number > this.seen || i >= surplus);
    this.transmit();
  }

  // The page with the mailbox was left: what is pending is sent by the next one.
  disconnect(send) {
    if (this.send === send) this.send = null;
  }

  pending() {
    return this.gestures.filter(({ number }) => number > this.seen);
  }

  // The gestures for a model that came after those which are in some data of Python's: to be shown on top of it.
  after({ model, session, seen }) {
    return session === this.session ? this.gestures.filter((gesture) => gesture.model === model && gesture.number > seen) : [];
  }

  // The value of the latest pending gesture with a key, in a component of a kind; undefined where there is none.
  latest(address, kind) {
    return this.after(address).findLast(({ key, value }) => key === address.key && value?.kind === kind)?.value;
  }

  transmit() {
    const gestures = this.pending().slice(0, MOST_SENT);
    if (gestures.at(-1)?.key === ENTERED) gestures.pop();
    if (!this.send || !gestures.length || gestures.at(-1).number === this.sent) return;
    this.sent = gestures.at(-1).number;
    this.send({ session: this.session, gestures });
  }
}

PAGE.events ??= new EventTarget();   // what the components of a page tell each other
PAGE.outbox ??= new Outbox(PAGE.events);
const events = PAGE.events;
const outbox = PAGE.outbox;
