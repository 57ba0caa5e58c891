// The swim lanes: one column for each thread, time goes down, arrows where one thread acts on
// another. Only what can be seen is there.
//
// With many threads, or on a small screen, lanes are too narrow for what is in them. Then cards are as
// wide as they have to be, and stand above the lanes of others: no two are at the same height.

const LINE = 20;
const PADDING = 7;
const GAP = 10;
const GUTTER = 52;
const LEAST_LANE = 24;
const COMFORTABLE_LANE = 210;
const WIDEST_CARD = 470;
const MOST_LINES = 8;
const LONGEST_LABEL = 30;

class Lanes {
  constructor(select) {
    this.select = select;
    this.position = 0;
    this.header = make("div", { class: "lane-names" });
    this.arrows = draw("svg", { class: "arrows", "aria-hidden": "true" });
    this.body = make("div", { class: "lane-body" });
    this.canvas = make("div", { class: "lane-canvas" }, this.body, this.arrows);
    this.element = make("div", {
      class: "lanes", tabindex: "0", role: "group",
      "aria-label": "Steps, one column for each thread",
    }, this.header, this.canvas);
    this.window = new Window(this.element, this.canvas, (first, last) => this.paint(first, last));
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  show(execution) {
    this.execution = execution;
    this.lanes = execution.lanes();
    this.column = new Map(this.lanes.map((thread, column) => [thread, column]));
    const { ending } = execution;
    this.stuck = [...(ending?.waits ?? []), ...(ending?.race?.accesses ?? [])]
      .filter((it) => it.thread !== null);
    // A step that fails says so itself; a state that is wrong has no step of its own.
    const failed = execution.cards.at(-1)?.rows.some((row) => row.kind === FAILURE);
    this.wrong = this.stuck.length === 0 && !failed ? ending?.title : null;
    this.hasEnd = this.stuck.length > 0 || Boolean(this.wrong);
    this.width = 0;
    this.measure();
  }

  /** How much room all of it needs. */
  height() {
    return this.tops[this.tops.length - 1] + 50;
  }

  measure() {
    if (!this.execution) return;
    const room = Math.max(200, this.element.clientWidth - GUTTER - 2);
    const count = Math.max(1, this.lanes.length);
    const width = Math.max(LEAST_LANE, Math.floor(room / count));
    if (width !== this.width || room !== this.room) {
      [this.width, this.room] = [width, room];
      this.isSpread = width < COMFORTABLE_LANE && count > 1;
      // What is wrong at the end: side by side, or one below the other.
      this.ends = this.wrong ? [[]] : this.isSpread
        ? this.stuck.map((it) => [it]) : this.stuck.length > 0 ? [this.stuck] : [];
      this.name();
      this.tops = this.layOut();
    }
    const columns = `${GUTTER}px repeat(${count}, ${this.width}px)`;
    this.header.style.gridTemplateColumns = columns;
    const wide = `${GUTTER + this.width * count}px`;
    this.canvas.style.width = wide;
    this.header.style.width = wide;
    this.window.inset = this.header.offsetHeight;
    this.window.set(this.tops);
    if (this.window.revealed) this.go(this.position);
  }

  /** The names above the lanes: where there is little room, without what others begin with as well. */
  name() {
    const all = this.lanes.map((thread) => this.execution.threads[thread]);
    const names = all.map((name, column) => {
      const fits = name.length * 9 + 16 < this.width;
      const common = fits ? 0 : Math.max(0, ...all.map((other) => (other === name ? 0 : shared(name, other))));
      return make("div", { class: `lane-name ${hue(this.lanes[column])}`, title: name },
        common > 2 ? make("span", { class: "unseen" }, name.slice(0, common)) : null,
        common > 2 ? name.slice(common) : name);
    });
    this.header.classList.toggle("narrow", this.isSpread);
    this.header.replaceChildren(make("div", { class: "lane-step" }, "step"), ...names);
  }

  /** The top of each card. Texts are broken here, so that their lines can be counted. */
  layOut() {
    const tops = [GAP];
    const add = (count) => tops.push(tops[tops.length - 1] + count * LINE + 2 * PADDING + GAP);
    this.execution.cards.forEach((card, index) => {
      const lines = card.rows.reduce((sum, row) => sum + this.broken(row).length, 0);
      add(lines + (this.isNamed(index) ? 1 : 0));
    });
    for (const group of this.ends) {
      const words = this.wrong ? [this.wrong] : group.map((it) => this.reason(it));
      const lines = words.map((text) => this.broken({ text }).length);
      add(Math.max(...lines) + (this.isSpread && !this.wrong ? 1 : 0));
    }
    return tops;
  }

  /** Whether a card says whose it is: where its lane does not, and the card above is another's. */
  isNamed(index) {
    const { cards } = this.execution;
    return this.isSpread && cards[index].thread !== cards[index - 1]?.thread;
  }

  /** The lines of a text in a card, or of what is wrong below all of them. */
  broken({ text, kind }) {
    const most = text === this.wrong ? this.width * this.lanes.length - 16
      : this.isSpread ? Math.min(this.room - 8, WIDEST_CARD) : this.width - 16;
    const characters = Math.floor((most - 28 - (kind === EVENT ? 14 : 0)) / glyph());
    return breakLines(text, Math.max(8, characters), MOST_LINES);
  }

  /** Where a box with these rows is from left to right. */
  across(thread, rows) {
    const column = this.column.get(thread);
    if (!this.isSpread) return { left: this.left(column) + 8, width: this.width - 16 };
    const needed = rows.flatMap((row) => this.broken(row)
      .map((line) => line.length * glyph() + 30 + (row.kind === EVENT ? 14 : 0)));
    const name = this.execution.threads[thread].length * 9 + 30;
    const width = Math.ceil(Math.min(this.room - 8, Math.max(120, name, ...needed)));
    const middle = this.left(column) + this.width / 2;
    const right = GUTTER + this.width * this.lanes.length - 4;
    return { left: Math.max(GUTTER + 4, Math.min(middle - width / 2, right - width)), width };
  }

  /** Why a thread is stuck, or what it does next. */
  reason(wait) {
    return wait.why ?? `next: ${wait.told}`;
  }

  /** Shows a position: what comes later is pale. */
  go(position) {
    this.position = position;
    const isEnd = position === this.execution.cards.length;
    this.window.reveal(isEnd && this.ends.length > 0 ? position : Math.max(0, position - 1));
  }

  paint(first, last) {
    if (!this.execution) return;
    const { cards } = this.execution;
    const shown = [];
    for (let column = 0; column < this.lanes.length; column += 1) {
      const rule = make("div", { class: `rule ${hue(this.lanes[column])}` });
      place(rule, { left: this.left(column) + this.width / 2 });
      shown.push(rule);
    }
    for (let index = first; index < Math.min(last, cards.length); index += 1) {
      shown.push(...this.card(index));
    }
    for (let index = Math.max(first, cards.length); index < last; index += 1) {
      shown.push(...this.end(index));
    }
    this.body.replaceChildren(...shown);
    this.link(first, last);
  }

  left(column) {
    return GUTTER + column * this.width;
  }

  card(index) {
    const card = this.execution.cards[index];
    const isNow = index === this.position - 1;
    const failed = card.rows.some((row) => row.kind === FAILURE);
    const state = `${isNow ? " now" : ""}${index >= this.position ? " later" : ""}`;
    const again = card.last >= this.execution.repeatsFrom;
    const number = make("div", {
      class: `number${state}${again ? " again" : ""}`, title: again ? "repeated for ever" : null,
    }, `${again ? "↻ " : ""}${stepsOf(card).replace(" to ", "–")}`);
    const rows = card.rows.map((row) => make("div", {
      class: ["source", "event", "failure"][row.kind], title: row.text,
    }, this.broken(row).join("\n") || " "));
    const name = this.isNamed(index) ? this.whose(card.thread) : null;
    const box = make("div", {
      class: `card ${hue(card.thread)}${state}${failed ? " failed" : ""}`,
      "aria-current": isNow ? "step" : null,
      onclick: () => this.select(index + 1),
    }, name, ...rows);
    place(number, { top: this.tops[index] + PADDING });
    place(box, {
      top: this.tops[index], height: this.tops[index + 1] - this.tops[index] - GAP,
      ...this.across(card.thread, card.rows),
    });
    return [number, box];
  }

  whose(thread) {
    return make("div", { class: `who card-name ${hue(thread)}` }, this.execution.threads[thread]);
  }

  /** Where threads are stuck, or stand before a race, below the last step. */
  end(index) {
    const count = this.execution.cards.length;
    const later = this.position < count ? " later" : "";
    const mark = make("div", { class: `number${later}` }, index === count ? "end" : "");
    place(mark, { top: this.tops[index] + PADDING });
    const [top, height] = [this.tops[index], this.tops[index + 1] - this.tops[index] - GAP];
    if (this.wrong) {
      const box = make("div", { class: `stuck${later}`, onclick: () => this.select(count) },
        this.broken({ text: this.wrong }).join("\n"));
      const width = this.width * this.lanes.length - 16;
      place(box, { left: this.left(0) + 8, top, width, height });
      return [mark, box];
    }
    const boxes = (this.ends[index - count] ?? []).map((wait) => {
      const words = this.reason(wait);
      const box = make("div", {
        class: `stuck ${hue(wait.thread)}${later}`, title: words,
        onclick: () => this.select(count),
      }, this.isSpread ? this.whose(wait.thread) : null, this.broken({ text: words }).join("\n"));
      place(box, { top, height, ...this.across(wait.thread, [{ text: words }]) });
      return box;
    });
    return [mark, ...boxes];
  }

  /** The row of a card; behind the last, that of what a thread does next. */
  rowOf(index, thread) {
    const count = this.execution.cards.length;
    if (index < count || this.ends.length < 2) return index;
    const group = this.ends.findIndex((stuck) => stuck.some((it) => it.thread === thread));
    return count + Math.max(0, group);
  }

  /** The arrows between the cards that can be seen. */
  link(first, last) {
    const top = this.tops[first] ?? 0;
    const height = (this.tops[last] ?? this.tops[this.tops.length - 1]) - top;
    place(this.arrows, { top, width: GUTTER + this.width * this.lanes.length, height });
    const now = this.position - 1;
    const seen = this.execution.links.filter((link) => {
      if (link.to === this.execution.cards.length && !this.column.has(link.thread)) return false;
      const mine = link.from === now || link.to === now;
      // Where lanes are narrow, arrows would run across what is to be read.
      const isShown = mine || link.kind !== "value" && !this.isSpread;
      return link.to >= first && link.from < last && isShown;
    });
    const most = 400;
    const arrows = seen.slice(-most);
    const labels = labelsOf(arrows.filter((link) => link.from === now || link.to === now));
    const paths = arrows.map((link) => this.arrow(link, top, now, labels.get(link)));
    if (last > this.execution.cards.length) paths.push(...this.unordered(top));
    this.arrows.replaceChildren(...paths);
  }

  /** What nothing orders: the two accesses of a race. */
  unordered(top) {
    const accesses = this.execution.ending?.race?.accesses ?? [];
    const columns = accesses.map((access) => this.column.get(access.thread));
    if (columns.length < 2 || columns.includes(undefined) || this.isSpread) return [];
    const [left, right] = columns.sort((a, b) => a - b).map((column) => this.left(column));
    const index = this.execution.cards.length;
    const y = (this.tops[index] + this.tops[index + 1] - GAP) / 2 - top;
    const [x, end] = [left + this.width - 8, right + 8];
    return [draw("g", { class: "unordered" },
      draw("title", {}, "nothing orders these accesses"),
      draw("path", { d: `M${x} ${y}L${end} ${y}` }),
      draw("text", { x: (x + end) / 2, y: y + 5, "text-anchor": "middle" }, "≠"))];
  }

  arrow(link, top, now, label) {
    const [from, to] = [link.from, link.to].map((index) => {
      const thread = this.execution.cards[index]?.thread ?? link.thread;
      const row = this.rowOf(index, thread);
      return {
        column: this.column.get(thread), top: this.tops[row] - top,
        bottom: (this.tops[row + 1] ?? this.tops[row]) - GAP - top,
      };
    });
    const right = to.column > from.column;
    if (this.isSpread) return this.upright(link, from, to, now, label);
    const start = { x: this.left(from.column) + (right ? this.width - 8 : 8), y: from.bottom - 11 };
    const end = { x: this.left(to.column) + (right ? 8 : this.width - 8), y: to.top + 12 };
    const bend = Math.max(14, Math.abs(end.x - start.x) / 2) * (right ? 1 : -1);
    const curve = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ` +
      `${end.x - bend} ${end.y} ${end.x} ${end.y}`;
    const tip = right ? -7 : 7;
    const head = `M${end.x + tip} ${end.y - 4}L${end.x} ${end.y}L${end.x + tip} ${end.y + 4}`;
    return this.drawn(link, now, { curve, head, label, start, end });
  }

  /** An arrow from the bottom of a card to the top of a later one. */
  upright(link, from, to, now, label) {
    const x = (column) => this.left(column) + this.width / 2;
    const [start, end] = [{ x: x(from.column), y: from.bottom }, { x: x(to.column), y: to.top }];
    const bend = Math.max(10, (end.y - start.y) / 2);
    const curve = `M${start.x} ${start.y}C${start.x} ${start.y + bend} ` +
      `${end.x} ${end.y - bend} ${end.x} ${end.y}`;
    const head = `M${end.x - 4} ${end.y - 7}L${end.x} ${end.y}L${end.x + 4} ${end.y - 7}`;
    return this.drawn(link, now, { curve, head, label, start, end });
  }

  drawn(link, now, { curve, head, label, start, end }) {
    const mine = link.from === now || link.to === now;
    const later = Math.min(link.to, this.execution.cards.length - 1) > now && !mine;
    const name = `${link.kind}${mine ? " mine" : ""}${later ? " later" : ""}`;
    const parts = [draw("path", { d: curve }), draw("path", { d: head })];
    if (label) {
      parts.push(draw("text", {
        x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 - 5, "text-anchor": "middle",
      }, label));
    }
    return draw("g", { class: name }, draw("title", {}, `${link.kind} ${link.object}`), ...parts);
  }
}

/** How many letters two names have in common at their beginnings; a number is not taken apart. */
function shared(name, other) {
  let count = 0;
  while (count < name.length && name[count] === other[count]) count += 1;
  while (count > 0 && /\d/u.test(name[count - 1])) count -= 1;
  return count < name.length ? count : 0;
}

/** What links are about. Those between the same two cards lie upon each other; the last has it all. */
function labelsOf(links) {
  const groups = new Map();
  for (const link of links) {
    const ends = `${link.from} ${link.to} ${link.thread}`;
    groups.set(ends, [...(groups.get(ends) ?? []), link]);
  }
  return new Map([...groups.values()].map((group) => {
    const objects = new Set(group.map((link) => link.object).filter(Boolean));
    return [group.at(-1), shorten([...objects].join(", "), LONGEST_LABEL)];
  }));
}

/** Puts an element somewhere. */
function place(element, pixels) {
  for (const [side, length] of Object.entries(pixels)) element.style[side] = `${length}px`;
}

/** The width of a character of the font that code is written in. */
function glyph() {
  if (!glyph.width) {
    const probe = make("span", { class: "source probe" }, "0".repeat(100));
    document.body.append(probe);
    glyph.width = probe.getBoundingClientRect().width / 100;
    probe.remove();
  }
  return glyph.width;
}

/** A text in lines of so many characters: between words, or else between the parts of a name. */
function breakLines(text, columns, most) {
  const lines = [];
  let rest = text;
  while (rest.length > columns && lines.length + 1 < most) {
    const space = rest.lastIndexOf(" ", columns);
    const part = Math.max(...[".", "(", ",", "/"].map((it) => rest.lastIndexOf(it, columns - 1)));
    const end = space > 0 ? space : part > 0 ? part + 1 : columns;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  lines.push(shorten(rest, columns));
  return lines;
}
