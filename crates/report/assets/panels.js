// What stands beside the lanes: the source, the values, the threads, and the step in words.

/** The source, with the lines where threads are. */
class SourcePane {
  constructor(sources) {
    this.sources = sources;
    this.file = null;
    this.body = make("div", { class: "code-body" });
    this.element = make("div", {
      class: "code", tabindex: "0", role: "group", "aria-label": "Source",
    }, this.body);
    this.choice = make("select", {
      "aria-label": "File", onchange: () => this.open(Number(this.choice.value)),
    }, ...sources.map((source, index) => make("option", { value: index }, source.name)));
    this.title = make("h2", {}, "Source");
    this.pane = make("section", { class: "panel source-panel", "aria-label": "Source" },
      make("div", { class: "panel-head" }, this.title,
        sources.length > 1 ? this.choice : make("span", { class: "faint" }, make("bdi", {}, sources[0]?.name ?? ""))),
      this.element);
    this.window = new Window(this.element, this.body, (first, last) => this.paint(first, last));
    this.colours = new Map();
    this.now = [];
    this.marks = new Map();
  }

  /** Shows the lines of a card, and where the threads stand; each is a file and a line. */
  show(lines, stands, thread, bad) {
    this.now = lines;
    this.thread = thread;
    this.bad = bad;
    this.marks = new Map();
    for (const stand of stands) {
      const key = String(stand.place);
      this.marks.set(key, [...(this.marks.get(key) ?? []), stand]);
    }
    const first = lines[0] ?? stands[0]?.place ?? [this.file ?? 0, 1];
    this.open(this.sources[first[0]] ? first[0] : 0, first[1] - 1);
  }

  open(file, line) {
    if (file !== this.file) {
      this.file = file;
      this.choice.value = String(file);
      this.lines = this.sources[file]?.lines ?? null;
      const count = this.lines?.length ?? 1;
      const offsets = Array.from({ length: count + 1 }, (_, index) => index * LINE);
      this.window.set(offsets);
    }
    if (line !== undefined) this.window.reveal(line, 70);
    else this.window.now();
  }

  paint(first, last) {
    if (!this.lines) {
      this.body.replaceChildren(make("p", { class: "faint" }, "The source is not in this report."));
      return;
    }
    const digits = String(this.lines.length).length;
    if (!this.colours.has(this.file)) {
      this.colours.set(this.file, coloured(this.lines, this.sources[this.file].name));
    }
    const coloursOf = this.colours.get(this.file);
    const rows = [];
    for (let index = first; index < Math.min(last, this.lines.length); index += 1) {
      const key = String([this.file, index + 1]);
      const isNow = this.now.some((place) => String(place) === key);
      const stands = this.marks.get(key) ?? [];
      // A dot can always be seen, the name where there is room for it.
      const most = 3;
      const shown = stands.slice(0, most);
      const dots = shown.map((stand) => make("span", {
        class: `dot ${hue(stand.thread)}`, title: `${stand.name} is about to do this`,
      }));
      const tags = shown.map((stand) => make("span", { class: `tag ${hue(stand.thread)}` }, stand.name));
      if (stands.length > most) tags.push(make("span", { class: "tag" }, `+${stands.length - most}`));
      const row = make("div", {
        class: `code-line${isNow ? ` now ${hue(this.thread)}` : ""}${
          String(this.bad) === key ? " bad" : ""}`,
        "aria-current": isNow ? "true" : null,
      },
        make("span", { class: "dots" }, ...dots),
        make("span", { class: "line-number" }, String(index + 1).padStart(digits)),
        make("code", {}, ...coloursOf(index)), ...tags);
      place(row, { top: index * LINE });
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }
}

/** The shared variables, with what the last step has changed. */
class ValuesPane {
  constructor() {
    this.filter = make("input", {
      type: "search", placeholder: "filter", "aria-label": "Show variables with this in their name",
      oninput: () => this.paint(),
    });
    this.body = make("tbody");
    this.more = make("p", { class: "faint" });
    this.element = section("Shared variables", { class: "panel values-panel" },
      make("div", { class: "scroll" }, make("table", { class: "values" },
        make("caption", { class: "unseen" }, "Shared variables and their values"), this.body), this.more));
    this.element.prepend(make("div", { class: "panel-head" },
      this.element.querySelector("h2"), this.filter));
  }

  show(execution, position) {
    [this.execution, this.position] = [execution, position];
    this.paint();
  }

  paint() {
    const most = 300;
    const wanted = this.filter.value.toLowerCase();
    const { execution, position } = this;
    const values = execution.values
      .filter((it) => it.name.toLowerCase().includes(wanted))
      .map((it) => ({ name: it.name, ...execution.valueOf(it, position) }))
      .filter((it) => it.value !== null || it.changed);
    this.filter.hidden = execution.values.length < 12;
    // Those of a library are in the steps only, so that none here does not mean none at all.
    this.element.style.display = execution.values.length === 0 ? "none" : "";
    const told = values.slice(0, most);
    const owners = told.map((it) => splitName(it.name)[0]);
    const rows = told.flatMap((it, index) => this.row(it, owners, index));
    this.body.replaceChildren(...rows);
    const hidden = values.length - told.length;
    const lost = execution.unrecorded !== null && position > execution.unrecorded;
    this.more.textContent = [
      hidden > 0 ? `and ${hidden} more` : "",
      values.length === 0 ? "none" : "",
      lost ? "Values were not recorded from here on." : "",
    ].filter(Boolean).join(". ");
  }

