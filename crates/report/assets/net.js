// Why something holds for any number of threads: predicates, where they hold, and the net.

/** All of it, as far as there is any. */
function unboundedParts({ net, attempts, known, places, transitions }) {
  return [predicatesOf(attempts), knownOf(known), netOf(net, places, transitions)].filter(Boolean);
}

/** The predicates of each way to look at the program, in the order in which they were found. */
function predicatesOf(attempts) {
  if (attempts.length === 0) return null;
  const since = (predicate) => (predicate.since === 0 ? "start" : `run ${predicate.since}`);
  const tables = attempts.flatMap((attempt) => [
    make("p", { class: "lead" }, `${attempt.name}: ${attempt.abstractions} ${
      attempt.abstractions === 1 ? "abstraction" : "abstractions"}; ${attempt.end}.`),
    make("div", { class: "scroll-x" }, make("table", { class: "predicates" },
      make("thead", {}, make("tr", {},
        ...["added", "predicate", "why"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...attempt.predicates.map((predicate) => make("tr", {},
        make("td", { class: "faint" }, since(predicate)),
        make("td", {}, make("code", {}, predicate.text)),
        make("td", { class: "faint" }, predicate.why)))))),
  ]);
  return section("How it was found", { class: "unbounded" },
    make("p", { class: "faint" }, "The program is reduced to these predicates. An abstract run to a violation that no "
      + "execution makes shows what is missing; then a predicate is added, and all begins again."),
    ...tables);
}

/** What is known of threads where they stand. */
function knownOf(known) {
  if (known.length === 0) return null;
  return section("Where the predicates hold", { class: "unbounded" },
    make("div", { class: "scroll-x" }, make("table", { class: "predicates" },
      make("thead", {}, make("tr", {},
        ...["thread", "in line", "always"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...known.map((it) => make("tr", {},
        make("td", {}, it.thread), make("td", {}, String(it.line)),
        make("td", {}, make("code", {}, it.facts.join(", ")))))))));
}

/** The net as a picture, or why there is none. */
function netOf(net, places, transitions) {
  const title = "The net";
  if (!net) {
    return section(title, { class: "unbounded" }, make("p", { class: "faint" },
      `${places} places and ${transitions} transitions are too many for a picture.`));
  }
  return section(title, { class: "unbounded" },
    make("p", { class: "faint" }, "A thread is a token, and a circle is where it can be, or a fact that is true. A bar is a step: "
      + "it takes tokens along arrows, and puts tokens. A dashed line asks for a token and leaves it; a thick arrow moves all tokens; "
      + "a dotted one moves a token if there is one. ∗ is any number. Point at a circle or a bar to see its arrows alone."),
    make("div", { class: "scroll-x" }, netPicture(net)));
}

/** Columns by the number of steps from what is marked in the beginning. */
function columns(net) {
  // Transfers and wakes happen without tokens, too.
  const from = net.transitions.map((it) => [...it.takes, ...it.asks].map(([place]) => place));
  const into = net.transitions.map((it) => it.puts.map(([place]) => place)
    .concat(it.transfers.map(([, place]) => place), it.wakes.map(([, place]) => place)));
  const place = net.places.map((it) => (it.tokens === 0 ? Infinity : 0));
  const step = net.transitions.map(() => Infinity);
  for (let changed = true; changed;) {
    changed = false;
    net.transitions.forEach((_, index) => {
      const ready = Math.max(0, ...from[index].map((at) => place[at])) + 1;
      if (ready < step[index]) {
        step[index] = ready;
        changed = true;
      }
      for (const at of into[index]) {
        if (step[index] + 1 < place[at]) {
          place[at] = step[index] + 1;
          changed = true;
        }
      }
    });
  }
  // What is never marked stands behind the rest.
  const last = Math.max(0, ...[...place, ...step].filter(Number.isFinite));
  const behind = last + 2 - (last % 2);
  return {
    place: place.map((it) => (Number.isFinite(it) ? it : behind)),
    step: step.map((it) => (Number.isFinite(it) ? it : behind + 1)),
  };
}

/** Where nodes stand: in columns, each near its neighbours. */
function netLayout(net, edges) {
  const { place, step } = columns(net);
  const nodes = [...place, ...step].map((column, id) => ({ id, column, row: 0 }));
  const count = Math.max(...nodes.map((node) => node.column)) + 1;
  const rows = Array.from({ length: count }, (_, column) => nodes.filter((node) => node.column === column));
  const settle = (row) => row.forEach((node, index) => { node.row = index - (row.length - 1) / 2; });
  rows.forEach(settle);
  const near = nodes.map(() => []);
  for (const { from, to } of edges) {
    near[from].push(to);
    near[to].push(from);
  }
  for (let round = 0; round < 12; round += 1) {
    for (const row of round % 2 === 0 ? rows : [...rows].reverse()) {
      const wish = new Map(row.map((node) => [node, near[node.id].length === 0 ? node.row
        : near[node.id].reduce((sum, id) => sum + nodes[id].row, 0) / near[node.id].length]));
      row.sort((left, right) => wish.get(left) - wish.get(right) || left.id - right.id);
      settle(row);
    }
  }
  return { nodes, rows: rows.filter((row) => row.length > 0) };
}

function netEdges(net) {
  const first = net.places.length;
  return net.transitions.flatMap((it, index) => {
    const bar = first + index;
    const move = (kind, [from, to]) => [
      { kind, from, to: bar, count: 1 }, { kind, from: bar, to, count: 1, head: true }];
    return [
      ...it.takes.map(([at, count]) => ({ kind: "flow", from: at, to: bar, count, head: true })),
      ...it.puts.map(([at, count]) => ({ kind: "flow", from: bar, to: at, count, head: true })),
      ...it.asks.map(([at, count]) => ({ kind: "ask", from: at, to: bar, count })),
      ...it.empties.map((at) => ({ kind: "all", from: at, to: bar, count: 1, head: true })),
      ...it.transfers.flatMap((pair) => move("all", pair)),
      ...it.wakes.flatMap((pair) => move("wake", pair)),
    ];
  });
}

function netPicture(net) {
  const edges = netEdges(net);
  const { nodes, rows } = netLayout(net, edges);
  const [wide, high, edge] = [112, 58, 70];
  const tall = Math.max(...rows.map((row) => row.length));
  const [width, height] = [2 * edge + (rows.length - 1) * wide, tall * high + 40];
  rows.forEach((row, column) => row.forEach((node) => {
    node.x = edge + column * wide;
    node.y = height / 2 + node.row * high - 6;
  }));
  const first = net.places.length;
  const label = (x, y, text) => draw("text", { x, y, "text-anchor": "middle" },
    draw("title", {}, text), shorten(text, 17));
  const drawn = nodes.map((node) => {
    const { x, y } = node;
    if (node.id >= first) {
      const { name } = net.transitions[node.id - first];
      return draw("g", { class: "net-step" },
        draw("rect", { x: x - 4, y: y - 14, width: 8, height: 28 }), label(x, y + 27, name));
    }
    const { name, tokens } = net.places[node.id];
    const told = tokens === null ? "∗" : tokens === 1 ? "●" : tokens === 0 ? "" : String(tokens);
    return draw("g", { class: "net-place" },
      draw("circle", { cx: x, cy: y, r: 13 }),
      draw("text", { x, y: y + 5, "text-anchor": "middle", class: "tokens" }, told), label(x, y + 27, name));
  });
  const arrows = edges.map((it) => netArrow(it, nodes[it.from], nodes[it.to], first));
  const picture = draw("svg", {
    class: "net", role: "img", width, height, viewBox: `0 0 ${width} ${height}`,
    "aria-label": `A net of ${net.places.length} places and ${net.transitions.length} transitions`,
  }, ...arrows, ...drawn);
  const point = (id) => {
    picture.classList.toggle("pointed", id !== null);
    edges.forEach((it, index) => arrows[index].classList.toggle("mine", it.from === id || it.to === id));
  };
  drawn.forEach((element, index) => {
    element.addEventListener("mouseenter", () => point(nodes[index].id));
    element.addEventListener("mouseleave", () => point(null));
  });
  return picture;
}

/** An arc, bent so that it does not run through what stands between. */
function netArrow(edge, from, to, first) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = dx > 0 && Math.abs(dx) < 120 ? 0 : Math.min(60, length / 5);
  const middle = { x: (from.x + to.x) / 2 + (dy / length) * bend, y: (from.y + to.y) / 2 - (dx / length) * bend };
  const stop = (node, other) => {
    const far = Math.hypot(other.x - node.x, other.y - node.y) || 1;
    const room = node.id >= first ? 7 : 15;
    return { x: node.x + ((other.x - node.x) / far) * room, y: node.y + ((other.y - node.y) / far) * room };
  };
  const [begin, end] = [stop(from, middle), stop(to, middle)];
  const angle = Math.atan2(end.y - middle.y, end.x - middle.x);
  const point = (turn) => `${end.x - 8 * Math.cos(angle + turn)} ${end.y - 8 * Math.sin(angle + turn)}`;
  return draw("g", { class: `net-arc ${edge.kind}` },
    draw("path", { class: "line", d: `M${begin.x} ${begin.y} Q${middle.x} ${middle.y} ${end.x} ${end.y}` }),
    edge.head ? draw("path", { class: "head", d: `M${end.x} ${end.y} L${point(0.4)} L${point(-0.4)} Z` }) : null,
    edge.count > 1 ? draw("text", { x: middle.x, y: middle.y - 3 }, String(edge.count)) : null);
}
