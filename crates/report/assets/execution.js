// An execution: cards, which are steps that are shown together, and what holds after each.
// Position `k` is the state after the first `k` cards.

const SOURCE = 0;
const EVENT = 1;
const FAILURE = 2;

class Execution {
  constructor(data) {
    const text = (number) => data.texts[number];
    this.threads = data.threads;
    this.steps = data.steps;
    this.next = data.next;
    this.ending = data.ending ?? null;
    this.output = data.output ?? "";
    this.repeatsFrom = data.repeats_from ?? Infinity;
    this.unrecorded = data.unrecorded;
    this.cards = data.cards.map(([first, last, thread, place, rows]) => ({
      first, last, thread, place,
      rows: rows.map(([kind, words, file, line]) => ({
        kind, text: text(words), place: file === undefined ? null : [file, line],
      })),
    }));
    // A link to behind the last card is one to what its thread does next.
    this.links = data.links.map(([kind, from, to, object, thread]) => ({
      kind, from, to, object: text(object), thread,
    }));
    this.values = data.values.map(([name, first, ...changes]) => {
      const history = [[0, first === null ? null : text(first)]];
      for (let index = 0; index < changes.length; index += 2) {
        const value = changes[index + 1];
        history.push([changes[index] + 1, value === null ? null : text(value)]);
      }
      return { name: text(name), history, times: history.map(([when]) => when) };
    });
    this.byThread = this.threads.map(() => []);
    this.cards.forEach((card, index) => this.byThread[card.thread]?.push(index));
    this.byCard = new Map();
    for (const link of this.links) {
      for (const end of [link.from, link.to]) {
        if (!this.byCard.has(end)) this.byCard.set(end, []);
        this.byCard.get(end).push(link);
      }
    }
    this.born = new Map(this.links
      .filter((link) => link.kind === "start")
      .map((link) => [link.thread, link.from]));
  }

  /** The threads that have a lane: those that move, and those whose wait is told. */
  lanes() {
    const waits = new Set((this.ending?.waits ?? []).map((wait) => wait.thread));
    const racing = (this.ending?.race?.accesses ?? []).map((access) => access.thread);
    racing.forEach((thread) => waits.add(thread));
    return this.threads.map((_, thread) => thread)
      .filter((thread) => this.byThread[thread].length > 0 || waits.has(thread));
  }

  /** Whether a thread was started before a position. */
  isBorn(thread, position) {
    return position > (this.born.get(thread) ?? -1);
  }

  /** The place of a thread's next step after the first `position` cards. */
  placeOf(thread, position) {
    if (!this.isBorn(thread, position)) return null;
    const mine = this.byThread[thread];
    const index = mine[mine[0] >= position ? 0 : rowAt(mine, position - 1) + 1];
    return index === undefined ? this.next[thread] ?? null : this.cards[index].place;
  }

  /** A variable's value at a position, and whether the last card has changed it. */
  valueOf(variable, position) {
    const { history, times } = variable;
    const at = rowAt(times, position);
    const [when, value] = history[at];
    let before = at - 1;
    while (before > 0 && history[before][0] === when) before -= 1;
    const changed = at > 0 && when === position;
    return { value, changed, before: changed ? history[before][1] : value };
  }

  /** The position after the card that has a step, by the number of the step from one. */
  positionOf(step) {
    if (!(step >= 1)) return 0;
    return rowAt([-1, ...this.cards.map((card) => card.first)], step - 1);
  }

  /** The number of the last step that was made at a position. */
  stepAt(position) {
    return position === 0 ? 0 : this.cards[position - 1].first + 1;
  }
}

/** `5`, or `5 to 7` where a card has several steps. */
function stepsOf(card) {
  return card.last > card.first ? `${card.first + 1} to ${card.last + 1}` : `${card.first + 1}`;
}
