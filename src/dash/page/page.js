"use strict";
// The page of a task: it asks the task it came from, which asks the others.
const $ = id => document.getElementById(id);
const state = {view: "overview", task: null, cluster: null, before: null, history: {}, board: null, plan: 0};
const SHARES = ["compute", "wait for values", "wait for queues", "other waits", "sending", "scheduling", "between steps"];

// ---- text ------------------------------------------------------------------------------------------
function el(tag, attrs, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attrs || {}))
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  for (const child of children.flat()) if (child !== null && child !== undefined) made.append(child);
  return made;
}
function svg(tag, attrs, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attrs || {})) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
function bytes(n) {
  if (!isFinite(n)) return "-";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; Math.abs(n) >= 1000 && i < 4; i++) n /= 1000;
  return (i && n < 100 ? n.toFixed(1) : n.toFixed(0)) + " " + units[i];
}
function secs(s) {
  if (!isFinite(s)) return "-";
  if (s >= 60) return (s / 60).toFixed(1) + " min";
  if (s >= 1) return s.toFixed(2) + " s";
  return s >= 1e-3 ? (s * 1e3).toFixed(2) + " ms" : (s * 1e6).toFixed(0) + " µs";
}
const num = n => !isFinite(n) ? "-" : n >= 100 || n === Math.round(n) ? n.toFixed(0) : n.toPrecision(3);
const percent = n => isFinite(n) ? (100 * n).toFixed(0) + " %" : "-";
const rate = n => isFinite(n) ? bytes(n) + "/s" : "-";
const nameOf = t => t.job + ":" + t.index;
const short = name => name.replace(/\/job:(\w+)\/replica:0\/task:(\d+)/, "$1:$2");

// ---- asking ----------------------------------------------------------------------------------------
async function get(path) {
  const answer = await fetch(path, {cache: "no-store"});
  if (!answer.ok) throw new Error(path + ": " + answer.status);
  return answer.json();
}
const ofTask = rest => "api/tasks/" + state.task.replace(":", "/") + "/" + rest;

// ---- rates -----------------------------------------------------------------------------------------
function rates(now, before) {
  const s = before ? (now.now_us - before.now_us) / 1e6 : 0;
  const d = key => s > 0 ? (now[key] - before[key]) / s : NaN;
  const waits = ["wait_recv_s", "wait_resource_s", "wait_other_s"].map(d);
  const busy = Math.max(0, d("step_s") - waits[0] - waits[1] - waits[2] - d("schedule_s") - d("send_s"));
  const parts = [busy, ...waits, d("send_s"), d("schedule_s"), d("between_s")];
  const sum = parts.reduce((a, b) => a + b, 0);
  const moved = key => (now.traffic || []).reduce((a, t) => a + t[key], 0);
  const movedBefore = key => ((before || {}).traffic || []).reduce((a, t) => a + t[key], 0);
  return {seconds: s, steps: d("steps"), cpu: d("cpu_s"), parts, shares: parts.map(p => sum > 0 ? p / sum : 0),
    wait: sum > 0 ? (waits[0] + waits[1] + waits[2]) / sum : NaN,
    received: s > 0 ? (moved("in") - movedBefore("in")) / s : NaN,
    sent: s > 0 ? (moved("out") - movedBefore("out")) / s : NaN};
}
const beforeOf = t => state.before && state.before.tasks.find(o => nameOf(o) === nameOf(t) && o.state === "up" && o.pid === t.pid);

