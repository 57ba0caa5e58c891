// The page on which a person walks through the states of a program.

const { file, sources, view: first } = pageData();

let view = first;
let execution = null;
let position = 0;
let busy = false;

const stage = new Stage(sources, (wanted) => show(wanted));
const message = make("p", { class: "message", role: "status" });
const choices = make("div", { class: "choices" });
const graph = make("div", { class: "scroll graph" });
const wanted = make("input", {
  type: "text", placeholder: "find a state where …", "aria-label": "Find the nearest state where this holds",
  size: 34, spellcheck: "false",
});
const back = make("button", { type: "button", title: "Back (Backspace)", onclick: () => goBack() }, "◀ back");
const here = make("button", { type: "button", onclick: () => act({ do: "back", to: stepsAt(position) }) },
  "return to this step");
const restart = make("button", { type: "button", title: "From the beginning (Home)",
  onclick: () => act({ do: "back", to: 0 }) }, "|◀ restart");

/** Asks the explorer for something, and shows what comes of it. */
async function act(wish) {
  if (busy) return;
  busy = true;
  document.body.dataset.busy = "true";
  message.textContent = wish.do === "find" ? "searching …" : "";
  try {
    const answer = await fetch("act", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish),
    });
    if (!answer.ok) throw new Error(answer.statusText);
    view = await answer.json();
    render();
    message.textContent = view.message ?? "";
  } catch (error) {
    message.textContent = `raddle does not answer (${error.message}); it may have been ended.`;
  }
  busy = false;
  document.body.dataset.busy = "false";
}

function render() {
  execution = new Execution(view.execution);
  stage.show(execution);
  choices.replaceChildren(...view.threads.map((thread, index) => threadCard(thread, index)));
  graph.replaceChildren(stateGraph(view.graph, execution.threads, (state) => act({ do: "go", state })));
  graph.querySelector(".current")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  show(execution.cards.length);
}

function show(wish) {
  position = Math.max(0, Math.min(execution.cards.length, wish));
  stage.go(position);
  const isLast = position === execution.cards.length;
  here.hidden = isLast;
  back.disabled = execution.steps === 0;
  restart.disabled = execution.steps === 0;
  wrong.textContent = isLast ? view.wrong : "";
  document.body.dataset.step = String(execution.steps);
  document.body.dataset.state = String(view.graph.current);
}

/** The number of steps before a position. */
function stepsAt(at) {
  return at === 0 ? 0 : execution.cards[at - 1].last + 1;
}

function goBack() {
  if (execution.steps > 0) act({ do: "back", to: execution.steps - 1 });
}

/** What a thread can do next, or why it cannot. */
function threadCard(thread, index) {
  const at = view.execution.next[index];
  const line = at && sources[at[0]]?.lines?.[at[1] - 1];
  // The key of a thread stays the same, whoever else can move.
  const key = index < 9 && thread.moves.length > 0 ? String(index + 1) : null;
  const moves = thread.moves.map((move, choice) => {
    const told = move.told.join("; ");
    return make("button", {
      type: "button", class: `move${move.fails ? " fails" : ""}`, "data-key": choice === 0 ? key : null, title: told,
      onclick: () => act({ do: "take", thread: move.thread, choice: move.choice }),
    },
      choice === 0 && key ? make("kbd", {}, key) : null, " ", ...breakable(shorten(told, 120)),
      move.known === null ? null : make("span", { class: "faint" }, ` → state ${move.known}`));
  });
  const run = thread.moves.length === 1 ? make("button", {
    type: "button", class: "run", title: "Run to the next step that others can notice",
    onclick: () => act({ do: "run", thread: index }),
  }, "▶▶") : null;
  const state = { ready: "", blocked: "blocked", done: "finished", stopped: "stopped" }[thread.status];
  return make("div", { class: `thread ${thread.status} ${hue(index)}` },
    make("div", { class: "thread-head" }, make("span", { class: "who" }, thread.name),
      state ? make("span", { class: "faint" }, state) : null, run),
    make("div", { class: "where", title: line ?? "" }, at ? `${at[1]}: ${(line ?? "").trim()}` : " "),
    ...moves,
    thread.hidden > 0 ? make("p", { class: "faint" }, `and ${thread.hidden} more choices`) : null,
    thread.why ? make("div", { class: "why" }, thread.why) : null);
}

const wrong = make("p", { class: "lead bad", "aria-live": "polite" });
const find = make("form", { class: "find" }, wanted, make("button", {}, "find"));
find.addEventListener("submit", (event) => {
  event.preventDefault();
  act({ do: "find", what: wanted.value });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  // Where there is a choice, the key leads to it.
  const hasChoice = button?.parentElement.querySelectorAll(".move").length > 1;
  if (button && hasChoice) button.focus();
  else if (button) button.click();
  else if (event.key === "Backspace") goBack();
  else if (event.key === "Home") act({ do: "back", to: 0 });
  else if (event.key === "ArrowLeft") show(position - 1);
  else if (event.key === "ArrowRight") show(position + 1);
  else if (event.key === "/") wanted.focus();
  else return;
  event.preventDefault();
});

stage.threads.element.replaceWith(section("States so far", { class: "panel graph-panel" }, graph));
document.body.append(
  make("header", {},
    make("h1", {}, make("span", { class: "verdict" }, "explore"), " ", make("span", { class: "file" }, file)),
    make("div", { class: "brand" }, "raddle"),
    wrong),
  make("main", {},
    section("What can happen next", { class: "next" }, choices),
    make("div", { class: "toolbar", role: "toolbar", "aria-label": "Walk" },
      back, restart, here, find, message,
      make("span", { class: "keys faint" }, make("kbd", {}, "1"), "…", make("kbd", {}, "9"), " that thread  ",
        make("kbd", {}, "Backspace"), " back  ", make("kbd", {}, "/"), " find")),
    stage.element));
render();
document.body.dataset.ready = "true";
