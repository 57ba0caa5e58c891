// The lanes with all that stands beside them, at one position.

class Stage {
  constructor(sources, select) {
    this.lanes = new Lanes(select);
    this.source = new SourcePane(sources);
    this.values = new ValuesPane();
    this.step = new StepPane(sources, select);
    this.threads = new ThreadsPane(sources);
    this.element = make("div", { class: "stage" },
      this.lanes.element,
      make("div", { class: "beside" }, this.step.element, this.source.pane,
        make("div", { class: "below" }, this.values.element, this.threads.element)));
    new ResizeObserver(() => this.fit()).observe(document.body);
  }

  /** Ends where the window does, so that all of it can be seen at once. */
  fit() {
    const above = this.element.getBoundingClientRect().top + scrollY;
    this.element.style.setProperty("--above", `${Math.round(above)}px`);
  }

  show(execution) {
    this.execution = execution;
    this.element.classList.toggle("many", execution.lanes().length > 3);
    this.lanes.show(execution);
    const lines = Math.max(0, ...this.source.sources.map((source) => source.lines?.length ?? 0));
    const height = Math.max(this.lanes.height(), lines * LINE + 400);
    this.element.style.setProperty("--content", `${height}px`);
    this.fit();
  }

  go(position) {
    const { execution } = this;
    const card = execution.cards[position - 1];
    const isEnd = position === execution.cards.length;
    const lines = card ? card.rows.map((row) => row.place).filter(Boolean) : [];
    if (card?.place) lines.unshift(card.place);
    const stands = execution.threads.flatMap((name, thread) => {
      const at = execution.placeOf(thread, position);
      return at ? [{ name, thread, place: at }] : [];
    });
    const bad = isEnd ? execution.ending?.place : null;
    this.lanes.go(position);
    this.source.show(lines, stands, card?.thread ?? 0, bad);
    this.values.show(execution, position);
    this.step.show(execution, position);
    this.threads.show(execution, position);
  }
}