// ---- parts of views --------------------------------------------------------------------------------
function table(heads, rows, caption) {
  return el("div", {class: "scroll"}, el("table", {"aria-label": caption},
    el("thead", null, el("tr", null, heads.map(h => el("th", {scope: "col", class: h[1]}, h[0])))),
    el("tbody", null, rows)));
}
const cell = (text, kind) => el("td", {class: kind || null}, text);
function bar(shares, label) {
  const box = svg("svg", {viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": label});
  let x = 0;
  shares.forEach((share, i) => {
    const part = svg("rect", {x, y: 0, width: Math.max(0, 100 * share), height: 10, class: "k" + i});
    part.append(svg("title", {}, SHARES[i] + " " + percent(share)));
    box.append(part);
    x += 100 * share;
  });
  return el("td", {class: "bar"}, box);
}
const legend = names => el("div", {class: "keys"}, names.map((n, i) => el("span", {class: "dot k" + i}, n)));
// Lines over one time axis; |lines| are [name, [[us, value], ...]].
function chart(title, lines, format, span, marks) {
  const end = state.now_us || Date.now() * 1000, own = state.cluster.tasks.find(t => nameOf(t) === state.task) || {};
  const begin = Math.max(end - span * 1e6, Math.min(own.start_us || 0, end - 5e6));
  const shown = lines.map(([name, points]) => [name, points.filter(p => p[0] >= begin && isFinite(p[1]))]);
  const top = Math.max(1e-12, ...shown.flatMap(l => l[1].map(p => p[1])));
  const box = svg("svg", {viewBox: "0 0 1000 90", preserveAspectRatio: "none", role: "img", "aria-label": title});
  for (const m of marks || []) {
    if (m.us < begin) continue;
    const x = 1000 * (m.us - begin) / (end - begin);
    const line = svg("line", {class: "mark", x1: x, x2: x, y1: 0, y2: 90});
    line.append(svg("title", {}, m.kind + ": " + m.text));
    box.append(line);
  }
  const words = [el("b", null, title)];
  shown.forEach(([name, points], i) => {
    const d = points.map((p, k) => (k ? "L" : "M") + (1000 * (p[0] - begin) / (end - begin)).toFixed(1) + " " + (87 - 84 * p[1] / top).toFixed(1)).join("");
    if (d) box.append(svg("path", {class: "s k" + i, d}));
    words.push(el("span", {class: "dot k" + i}, name + " " + (points.length ? format(points[points.length - 1][1]) : "-")));
  });
  words.push(el("span", null, "top " + format(top)));
  const axis = el("p", {class: "axis"}, el("span", null, secs((end - begin) / 1e6) + " ago"), el("span", null, "now"));
  return el("div", {class: "chart"}, el("p", null, words), box, axis);
}
function growth(samples, column, factor) {
  const points = [];
  for (let i = 1; i < samples.length; i++) {
    const s = (samples[i][1] - samples[i - 1][1]) / 1e6;
    if (s > 0) points.push([samples[i][1], (samples[i][column] - samples[i - 1][column]) / s * (factor || 1)]);
  }
  return points;
}

// ---- views -----------------------------------------------------------------------------------------
const views = {
  overview: {title: "Tasks", draw: drawOverview},
  time: {title: "Time", draw: drawTime, last: true},
  step: {title: "Step", draw: drawStep},
  graph: {title: "Graph", draw: drawGraph, find: true},
  state: {title: "Variables", draw: drawState, find: true},
  waits: {title: "Waits", draw: drawWaits},
  log: {title: "Log", draw: drawLog, find: true},
  events: {title: "Events", draw: drawEvents, find: true},
};

function drawOverview() {
  const rows = state.cluster.tasks.map(t => {
    const chosen = nameOf(t) === state.task;
    const attrs = {"data-task": nameOf(t), "aria-selected": chosen, tabindex: 0};
    if (t.state !== "up")
      return el("tr", attrs, cell(nameOf(t), "l"), el("td", {class: "l bad", colspan: 9}, "absent: " + t.problem));
    const r = rates(t, beforeOf(t));
    return el("tr", attrs, cell(nameOf(t), "l"), cell("up", "l good opt"), cell(num(r.steps)), cell(percent(r.wait)), cell(percent(r.cpu)),
      cell(bytes(t.memory)), cell(rate(r.received)), cell(rate(r.sent)), cell(String(t.steps), "opt"), cell(String(t.failed), t.failed ? "bad" : "opt"));
  });
  const all = state.cluster.tasks, up = all.filter(t => t.state === "up").length;
  const steps = all.reduce((a, t) => a + (t.state === "up" && t.job !== "ps" ? rates(t, beforeOf(t)).steps || 0 : 0), 0);
  return [el("h2", null, up + " of " + all.length + " tasks up" + (steps ? ", " + num(steps) + " steps/s of workers" : "")),
    table([["task", "l"], ["state", "l opt"], ["steps/s"], ["waiting"], ["CPU"], ["memory"], ["in"], ["out"], ["steps", "opt"], ["failed", "opt"]], rows, "tasks"),
    el("h2", null, "Where the time goes"), legend(SHARES),
    table([["task", "l"], ["share of the last second", "l"]], state.cluster.tasks.filter(t => t.state === "up").map(t =>
      el("tr", null, cell(nameOf(t), "l"), bar(rates(t, beforeOf(t)).shares, "time of " + nameOf(t)))), "time by task")];
}

async function drawTime() {
  const span = +$("span").value;
  const host = await get(ofTask("host?every=" + Math.ceil(span / 60) + "&most=600"));
  const steps = await get(ofTask("steps?most=4000"));
  const marks = await get(ofTask("marks"));
  const s = host.samples;
  const perSecond = {};
  for (const x of steps.steps) { const k = Math.floor(x[1] / 1e6); perSecond[k] = (perSecond[k] || 0) + 1; }
  const stepPoints = Object.keys(perSecond).sort().slice(0, -1).map(k => [(+k + 0.5) * 1e6, perSecond[k]]);
  // A sample that came late counts more than a processor has.
  const upTo = points => points.map(p => [p[0], Math.min(p[1], host.cores.length || Infinity)]);
  const out = [chart("steps a second", [["steps", stepPoints]], num, span, marks),
    chart("step time", [["step", steps.steps.map(x => [x[1], x[2] / 1e6])], ["waiting", steps.steps.map(x => [x[1], (x[4] + x[5] + x[6]) / 1e6])]], secs, span, marks),
    chart("CPU", [["host", upTo(growth(s, 2))], ["task", upTo(growth(s, 9))]], n => n.toFixed(2) + " cores", span, marks),
    chart("memory", [["host", s.map(x => [x[1], x[3]])], ["task", s.map(x => [x[1], x[10]])]], bytes, span, marks),
    chart("network", [["wire in", growth(s, 6)], ["wire out", growth(s, 7)], ["loopback", growth(s, 8)]], n => bytes(n) + "/s", span, marks),
    chart("disk", [["read", growth(s, 4)], ["written", growth(s, 5)]], n => bytes(n) + "/s", span, marks)];
  if (s.some(x => x[13] > 0)) out.push(chart("GPUs", [["busy", s.map(x => [x[1], x[14] / x[13]])]], percent, span, marks),
    chart("GPU memory", [["in use", s.map(x => [x[1], x[15]])]], bytes, span, marks),
    chart("GPU power", [["drawn", s.map(x => [x[1], x[16]])]], n => num(n) + " W", span, marks),
    chart("GPU temperature", [["the hottest", s.map(x => [x[1], x[17]])]], n => num(n) + " °C", span, marks));
  out.push(el("h2", null, "Processors"), el("div", {class: "cores"}, host.cores.map((c, i) => el("meter", {value: c, min: 0, max: 1, title: "processor " + i + ": " + percent(c)}))));
  out.push(el("h2", null, "Marks"), table([["when", "l"], ["what", "l"], ["", "l"]], marks.slice(-30).reverse().map(m =>
    el("tr", null, cell(new Date(m.us / 1000).toLocaleTimeString(), "l"), cell(m.kind, "l"), cell(m.text, "l name"))), "marks"));
  return out;
}

async function drawStep() {
  const data = await get(ofTask("steps?most=60"));
  const rows = data.steps.slice().reverse().map(s => {
    const waits = s[4] + s[5] + s[6], own = Math.max(0, s[2] - waits - s[7] - s[8]), all = s[2] + s[3] || 1;
    return el("tr", null, cell(String(s[0]), "l"), cell(secs(s[2] / 1e6)), bar([own, s[4], s[5], s[6], s[7], s[8], s[3]].map(x => x / all), "step " + s[0]),
      cell(s[9] >= 0 ? short(data.causes[s[9]]) + " " + secs(s[10] / 1e6) : "", "l name"), cell(String(s[11]), "opt"), cell(s[12] ? "failed" : "", "bad"));
  });
  const who = state.cluster.tasks.filter(t => t.state === "up").flatMap(t => t.causes.slice(0, 8).map(c =>
    el("tr", null, cell(nameOf(t), "l"), cell(short(c.name), "l name"), cell(c.op || c.kind, "l opt"), cell(secs(c.s)), cell(secs(c.s / c.count)), cell(String(c.count), "opt"))));
  return [el("h2", null, "Who waits for whom"),
    table([["task", "l"], ["waits for", "l"], ["kind", "l opt"], ["in all"], ["each"], ["times", "opt"]], who, "waits by cause"),
    el("h2", null, "Steps of " + state.task), legend(SHARES),
    table([["step", "l"], ["time"], ["where it went", "l"], ["longest wait", "l"], ["plan", "opt"], [""]], rows, "steps")];
}

async function drawGraph() {
  const plans = (await get(ofTask("plans"))).filter(p => p.steps > 0).sort((a, b) => b.steps - a.steps);
  if (!plans.length) return [el("p", null, "no plan has run yet")];
  if (!plans.some(p => p.plan === state.plan)) state.plan = plans[0].plan;
  const choice = el("select", {id: "plan", "aria-label": "plan"}, plans.map(p =>
    el("option", {value: p.plan, selected: p.plan === state.plan}, "plan " + p.plan + ": " + p.nodes + " nodes, " + p.steps + " steps")));
  choice.addEventListener("change", () => { state.plan = +choice.value; draw(); });
  const search = $("search").value;
  const g = await get(ofTask("graph?plan=" + state.plan + "&most=1000&search=" + encodeURIComponent(search)));
  const sum = g.nodes.reduce((a, n) => a + n.ns, 0) || 1;
  const byOp = {};
  for (const n of g.nodes) { const o = byOp[n.op] = byOp[n.op] || [0, 0]; o[0]++; o[1] += n.ns; }
  const ops = Object.entries(byOp).sort((a, b) => b[1][1] - a[1][1]).slice(0, 30);
  const nodes = g.nodes.slice().sort((a, b) => b.ns - a.ns).slice(0, 200);
  return [el("p", null, choice, " ", g.found + " of " + g.count + " nodes"),
    el("h2", null, "By op"), table([["op", "l"], ["nodes"], ["time"], ["share"]], ops.map(([op, o]) =>
      el("tr", null, cell(op, "l"), cell(String(o[0])), cell(secs(o[1] / 1e9)), cell(percent(o[1] / sum)))), "time by op"),
    el("h2", null, "By node"), table([["node", "l"], ["op", "l"], ["time"], ["share"], ["device", "l opt"], ["inputs", "l opt"]], nodes.map(n =>
      el("tr", null, el("td", {class: "l name", title: n.name}, n.name), cell(n.op, "l"), cell(secs(n.ns / 1e9)), cell(percent(n.ns / sum)),
        cell(short(n.device), "l opt"), el("td", {class: "l name opt", title: n.inputs.join("\n")}, n.inputs.slice(0, 3).join(", ")))), "nodes")];
}

async function drawState() {
  const search = $("search").value;
  const up = state.cluster.tasks.filter(t => t.state === "up");
  const all = await Promise.all(up.map(t => get("api/tasks/" + t.job + "/" + t.index + "/resources").catch(() => ({variables: [], queues: []}))));
  const most = Math.max(1, ...up.map(t => t.variable_bytes));
  const variables = all.flatMap((r, i) => r.variables.map(v => [nameOf(up[i]), v])).filter(v => v[1].name.includes(search)).sort((a, b) => b[1].bytes - a[1].bytes).slice(0, 500);
  const queues = all.flatMap((r, i) => r.queues.map(q => [nameOf(up[i]), q])).filter(q => q[1].name.includes(search));
  return [el("h2", null, "Balance"), table([["task", "l"], ["variables"], ["bytes"], ["", "l"]], up.map(t => {
    const box = svg("svg", {viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": bytes(t.variable_bytes)});
    box.append(svg("rect", {x: 0, y: 0, height: 10, width: 100 * t.variable_bytes / most, class: "k0"}));
    return el("tr", null, cell(nameOf(t), "l"), cell(String(t.variables)), cell(bytes(t.variable_bytes)), el("td", {class: "bar"}, box));
  }), "balance"),
  el("h2", null, "Variables"), table([["variable", "l"], ["task", "l"], ["type", "l opt"], ["shape", "l"], ["bytes"]], variables.map(([t, v]) =>
    el("tr", null, el("td", {class: "l name", title: v.name}, v.name), cell(t, "l"), cell(v.type, "l opt"), cell(v.shape, "l"), cell(v.bytes ? bytes(v.bytes) : "not set"))), "variables"),
  el("h2", null, "Queues"), table([["queue", "l"], ["task", "l"], ["elements"], ["capacity"], ["", "l"]], queues.map(([t, q]) =>
    el("tr", null, cell(q.name, "l name"), cell(t, "l"), cell(String(q.size)), cell(q.capacity < 0 || q.capacity > 2e9 ? "any" : String(q.capacity)), cell(q.closed ? "closed" : "", "l"))), "queues")];
}

async function drawWaits() {
  const up = state.cluster.tasks.filter(t => t.state === "up");
  const all = await Promise.all(up.map(t => get("api/tasks/" + t.job + "/" + t.index + "/waits").catch(() => [])));
  const rows = all.flatMap((live, i) => live.flatMap(s => (s.waits.length ? s.waits : [null]).map(w =>
    el("tr", null, cell(nameOf(up[i]), "l"), cell(String(s.step_id), "l opt"), cell(secs(s.seconds)), cell(w ? short(w.for) : "runs", "l name"),
      cell(w ? w.op : "", "l"), cell(w ? w.node : "", "l name opt"), cell(w ? secs(w.seconds) : "")))));
  return [el("h2", null, "Steps in flight, and what they wait for"), rows.length
    ? table([["task", "l"], ["step id", "l opt"], ["for"], ["waits for", "l"], ["op", "l"], ["node", "l opt"], ["since"]], rows, "waits")
    : el("p", null, "nothing is in flight")];
}

async function drawLog() {
  const search = $("search").value;
  const lines = (await get(ofTask("log"))).filter(l => l.text.includes(search));
  return [el("h2", null, "Log of " + state.task), el("pre", {tabindex: 0}, lines.length ? lines.map(l => l.text).join("\n") : "nothing yet")];
}

// Event files of the chosen task's folders.
async function drawEvents() {
  state.board = await get(ofTask("board"));
  state.images = ofTask("image?n=");
  return state.board.runs.length || state.board.checkpoints.length ? drawBoard()
    : [el("p", null, state.task + " writes no event files; weir server --logdir DIR shows those of a folder")];
}

// Scalars, histograms and images of event files (weir board).
async function drawBoard() {
  const search = $("search").value, tags = {};
  for (const run of state.board.runs)
    for (const [tag, points] of Object.entries(run.scalars)) if (tag.includes(search)) (tags[tag] = tags[tag] || []).push([run.name || ".", points]);
  const charts = Object.keys(tags).sort().map(tag => {
    const lines = tags[tag], xs = lines.flatMap(l => l[1].map(p => p[0])), ys = lines.flatMap(l => l[1].map(p => p[2])).filter(Number.isFinite);
    const x0 = Math.min(...xs), x1 = Math.max(...xs), y0 = Math.min(...ys), y1 = Math.max(...ys);
    const box = svg("svg", {viewBox: "0 0 1000 90", preserveAspectRatio: "none", role: "img", "aria-label": tag});
    const words = [el("b", null, tag)];
    lines.forEach(([run, points], i) => {
      const d = points.filter(p => Number.isFinite(p[2])).map((p, k) => (k ? "L" : "M") + (1000 * (p[0] - x0) / (x1 - x0 || 1)).toFixed(1) + " " + (87 - 84 * (p[2] - y0) / (y1 - y0 || 1)).toFixed(1)).join("");
      if (d) box.append(svg("path", {class: "s k" + i % 7, d}));
      const last = points[points.length - 1];
      words.push(el("span", {class: "dot k" + i % 7}, run + " " + (last ? (last[2] === null ? "NaN" : last[2].toPrecision(4)) + " at " + last[0] : "")));
    });
    return el("div", {class: "chart"}, el("p", null, words), box);
  });
  const count = state.board.runs.length, damaged = state.board.damaged || [];
  const out = [el("h2", null, count + (count === 1 ? " run" : " runs")), ...charts];
  out.splice(1, 0, ...damaged.map(f => el("p", {class: "bad"}, f.name + " is damaged at byte " + f.offset + ": what follows is not shown")));
  const images = state.board.runs.flatMap(r => r.images.map(i => [r.name, i])).filter(i => i[1].tag.includes(search));
  if (images.length) out.push(el("h2", null, "Images"), el("div", {class: "grid"}, images.map(([run, i]) =>
    el("figure", null, el("img", {src: (state.images || "api/image?n=") + i.number, alt: i.tag}), el("figcaption", null, (run || ".") + " " + i.tag + ", step " + i.step)))));
  const histograms = state.board.runs.flatMap(r => r.histograms.map(h => [r.name, h])).filter(h => h[1].tag.includes(search));
  if (histograms.length) out.push(el("h2", null, "Histograms"), ...histograms.map(([run, h]) => {
    const top = Math.max(...h.counts, 1e-12), box = svg("svg", {viewBox: "0 0 1000 90", preserveAspectRatio: "none", role: "img", "aria-label": h.tag});
    const width = h.max - h.min || 1, x = v => 1000 * (Math.min(h.max, Math.max(h.min, v)) - h.min) / width;
    h.counts.forEach((c, i) => {
      const from = x(i ? h.limits[i - 1] : h.min), to = x(h.limits[i]);
      box.append(svg("rect", {class: "k0", x: from, width: Math.max(1, to - from), y: 90 - 88 * c / top, height: 88 * c / top}));
    });
    return el("div", {class: "chart"}, el("p", null, el("b", null, h.tag), el("span", null, (run || ".") + ", step " + h.step + ", " + num(h.min) + " to " + num(h.max))), box);
  }));
  const checkpoints = state.board.checkpoints || [];
  if (checkpoints.length) out.push(el("h2", null, "Checkpoints"), table([["file", "l"], ["bytes"]], checkpoints.map(c => el("tr", null, cell(c.name, "l name"), cell(bytes(c.bytes)))), "checkpoints"));
  return out;
}

// ---- drawing ---------------------------------------------------------------------------------------
let drawing = false;
async function draw() {
  if (drawing || !(state.cluster || state.board)) return;
  drawing = true;
  try {
    const parts = await views[state.view].draw();
    const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.task : null;
    $("view").replaceChildren(...parts);
    if (focused) { const row = document.querySelector('tr[data-task="' + focused + '"]'); if (row) row.focus(); }
  } catch (problem) {
    $("view").replaceChildren(el("p", {class: "bad"}, String(problem.message || problem)));
  }
  drawing = false;
}
function show(view) {
  state.view = view;
  history.replaceState(null, "", "#" + view);
  drawNav();
  draw();
}
function drawNav() {
  $("last").hidden = !views[state.view].last;
  $("find").hidden = !views[state.view].find;
  $("views").replaceChildren(...Object.entries(views).map(([key, view], i) => {
    const button = el("button", {type: "button", "aria-current": key === state.view ? "page" : null, title: "key " + (i + 1)}, view.title);
    button.addEventListener("click", () => show(key));
    return button;
  }));
}
function fillTasks() {
  const names = state.cluster.tasks.map(nameOf);
  if (!state.task) state.task = names[state.cluster.own];
  if ($("task").options.length !== names.length)
    $("task").replaceChildren(...names.map(n => el("option", {value: n}, n)));
  $("task").value = state.task;
  $("who").textContent = names[state.cluster.own];
}
function pickTask(name) {
  state.task = name;
  $("task").value = name;
  draw();
}

async function tick() {
  try {
    const cluster = await get("api/cluster");
    state.before = state.cluster;
    state.cluster = cluster;
    state.now_us = (cluster.tasks[cluster.own] || {}).now_us;
    fillTasks();
    if (!document.hidden && !$("view").contains(document.activeElement && document.activeElement.tagName === "SELECT" ? document.activeElement : null)) await draw();
  } catch (problem) {
    $("live").textContent = "no answer";
    $("live").className = "bad";
  }
  setTimeout(tick, state.before ? 1000 : 250);
}
function listen() {
  let last = null;
  const source = new EventSource("api/stream");
  source.onmessage = event => {
    const task = JSON.parse(event.data).task;
    const r = last ? rates(task, last) : null;
    last = task;
    $("live").className = "";
    $("live").textContent = task.steps + " steps" + (r ? ", " + num(r.steps) + "/s" : "");
  };
  source.onerror = () => { $("live").textContent = "connection lost"; $("live").className = "bad"; };
}
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").textContent = theme === "dark" ? "light" : "dark";
}
// As the reader chose it by the button, or else as the system has it.
function followTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)"), ofSystem = () => system.matches ? "dark" : "light";
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch (e) { /* not kept then */ }
  setTheme(chosen || ofSystem());
  system.addEventListener("change", () => { if (!chosen) setTheme(ofSystem()); });
  $("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(chosen);
    try { localStorage.setItem("theme", chosen); } catch (e) { /* not kept then */ }
  });
}
function onKey(event) {
  if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT" || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const keys = Object.keys(views), names = state.cluster ? state.cluster.tasks.map(nameOf) : [], at = names.indexOf(state.task);
  if (+event.key >= 1 && +event.key <= keys.length) show(keys[+event.key - 1]);
  else if (event.key === "/") {
    event.preventDefault();
    if (!views[state.view].find) show("graph");
    $("search").focus();
  }
  else if (event.key === "d") $("theme").click();
  else if (event.key === "j" && at + 1 < names.length) pickTask(names[at + 1]);
  else if (event.key === "k" && at > 0) pickTask(names[at - 1]);
  else if (event.key === "Enter" && event.target.dataset.task) pickTask(event.target.dataset.task);
}

