// Elements are made here and nowhere else. What comes from a program becomes text nodes only.

/** An element with properties and children; a child that is no node becomes text. */
function make(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for pictures. */
function draw(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A titled part of the page. */
function section(title, properties, ...children) {
  return make("section", { ...properties, "aria-label": title },
    make("h2", {}, title), ...children);
}

/** The class that gives an element the colour of a thread. */
function hue(thread) {
  return `t${thread % 8}`;
}

/** What the page was given. */
function pageData() {
  return JSON.parse(document.getElementById("data").textContent);
}

/**
 * Shows those of many rows that can be seen. `offsets` has the top of each row, and at its end
 * the height of all; `paint` gets the first row that is seen and the one behind the last.
 */
class Window {
  constructor(scroller, canvas, paint) {
    this.scroller = scroller;
    this.canvas = canvas;
    this.paint = paint;
    this.offsets = [0];
    this.due = false;
    // Kept here, because to ask the page for them takes a new layout each time.
    this.top = 0;
    this.height = 0;
    // What is to be seen stays so when there is another amount of room, until somebody scrolls.
    this.revealed = null;
    // So much of the top is covered by what stays there.
    this.inset = 0;
    scroller.addEventListener("scroll", () => {
      if (Math.abs(scroller.scrollTop - this.top) > 1) this.revealed = null;
      this.later();
    }, { passive: true });
    new ResizeObserver(() => {
      [this.height, this.top] = [scroller.clientHeight, scroller.scrollTop];
      if (this.revealed) this.reveal(...this.revealed);
      else this.later();
    }).observe(scroller);
  }

  set(offsets) {
    this.offsets = offsets;
    [this.height, this.top] = [this.scroller.clientHeight, this.scroller.scrollTop];
    this.canvas.style.height = `${offsets[offsets.length - 1]}px`;
    this.now();
  }

  later() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.top = this.scroller.scrollTop;
      this.now();
    });
  }

  now() {
    const margin = 200;
    const top = this.top - margin;
    const bottom = this.top + this.height + margin;
    const rows = this.offsets.length - 1;
    const first = Math.max(0, rowAt(this.offsets, top));
    const last = Math.min(rows, rowAt(this.offsets, bottom) + 1);
    this.paint(first, last);
  }

  /** Scrolls such that a row can be seen, with some room around it. */
  reveal(row, room = 90) {
    this.revealed = [row, room];
    const [top, bottom] = [this.offsets[row] ?? 0, this.offsets[row + 1] ?? 0];
    const height = this.height - this.inset;
    const space = Math.min(room, Math.max(0, (height - (bottom - top)) / 2));
    let wanted = this.top;
    if (top - space < wanted) wanted = top - space;
    else if (bottom + space > wanted + height) wanted = bottom + space - height;
    if (wanted !== this.top) {
      this.top = Math.max(0, Math.min(wanted, this.offsets[this.offsets.length - 1] + 60 - height));
      this.scroller.scrollTop = this.top;
    }
    this.now();
  }
}

/** The last row that begins at or above a height. */
function rowAt(offsets, height) {
  let [low, high] = [0, offsets.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsets[middle] <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}
