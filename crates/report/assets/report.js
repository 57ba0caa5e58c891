// The page of a run, or of a comparison of reductions.

const data = pageData();
const main = make("main");

function header() {
  const badge = data.verdict
    ? make("span", { class: `verdict ${data.verdict}` }, data.verdict)
    : make("span", { class: "verdict" }, "comparison");
  const [first, ...others] = data.sentences ?? ["the same program under every reduction"];
  return make("header", {},
    make("h1", {}, badge, " ", make("span", { class: "file" }, data.file)),
    make("div", { class: "brand" }, "raddle"),
    ...first.split("\n").map((line) => make("p", { class: "lead" }, line)),
    ...others.map((line) => make("p", {}, line)));
}

/** What is wrong at the end: in words, and who waits for whom as a picture. */
function endingOf(trace) {
  const { ending } = trace;
  // The verdict and the last step say all there is to say of a fault.
  if (ending.waits.length === 0 && !ending.race) return null;
  const waits = ending.waits.map((wait) => make("li", {},
    make("span", { class: `who ${hue(wait.thread)}` }, trace.threads[wait.thread]),
    wait.place ? make("span", { class: "faint" }, ` line ${wait.place[1]} `) : " ",
    wait.why));
  const race = ending.race && [
    make("p", { class: "lead bad" }, `Nothing orders these accesses to ${ending.race.variable}, which come next:`),
    make("ul", {}, ...ending.race.accesses.map((access) => make("li", {}, access.told))),
  ];
  const graph = ending.waits.length > 0 ? waitGraph(ending, trace.threads) : null;
  return section("How it ends", { class: "ending" },
    make("div", { class: "ending-words" },
      race ? null : make("p", { class: "lead bad" }, ending.title),
      waits.length > 0 ? make("ul", {}, ...waits) : null,
      ending.idle ? make("p", { class: "faint" }, ending.idle) : null,
      ending.cycle.length > 0 ? cycleOf(ending, trace.threads) : null,
      ...(race ?? [])),
    graph);
}

/** Who waits for whom in a circle, in a line; each of them says above what it waits for. */
function cycleOf(ending, threads) {
  const around = [...ending.cycle, ending.cycle[0]];
  return make("p", { class: "bad", "aria-label": ending.told }, "The cycle: ", ...around.flatMap((thread, index) =>
    [index > 0 ? " → " : null, make("span", { class: `who ${hue(thread)}` }, threads[thread])]));
}

/** The steps, and all the ways to walk through them. */
function walkthrough(traces) {
  const stage = new Stage(data.sources, (position) => go(position));
  let execution = null;
  let position = 0;
  const ending = make("div");
  const output = make("div");
  const told = make("output", { class: "position" });
  const slider = make("input", {
    type: "range", min: 0, step: 1, "aria-label": "Step", oninput: () => go(Number(slider.value)),
  });
  const button = (label, title, action) =>
    make("button", { type: "button", title, "aria-label": title, onclick: action }, label);
  const choice = make("select", {
    "aria-label": "Violation", onchange: () => open(Number(choice.value)),
  }, ...traces.map((trace, index) => make("option", { value: index }, `${index + 1}. ${trace.title}`)));
  const toolbar = make("div", { class: "toolbar", role: "toolbar", "aria-label": "Walk through the steps" },
    traces.length > 1 ? choice : null,
    button("|◀", "First (Home)", () => go(0)),
    button("◀", "Back (Left)", () => go(position - 1)),
    button("▶", "Next (Right)", () => go(position + 1)),
    button("▶|", "Last (End)", () => go(execution.cards.length)),
    slider, told,
    make("span", { class: "keys faint" },
      make("kbd", {}, "←"), " ", make("kbd", {}, "→"), " step  ",
      make("kbd", {}, "Shift"), " same thread  ",
      make("kbd", {}, "Home"), " ", make("kbd", {}, "End")));

  function open(index) {
    execution = new Execution(traces[index]);
    choice.value = String(index);
    slider.max = String(execution.cards.length);
    ending.replaceChildren(...[endingOf(traces[index])].filter(Boolean));
    output.replaceChildren(...(execution.output
      ? [section("Output of the program", {}, make("pre", {}, execution.output))] : []));
    stage.show(execution);
    go(execution.cards.length);
  }

  function go(wanted) {
    position = Math.max(0, Math.min(execution.cards.length, wanted));
    slider.value = String(position);
    const step = execution.stepAt(position);
    const words = step === 0 ? "before the first step" : `step ${step} of ${execution.steps}`;
    told.textContent = words;
    slider.setAttribute("aria-valuetext", words);
    stage.go(position);
    document.body.dataset.step = String(step);
    const trace = traces.length > 1 ? `trace=${Number(choice.value) + 1}&` : "";
    history.replaceState(null, "", `#${trace}step=${step}`);
  }

  /** The next card of the same thread, forwards or backwards. */
  function along(direction) {
    const thread = execution.cards[Math.max(0, position - 1)]?.thread;
    let wanted = position + direction;
    while (wanted > 0 && wanted <= execution.cards.length &&
      execution.cards[wanted - 1].thread !== thread) wanted += direction;
    if (wanted > 0 && wanted <= execution.cards.length) go(wanted);
  }

  const moves = {
    ArrowRight: 1, ArrowDown: 1, j: 1, ArrowLeft: -1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10,
    Home: -Infinity, End: Infinity,
  };
  document.addEventListener("keydown", (event) => {
    const move = moves[event.key];
    const isTyping = event.target.closest?.("input, select, textarea, .code");
    if (move === undefined || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey && Math.abs(move) === 1) along(move);
    else go(position + move);
  });

  function follow() {
    const wish = new URLSearchParams(location.hash.slice(1));
    const trace = Number(wish.get("trace") ?? 1) - 1;
    if (!execution || (traces[trace] && trace !== Number(choice.value))) open(traces[trace] ? trace : 0);
    if (wish.has("step")) go(execution.positionOf(Number(wish.get("step"))));
  }
  addEventListener("hashchange", follow);
  main.append(ending, section("Steps", { class: "walk" }, toolbar, stage.element), output);
  follow();
}

