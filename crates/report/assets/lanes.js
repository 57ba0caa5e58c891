// The swim lanes: one column for each thread, time goes down, arrows where one thread acts on
// another. Only what can be seen is there.

const LINE = 20;
const PADDING = 7;
const GAP = 10;
const GUTTER = 52;
const LEAST_LANE = 170;
const MOST_LINES = 5;
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
    const names = this.lanes.map((thread) => make("div", {
      class: `lane-name ${hue(thread)}`, title: execution.threads[thread],
    }, execution.threads[thread]));
    this.header.replaceChildren(make("div", { class: "lane-step" }, "step"), ...names);
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
    const room = this.element.clientWidth - GUTTER - 2;
    const width = Math.max(LEAST_LANE, Math.floor(room / Math.max(1, this.lanes.length)));
    if (width !== this.width) {
      this.width = width;
      this.tops = this.layOut();
    }
    this.isWide = this.width * this.lanes.length > room;
    const columns = `${GUTTER}px repeat(${this.lanes.length}, ${this.width}px)`;
    this.header.style.gridTemplateColumns = columns;
    const wide = `${GUTTER + this.width * this.lanes.length}px`;
    this.canvas.style.width = wide;
    this.header.style.width = wide;
    this.window.set(this.tops);
  }

  /** The top of each card. Texts are broken here, so that their lines can be counted. */
  layOut() {
    const tops = [GAP];
    const add = (count) => tops.push(tops[tops.length - 1] + count * LINE + 2 * PADDING + GAP);
    for (const card of this.execution.cards) {
      add(card.rows.reduce((sum, row) => sum + this.broken(row).length, 0));
    }
    if (this.hasEnd) {
      const words = this.wrong ? [this.wrong] : this.stuck.map((it) => this.reason(it));
      add(Math.max(...words.map((text) => this.broken({ text }).length)));
    }
    return tops;
  }

  /** The lines of a text in a card, or of what is wrong below all of them. */
  broken({ text, kind }) {
    const width = text === this.wrong ? this.width * this.lanes.length : this.width;
    const characters = Math.floor((width - 44 - (kind === EVENT ? 14 : 0)) / glyph());
    return breakLines(text, Math.max(8, characters), MOST_LINES);
  }

  /** Why a thread is stuck, or what it does next. */
  reason(wait) {
    return wait.why ?? `next: ${wait.told}`;
  }

  /** Shows a position: what comes later is pale. */
  go(position) {
    this.position = position;
    const last = this.execution.cards.length;
    const isEnd = position === last && this.hasEnd;
    this.window.reveal(isEnd ? last : Math.max(0, position - 1));
    this.revealLane(this.execution.cards[position - 1]?.thread);
  }

  /** Scrolls sideways such that the lane of a thread can be seen. */
  revealLane(thread) {
    const column = this.column.get(thread);
    if (column === undefined || !this.isWide) return;
    const { scrollLeft, clientWidth } = this.element;
    const left = Math.min(scrollLeft, this.left(column) - GUTTER);
    this.element.scrollLeft = Math.max(left, this.left(column) + this.width - clientWidth);
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
    if (last > cards.length) shown.push(...this.ends());
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
    const number = make("div", { class: `number${state}` }, stepsOf(card).replace(" to ", "–"));
    const rows = card.rows.map((row) => make("div", {
      class: ["source", "event", "failure"][row.kind], title: row.text,
    }, this.broken(row).join("\n") || " "));
    const box = make("div", {
      class: `card ${hue(card.thread)}${state}${failed ? " failed" : ""}`,
      "aria-current": isNow ? "step" : null,
      onclick: () => this.select(index + 1),
    }, ...rows);
    place(number, { top: this.tops[index] + PADDING });
    place(box, {
      left: this.left(this.column.get(card.thread)) + 8, top: this.tops[index],
      width: this.width - 16, height: this.tops[index + 1] - this.tops[index] - GAP,
    });
    return [number, box];
  }

  /** Where threads are stuck, or stand before a race, below the last step. */
  ends() {
    const index = this.execution.cards.length;
    const later = this.position < index ? " later" : "";
    const mark = make("div", { class: `number${later}` }, "end");
    place(mark, { top: this.tops[index] + PADDING });
    if (this.wrong) {
      const box = make("div", { class: `stuck${later}`, onclick: () => this.select(index) },
        this.broken({ text: this.wrong }).join("\n"));
      const width = this.width * this.lanes.length - 16;
      const height = this.tops[index + 1] - this.tops[index] - GAP;
      place(box, { left: this.left(0) + 8, top: this.tops[index], width, height });
      return [mark, box];
    }
    const boxes = this.stuck.map((wait) => {
      const words = this.reason(wait);
      const box = make("div", {
        class: `stuck ${hue(wait.thread)}${later}`, title: words,
        onclick: () => this.select(index),
      }, this.broken({ text: words }).join("\n"));
      place(box, {
        left: this.left(this.column.get(wait.thread)) + 8, top: this.tops[index],
        width: this.width - 16, height: this.tops[index + 1] - this.tops[index] - GAP,
      });
      return box;
    });
    return [mark, ...boxes];
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
      return link.to >= first && link.from < last && (link.kind !== "value" || mine);
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
    if (columns.length < 2 || columns.includes(undefined)) return [];
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
      const column = this.column.get(this.execution.cards[index]?.thread ?? link.thread);
      return { column, top: this.tops[index] - top, bottom: this.tops[index + 1] - GAP - top };
    });
    const right = to.column > from.column;
    const start = { x: this.left(from.column) + (right ? this.width - 8 : 8), y: from.bottom - 11 };
    const end = { x: this.left(to.column) + (right ? 8 : this.width - 8), y: to.top + 12 };
    const bend = Math.max(14, Math.abs(end.x - start.x) / 2) * (right ? 1 : -1);
    const curve = `M${start.x} ${start.y}C${start.x + bend} ${start.y} ` +
      `${end.x - bend} ${end.y} ${end.x} ${end.y}`;
    const tip = right ? -7 : 7;
    const head = `M${end.x + tip} ${end.y - 4}L${end.x} ${end.y}L${end.x + tip} ${end.y + 4}`;
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

/** A text in lines of so many characters, between words where possible. */
function breakLines(text, columns, most) {
  const lines = [];
  let rest = text;
  while (rest.length > columns && lines.length + 1 < most) {
    const space = rest.lastIndexOf(" ", columns);
    const end = space > 0 ? space : columns;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  lines.push(shorten(rest, columns));
  return lines;
}
