// Pictures of who waits for whom, and of states.

/** The threads that wait, with an arrow to each that could help. */
function waitGraph(ending, threads) {
  const { waits, cycle } = ending;
  const inCycle = new Set(cycle);
  const helpers = waits.flatMap((wait) => (wait.for === null ? wait.possible : [wait.for]));
  const rest = [...new Set([...waits.map((wait) => wait.thread), ...helpers])]
    .filter((thread) => !inCycle.has(thread));
  const nodes = [...cycle, ...rest];
  const most = 24;
  if (nodes.length === 0 || nodes.length > most) return null;
  const radius = nodes.length === 1 ? 0 : Math.max(70, (nodes.length * 92) / (2 * Math.PI));
  const names = new Map(nodes.map((thread) => [thread, shorten(threads[thread], 20)]));
  const half = (thread) => Math.max(34, names.get(thread).length * 4.2 + 12);
  const wide = radius * 1.75 + Math.max(...nodes.map(half)) + 20;
  const at = new Map(nodes.map((thread, index) => {
    const angle = (2 * Math.PI * index) / nodes.length - Math.PI / (nodes.length === 2 ? 1 : 2);
    return [thread, {
      x: wide + Math.cos(angle) * radius * 1.75, y: Math.sin(angle) * radius, half: half(thread),
    }];
  }));
  const heights = [...at.values()].map((node) => node.y);
  const [top, bottom] = [Math.min(...heights) - 46, Math.max(...heights) + 46];
  const drawn = [];
  for (const wait of waits) {
    const certain = wait.for !== null;
    for (const helper of certain ? [wait.for] : wait.possible) {
      const inside = inCycle.has(wait.thread) && inCycle.has(helper);
      drawn.push(waitArrow(at.get(wait.thread), at.get(helper), {
        name: inside ? "cycle" : certain ? "certain" : "possible",
        label: certain && nodes.length <= 5 ? wait.object : null,
      }));
    }
  }
  const boxes = nodes.map((thread) => {
    const { x, y } = at.get(thread);
    const side = half(thread);
    return draw("g", { class: `node ${hue(thread)}` },
      draw("title", {}, threads[thread]),
      draw("rect", { x: x - side, y: y - 16, width: 2 * side, height: 32, rx: 8 }),
      draw("text", { x, y: y + 5, "text-anchor": "middle" }, names.get(thread)));
  });
  const told = ending.told ?? waits.map((wait) => `${threads[wait.thread]} ${wait.why}`).join("; ");
  return draw("svg", {
    class: "wait-graph", role: "img", "aria-label": told, viewBox: `0 ${top} ${2 * wide} ${bottom - top}`,
    width: 2 * wide, height: bottom - top,
  }, ...drawn, ...boxes);
}

function waitArrow(from, to, { name, label }) {
  if (!from || !to) return draw("g");
  if (from === to) {
    const loop = `M${from.x - 20} ${from.y - 16}c-10 -44 50 -44 40 0`;
    return draw("g", { class: `wait ${name}` }, draw("path", { d: loop }));
  }
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  // Bent to the left, so that two arrows between the same threads stay apart.
  const bend = Math.min(46, length / 4);
  const middle = { x: (from.x + to.x) / 2 + (dy / length) * bend, y: (from.y + to.y) / 2 - (dx / length) * bend };
  const start = edge(from, middle);
  const end = edge(to, middle);
  const angle = Math.atan2(end.y - middle.y, end.x - middle.x);
  const tip = [0.45, -0.45].map((turn) =>
    `${end.x - 9 * Math.cos(angle + turn)} ${end.y - 9 * Math.sin(angle + turn)}`);
  const parts = [
    draw("path", { d: `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${end.x} ${end.y}` }),
    draw("path", { d: `M${tip[0]}L${end.x} ${end.y}L${tip[1]}` }),
  ];
  if (label) {
    const [x, y] = [(start.x + end.x + 2 * middle.x) / 4, (start.y + end.y + 2 * middle.y) / 4];
    parts.push(draw("text", { x, y: y + 4, "text-anchor": "middle" }, shorten(label, 26)));
  }
  return draw("g", { class: `wait ${name}` }, ...parts);
}

/** Where the way from a point in a box to another point leaves the box. */
function edge(box, point) {
  const [dx, dy] = [point.x - box.x, point.y - box.y];
  const scale = Math.min((box.half + 4) / Math.max(1e-6, Math.abs(dx)), 20 / Math.max(1e-6, Math.abs(dy)));
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}

function shorten(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** States that were seen, by their distance from the first, and the steps between them. */
function stateGraph(graph, threads, select) {
  const [across, down, margin] = [54, 58, 30];
  const layers = [];
  graph.nodes.forEach((node, index) => {
    (layers[node.depth] ??= []).push(index);
  });
  const widest = Math.max(1, ...layers.map((layer) => layer?.length ?? 0));
  const at = [];
  layers.forEach((layer, depth) => layer.forEach((index, position) => {
    const x = margin + (position + (widest - layer.length) / 2) * across;
    at[index] = { x, y: margin + depth * down };
  }));
  const edges = graph.edges.map(([from, to, thread]) => {
    const [a, b] = [at[from], at[to]];
    const bow = b.y > a.y ? 0 : 28;
    const path = from === to
      ? `M${a.x + 9} ${a.y - 7}c26 -18 26 32 0 14`
      : `M${a.x} ${a.y}Q${(a.x + b.x) / 2 + bow} ${(a.y + b.y) / 2} ${b.x} ${b.y}`;
    return draw("path", { class: `step ${hue(thread)}`, d: path },
      draw("title", {}, threads[thread] ?? ""));
  });
  const nodes = graph.nodes.map((node, index) => {
    const kind = `state ${node.kind}${index === graph.current ? " current" : ""}`;
    const go = () => select(index);
    return draw("g", {
      class: kind, tabindex: "0", role: "button", "aria-label": `State ${index}, ${node.told}`,
      onclick: go, onkeydown: (event) => { if (event.key === "Enter") go(); },
    },
      draw("title", {}, `State ${index}: ${node.told}`),
      draw("circle", { cx: at[index].x, cy: at[index].y, r: 13 }),
      draw("text", { x: at[index].x, y: at[index].y + 4, "text-anchor": "middle" }, index));
  });
  const [width, height] = [2 * margin + (widest - 1) * across, 2 * margin + (layers.length - 1) * down];
  return draw("svg", { class: "state-graph", width, height, viewBox: `0 0 ${width} ${height}` },
    ...edges, ...nodes);
}