async function start() {
  followTheme();
  $("task").addEventListener("change", () => pickTask($("task").value));
  $("span").addEventListener("change", draw);
  $("search").addEventListener("input", draw);
  document.addEventListener("keydown", onKey);
  $("view").addEventListener("click", event => {
    const row = event.target.closest("tr[data-task]");
    if (row) { state.task = row.dataset.task; show("step"); }
  });
  if (document.documentElement.dataset.board !== undefined) {
    for (const key of Object.keys(views)) delete views[key];
    views.scalars = {title: "Scalars", draw: drawBoard, find: true};
    state.view = "scalars";
    $("live").textContent = "event files";
    $("task").parentElement.hidden = $("metrics").hidden = true;
    $("keys").textContent = "keys: / search, d theme";
    const load = async () => { try { state.board = await get("api/board"); await draw(); } catch (e) { $("live").textContent = "no answer"; } setTimeout(load, 5000); };
    drawNav();
    return load();
  }
  const wanted = location.hash.slice(1);
  if (views[wanted]) state.view = wanted;
  drawNav();
  listen();
  tick();
}
// The page is painted first; what is not seen is not painted.
let begun = false;
function begin() {
  for (const id of ["theme", "pick"]) $(id).hidden = false; // controls are slow to paint for the first time
  if (!begun) start();
  begun = true;
}
if (!document.hidden) new PerformanceObserver(begin).observe({type: "paint", buffered: true});
setTimeout(begin, document.hidden ? 0 : 300);