  /** The row of a value; the first of several of one object comes below the name of that. */
  row(it, owners, index) {
    const owner = owners[index];
    const isGroup = owner && (owners[index - 1] === owner || owners[index + 1] === owner);
    const name = isGroup ? splitName(it.name)[1] : it.name;
    const head = isGroup && owners[index - 1] !== owner
      ? [make("tr", { class: "owner" }, make("th", { colspan: "2", scope: "rowgroup" }, ...breakable(owner)))]
      : [];
    const hidden = isGroup ? make("span", { class: "unseen" }, `${owner}.`) : null;
    return [...head, make("tr", { class: `${it.changed ? "changed" : ""}${isGroup ? " part" : ""}` },
      make("th", { scope: "row" }, hidden, ...breakable(name)),
      make("td", {}, ...(it.changed && it.before !== null
        ? [make("del", { "aria-label": `was ${it.before}` }, it.before), " → "] : []),
      it.value === null ? make("em", {}, "gone") : it.value))];
  }
}

/** The step in words, for those who listen and for those who want to read all of it. */
class StepPane {
  constructor(sources, select) {
    this.sources = sources;
    this.select = select;
    this.title = make("h2", {});
    this.body = make("div", { class: "scroll" });
    this.element = make("section", {
      class: "panel step-panel", "aria-label": "This step", "aria-live": "polite",
    }, this.title, this.body);
  }

  show(execution, position) {
    if (position === 0) {
      this.title.replaceChildren("Before the first step");
      this.body.replaceChildren(make("p", { class: "faint" },
        `${execution.steps} ${execution.steps === 1 ? "step" : "steps"} follow.`));
      return;
    }
    const card = execution.cards[position - 1];
    const several = card.last > card.first ? "Steps" : "Step";
    this.title.replaceChildren(`${several} ${stepsOf(card)} of ${execution.steps} · `,
      make("span", { class: `who ${hue(card.thread)}` }, execution.threads[card.thread]));
    const rows = card.rows.map((row) => make("div", {
      class: ["source", "event", "failure"][row.kind],
    }, row.text));
    // Where a step goes on with a statement, the lanes do not show that again.
    if (card.place && card.rows[0]?.kind !== SOURCE) {
      const line = this.sources[card.place[0]]?.lines?.[card.place[1] - 1];
      if (line) rows.unshift(make("div", { class: "source faint" }, line.trim()));
    }
    const links = (execution.byCard.get(position - 1) ?? []).map((link) => {
      const isFrom = link.from === position - 1;
      const other = isFrom ? link.to : link.from;
      const card = execution.cards[other];
      const name = execution.threads[card?.thread ?? link.thread];
      return make("li", {}, this.phrase(link, isFrom, name), card ? ", " : null,
        card && make("button", { class: "plain", type: "button", onclick: () => this.select(other + 1) },
          `step ${card.first + 1}`));
    });
    this.body.replaceChildren(...rows, make("ul", { class: "links" }, ...links));
  }

  phrase(link, isFrom, name) {
    const { kind, object } = link;
    const words = {
      release: [`hands ${object} over to ${name}`, `gets ${object} from ${name}`],
      notify: [`wakes up ${name}`, `was woken up by ${name}`],
      start: [`starts ${name}`, `was started by ${name}`],
      join: [`ends, which ${name} waits for`, `waited for the end of ${name}`],
      signal: [`raises ${object} for ${name}`, `lowers ${object}, raised by ${name}`],
      message: [`sends by ${object} to ${name}`, `receives by ${object} from ${name}`],
      value: [`writes ${object}, read by ${name}`, `reads ${object} as written by ${name}`],
    }[kind];
    return words[isFrom ? 0 : 1];
  }
}

/** Where the threads stand. */
class ThreadsPane {
  constructor(sources) {
    this.sources = sources;
    this.body = make("ul", { class: "threads scroll" });
    this.element = section("Threads", { class: "panel threads-panel" }, this.body);
  }

  show(execution, position) {
    const items = execution.threads.map((name, thread) => {
      const at = execution.placeOf(thread, position);
      const line = at && this.sources[at[0]]?.lines?.[at[1] - 1];
      const where = at ? `line ${at[1]}: ${line ? line.trim() : ""}`
        : execution.isBorn(thread, position) ? "" : "not started yet";
      return make("li", {},
        make("span", { class: `who ${hue(thread)}` }, name), " ",
        make("span", { class: "where", title: where }, where));
    });
    this.body.replaceChildren(...items);
  }
}

/** The object of a variable and the rest of its name: `Bank.Account#1` and `lock`. */
function splitName(name) {
  // What is in brackets may be any text.
  const point = name.replace(/\[.*\]/u, (it) => "_".repeat(it.length)).lastIndexOf(".");
  return point > 0 ? [name.slice(0, point), name.slice(point + 1)] : ["", name];
}

/** A name that may be broken between its parts, and nowhere else unless it has to be. */
function breakable(name) {
  return name.split(/(?<=[.[\]])/u).flatMap((part) => [part, make("wbr")]);
}