function definitions(pairs) {
  return make("dl", {}, ...pairs.flatMap(([name, what]) =>
    [make("dt", {}, name), make("dd", {}, what)]));
}

/** What the answer rests on. */
function basis() {
  const notes = data.notes.map(([kind, told]) =>
    make("li", { class: kind }, make("strong", {}, `${kind}: `), told));
  return make("div", { class: "basis" },
    section(data.verdict === "holds" ? "What was proved, and how" : "What was asked", {},
      definitions(data.facts),
      notes.length > 0 ? make("ul", { class: "notes" }, ...notes) : null),
    data.statistics.length > 0 ? section("Statistics", {}, definitions(data.statistics)) : null);
}

/** What executions came to: what they never did, and how often each line was executed. */
function reachOf(reach) {
  const counts = new Map(reach.counts);
  const lines = coloured(data.sources[0].lines ?? [], data.sources[0].name);
  const rows = (data.sources[0].lines ?? []).map((_, index) => {
    const count = counts.get(index + 1);
    return make("tr", { class: count === 0 ? "bad" : "" },
      make("td", { class: "faint" }, String(index + 1)),
      make("td", { class: "figure" }, count === undefined ? "" : String(count)),
      make("td", {}, make("code", {}, ...lines(index))));
  });
  return section("What was reached", { class: "reach" },
    make("p", {}, reach.summary),
    reach.title ? make("p", { class: "lead bad" }, reach.title) : null,
    reach.never.length > 0 ? make("ul", {}, ...reach.never.map((line) => make("li", {}, line))) : null,
    make("div", { class: "scroll-x" }, make("table", { class: "counts" },
      make("thead", {}, make("tr", {}, make("th", {}, "line"), make("th", {}, "times"), make("th", {}))),
      make("tbody", {}, ...rows))));
}

/** The reductions side by side: bars on a logarithmic scale, with their numbers. */
function comparison(title, rows, remarks) {
  const most = Math.max(2, ...rows.map((row) => row.states));
  const share = (row) => {
    if (row.ratio === null) return "–";
    const percent = 100 * row.ratio;
    return `${row.ratio_is_upper_bound ? "< " : ""}${percent.toFixed(percent < 1 ? 3 : 1)} %`;
  };
  const count = (number) => number.toLocaleString("en");
  const time = (seconds) => (seconds < 0.0995 ? `${(1000 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`);
  const lines = rows.map((row) => {
    const bar = make("div", { class: `bar ${row.answer === "unknown" ? "unsure" : ""}` });
    bar.style.width = `${(100 * Math.log1p(row.states)) / Math.log1p(most)}%`;
    return make("tr", {},
      make("th", { scope: "row" }, row.reduction),
      make("td", { class: "bar-cell" }, bar),
      make("td", { class: "figure" }, count(row.states)),
      make("td", { class: "figure" }, share(row)),
      make("td", { class: "figure" }, count(row.transitions)),
      make("td", { class: "figure" }, time(row.elapsed)),
      make("td", {}, row.answer),
      make("td", { class: "faint" }, row.refused));
  });
  const head = ["reduction", "states, logarithmic", "#states", "#of full", "#transitions", "#time",
    "answer", "not preserved, not checked"].map((name) => make("th", {
    scope: "col", class: name.startsWith("#") ? "figure" : null,
  }, name.replace("#", "")));
  return section(title, { class: "comparison" },
    make("div", { class: "scroll-x" }, make("table", {},
      make("thead", {}, make("tr", {}, ...head)),
      make("tbody", {}, ...lines))),
    ...remarks.map((note) => make("p", { class: "faint" }, note)));
}

/** A picture, whose elements come laid out. */
function chart({ title, width, height, elements }) {
  return make("div", { class: "scroll-x" },
    draw("svg", { class: "chart", role: "img", "aria-label": title, width, height, viewBox: `0 0 ${width} ${height}` },
      ...elements.map((element) => draw(element.tag, element.attributes,
        element.title ? draw("title", {}, element.title) : null, element.text))));
}

document.body.append(header(), main);
if (data.traces?.length > 0) walkthrough(data.traces);
if (data.comparison) main.append(comparison("States by reduction", data.comparison, data.notes));
if (data.charts) {
  main.append(section("Curves", { class: "comparison" }, ...data.charts.map(chart)));
  main.append(...data.points.map((point) => comparison(
    `States by reduction, ${data.constant} = ${point.value}`, point.comparison, point.notes)));
}
if (data.unbounded) main.append(...unboundedParts(data.unbounded));
if (data.reach) main.append(reachOf(data.reach));
if (data.facts) main.append(basis());
document.body.append(make("footer", { class: "faint" }, "Written by raddle. Everything is in this file."));
document.body.dataset.ready = "true";
