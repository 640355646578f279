// ---- what is drawn, and where

const kGutter = 208;
const kGutterNarrow = 118;
const kMargin = 14;  // right of the last moment
const kPlaceRow = 30;
const kFaultRow = 17;
const kFaultRowsMost = 5;

const view = {
  from: 0, until: 1,           // what is visible, in nanoseconds
  shown: new Set(kFamilies),
  filter: "",
  involved: false,             // only the lanes of the history
  event: null,                 // the event whose history is selected
  history: new Set(), weak: new Set(),
  record: null,                // the record in the panel
  hover: null,
  rows: [], lane_row: [], fault_rows: [], fault_lanes: 0, height: 0,
  left: 0, wide: 1,            // where the plot begins and how wide it is
};

const canvases = {
  overview: document.getElementById("overview"),
  axis: document.getElementById("axis"),
  plot: document.getElementById("plot"),
};
const scroll = document.getElementById("scroll");
let tints = {};

function read_tints() {
  const style = getComputedStyle(document.documentElement);
  const names = [...kFamilies, "paper", "raised", "band", "ink", "ink-soft", "ink-faint", "rule", "rule-strong", "life", "fault", "violation", "selected", "sans"];
  tints = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// Asking the page for sizes is slow: done once per change.
function measure() {
  view.left = scroll.clientWidth < 620 ? kGutterNarrow : kGutter;
  view.wide = Math.max(1, scroll.clientWidth - view.left - kMargin);
}
const gutter = () => view.left;
const indent = () => (view.left < 150 ? 12 : 24);
const plot_width = () => view.wide;
const x_of = (at) => view.left + ((at - view.from) / (view.until - view.from)) * view.wide;
const at_of = (x) => view.from + ((x - view.left) / view.wide) * (view.until - view.from);

function shown_lanes() {
  const needle = view.filter.toLowerCase();
  const involved = new Set();
  if (view.involved && view.event !== null) {
    for (const record of [...view.history, ...view.weak]) involved.add(record.lane);
    for (const violation of model.violations) if (violation.event === view.event) involved.add(violation.lane);
  }
  return model.lanes.filter((lane) => (!needle || lane.path.toLowerCase().includes(needle)) && (involved.size === 0 || involved.has(lane.index)));
}

// Rows from top to bottom: a heading for each datacenter, its lanes below.
function lay_out() {
  const lanes = shown_lanes();
  const places = new Set(lanes.filter((lane) => !lane.world).map((lane) => lane.place)).size;
  const room = scroll.clientHeight - places * kPlaceRow - 12;
  const row = Math.max(22, Math.min(46, Math.floor(room / Math.max(1, lanes.length))));
  view.rows = [];
  view.lane_row = model.lanes.map(() => null);
  let y = 4;
  let place = null;
  for (const lane of lanes) {
    if (!lane.world && lane.place !== place) {
      place = lane.place;
      view.rows.push({place, y, height: kPlaceRow, middle: y + kPlaceRow / 2 + 3});
      y += kPlaceRow;
    }
    const each = {lane, y, height: row, middle: y + row / 2};
    view.lane_row[lane.index] = each;
    view.rows.push(each);
    y += row;
  }
  view.height = y + 8;
  lay_out_faults();
}

// Faults that overlap stand below each other.
function lay_out_faults() {
  const ends = [];
  view.fault_rows = [];
  for (const fault of model.faults) {
    let row = ends.findIndex((end) => end <= fault.from);
    if (row < 0) row = ends.length < kFaultRowsMost ? ends.length : kFaultRowsMost - 1;
    ends[row] = Math.max(ends[row] ?? 0, fault.until ?? Infinity);
    view.fault_rows.push({fault, row});
  }
  view.fault_lanes = ends.length;
}

const axis_height = () => 26 + (view.fault_lanes > 0 ? view.fault_lanes * kFaultRow + 7 : 0);

function prepared(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const size = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.textBaseline = "middle";
  return pen;
}

const font = (size, weight = 400) => `${weight} ${size}px ${tints.sans}`;

function fitted(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (pen.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle; else high = middle - 1;
  }
  return low > 0 ? `${text.slice(0, low)}…` : "";
}

function clip_to_plot(pen, height) {
  pen.save();
  pen.beginPath();
  pen.rect(gutter(), 0, plot_width() + kMargin, height);
  pen.clip();
}

// ---- the overview: how much happened when

// How many records of each family there are in each column; counted anew when that changes.
let columns_known = {};
function counted_columns(columns) {
  const key = `${columns} ${[...view.shown].join()}`;
  if (columns_known.key === key) return columns_known.counts;
  const counts = kFamilies.map(() => new Uint32Array(columns));
  for (const record of model.records) {
    if (record.at < 0 || record.at > model.length || !view.shown.has(record.family)) continue;
    const column = Math.min(columns - 1, Math.floor((record.at / model.length) * columns));
    counts[kFamilies.indexOf(record.family)][column] += 1;
  }
  columns_known = {key, counts};
  return counts;
}

function draw_overview() {
  const width = canvases.overview.parentElement.clientWidth;
  const height = 46;
  const pen = prepared(canvases.overview, width, height);
  const left = gutter();
  const wide = plot_width();
  const columns = Math.max(1, Math.floor(wide / 3));
  const counts = counted_columns(columns);
  let most = 1;
  for (let i = 0; i < columns; ++i) most = Math.max(most, counts.reduce((sum, each) => sum + each[i], 0));
  const scale = (height - 12) / Math.sqrt(most);
  for (let i = 0; i < columns; ++i) {
    const total = counts.reduce((sum, each) => sum + each[i], 0);
    let y = height - 4;
    for (let f = 0; f < kFamilies.length && total > 0; ++f) {
      const tall = (Math.sqrt(total) * scale * counts[f][i]) / total;
      pen.fillStyle = tints[kFamilies[f]];
      pen.globalAlpha = 0.7;
      pen.fillRect(left + (i * wide) / columns, y - tall, Math.max(1, wide / columns - 1), tall);
      y -= tall;
    }
  }
  pen.globalAlpha = 1;
  const place = (at) => left + (Math.min(Math.max(at, 0), model.length) / model.length) * wide;
  for (const violation of model.violations) {
    pen.fillStyle = tints.violation;
    pen.fillRect(place(violation.at) - 0.75, 2, 1.5, height - 4);
  }
  const [from, until] = [place(view.from), place(view.until)];
  if (until - from < wide - 1) {
    pen.fillStyle = tints.paper;
    pen.globalAlpha = 0.72;
    pen.fillRect(left, 0, from - left, height);
    pen.fillRect(until, 0, left + wide - until, height);
    pen.globalAlpha = 1;
    pen.strokeStyle = tints["ink-soft"];
    pen.lineWidth = 1;
    pen.strokeRect(from + 0.5, 1.5, Math.max(3, until - from - 1), height - 3);
  }
  pen.fillStyle = tints["ink-soft"];
  pen.font = font(12);
  pen.fillText(fitted(pen, counted(model.records.length, "record", "records"), left - indent() - 6), indent(), height / 2);
}

// ---- the axis, and the faults below it

function ticks() {
  const step = tick_step(((view.until - view.from) / plot_width()) * 104);
  const offset = Number(model.origin % BigInt(step));
  const list = [];
  for (let at = Math.ceil((view.from + offset) / step) * step - offset; at <= view.until; at += step) list.push(at);
  return {step, list};
}

function draw_axis() {
  const width = canvases.axis.parentElement.clientWidth;
  const pen = prepared(canvases.axis, width, axis_height());
  const {step, list} = ticks();
  pen.font = font(12);
  pen.textAlign = "left";
  pen.fillStyle = tints["ink-soft"];
  pen.fillText(fitted(pen, "seconds of the run", gutter() - indent() - 6), indent(), 13);
  pen.textAlign = "center";
  const focus = model.focus;
  const flag = focus && focus.at >= view.from && focus.at <= view.until ? x_of(focus.at) : -1e9;
  for (const at of list) {
    const x = x_of(at);
    if (Math.abs(x - flag) < 70) continue;
    pen.fillStyle = tints["ink-soft"];
    pen.fillText(clock(at, digits_of(step)), x, 13);
    pen.fillStyle = tints["rule-strong"];
    pen.fillRect(x - 0.5, 22, 1, 4);
  }
  draw_violation_flags(pen);
  draw_fault_rows(pen);
}

function draw_violation_flags(pen) {
  pen.font = font(12, 600);
  for (const violation of model.violations) {
    const x = x_of(violation.at);
    if (x < gutter() || x > gutter() + plot_width()) continue;
    const text = violation.oracle;
    const wide = pen.measureText(text).width + 14;
    if (violation !== model.focus) {
      pen.fillStyle = tints.violation;
      pen.fillRect(x - 0.75, 20, 1.5, 6);  // below the numbers
      continue;
    }
    const left = Math.min(Math.max(x - wide / 2, gutter()), gutter() + plot_width() + kMargin - wide);
    pen.fillStyle = tints.violation;
    pen.beginPath();
    pen.roundRect(left, 4, wide, 18, 3);
    pen.fill();
    pen.fillRect(x - 0.75, 20, 1.5, 6);
    pen.fillStyle = tints.paper;
    pen.fillText(text, left + wide / 2, 13.5);
  }
}

function draw_fault_rows(pen) {
  if (view.fault_lanes === 0) return;
  pen.textAlign = "left";
  pen.font = font(12);
  pen.fillStyle = tints["ink-soft"];
  pen.fillText("faults", indent(), 28 + kFaultRow / 2);
  clip_to_plot(pen, axis_height());
  pen.font = font(11);
  for (const {fault, row} of view.fault_rows) {
    const open = fault.until === null;
    const [from, until] = [x_of(fault.from), open ? gutter() + plot_width() + kMargin : x_of(fault.until)];
    if (until < gutter() - 4 || from > gutter() + plot_width() + kMargin) continue;
    const top = 28 + row * kFaultRow;
    pen.fillStyle = tints.fault;
    pen.globalAlpha = fault.effective ? 0.2 : 0.09;
    pen.fillRect(from, top, Math.max(2, until - from), kFaultRow - 3);
    pen.globalAlpha = 1;
    pen.fillRect(from, top, 2, kFaultRow - 3);
    const left = Math.max(from, gutter()) + 6;
    pen.fillStyle = tints.ink;
    pen.fillText(fitted(pen, fault.text, until - left - 4), left, top + (kFaultRow - 3) / 2 + 0.5);
  }
  pen.restore();
}

// ---- the lanes

function draw_plot() {
  const width = scroll.clientWidth;
  const height = scroll.clientHeight;
  const pen = prepared(canvases.plot, width, height);
  const top = scroll.scrollTop;
  pen.translate(0, -top);
  const visible = view.rows.filter((row) => row.y + row.height >= top && row.y <= top + height);
  draw_ground(pen, visible, top, height);
  pen.save();
  pen.beginPath();
  pen.rect(gutter(), top, plot_width() + kMargin, height);
  pen.clip();
  for (const row of visible) if (row.lane) draw_lives(pen, row);
  draw_messages(pen, top, height);
  for (const row of visible) if (row.lane) draw_records(pen, row);
  draw_marks(pen, top, height);
  pen.restore();
  draw_names(pen, visible, top, height);
}

function draw_ground(pen, visible, top, height) {
  for (const {fault} of view.fault_rows) {
    if (fault.until === fault.from) continue;
    const from = Math.max(x_of(fault.from), gutter());
    const until = fault.until === null ? gutter() + plot_width() + kMargin : x_of(fault.until);
    pen.fillStyle = tints.fault;
    pen.globalAlpha = 0.07;
    for (const row of visible) {
      if (!row.lane || row.lane.world || !fault.wide || !fault.datacenters.includes(row.lane.datacenter)) continue;
      if (until > from) pen.fillRect(from, row.y, until - from, row.height);
    }
    pen.globalAlpha = 1;
  }
  pen.fillStyle = tints.rule;
  for (const at of ticks().list) pen.fillRect(Math.round(x_of(at)) - 0.5, top, 1, height);
}

// Hatching for the time in which a process does nothing.
function hatch(pen, from, top, wide, tall) {
  pen.save();
  pen.beginPath();
  pen.rect(from, top, wide, tall);
  pen.clip();
  pen.strokeStyle = tints["ink-faint"];
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = from - tall; x < from + wide; x += 5) {
    pen.moveTo(x, top + tall);
    pen.lineTo(x + tall, top);
  }
  pen.stroke();
  pen.restore();
}

function draw_lives(pen, row) {
  const {lane, middle} = row;
  const right = gutter() + plot_width() + kMargin;
  const end_of = (until) => (until === null ? right : x_of(until));
  if (lane.world) {
    pen.fillStyle = tints.rule;
    pen.fillRect(gutter(), middle - 0.5, right - gutter(), 1);
    return;
  }
  pen.strokeStyle = tints["rule-strong"];
  pen.lineWidth = 1;
  pen.setLineDash([1, 4]);
  pen.beginPath();
  pen.moveTo(gutter(), middle);
  pen.lineTo(right, middle);
  pen.stroke();
  pen.setLineDash([]);
  for (const [from, until, , end] of lane.lives) {
    const left = Math.max(gutter() - 2, x_of(from));
    const stop = Math.min(right + 2, end_of(until));
    pen.fillStyle = tints.life;
    if (stop > left) pen.fillRect(left, middle - 1.25, stop - left, 2.5);
  }
  for (const [from, until] of lane.masterships) {
    const left = Math.max(gutter() - 4, x_of(from));
    const stop = Math.min(right + 4, end_of(until));
    if (stop <= left) continue;
    pen.fillStyle = tints.consensus;
    pen.globalAlpha = 0.16;
    pen.beginPath();
    pen.roundRect(left, middle - 7, stop - left, 14, 3);
    pen.fill();
    pen.globalAlpha = 1;
  }
  for (const [from, until] of lane.pauses) {
    const left = Math.max(gutter(), x_of(from));
    const stop = Math.min(right, x_of(until));
    if (stop > left) hatch(pen, left, middle - 6, stop - left, 12);
  }
  for (const [from, until, , end] of lane.lives) draw_life_ends(pen, middle, x_of(from), until === null ? null : x_of(until), end);
}

function draw_life_ends(pen, middle, from, until, end) {
  pen.lineWidth = 2;
  pen.strokeStyle = tints["ink-soft"];
  pen.beginPath();
  pen.moveTo(from, middle - 6);
  pen.lineTo(from, middle + 6);
  pen.stroke();
  if (until === null || end === "") return;
  pen.strokeStyle = end === "crash" ? tints.violation : tints["ink-soft"];
  pen.beginPath();
  if (end === "crash") {
    pen.moveTo(until - 5, middle - 5);
    pen.lineTo(until + 5, middle + 5);
    pen.moveTo(until + 5, middle - 5);
    pen.lineTo(until - 5, middle + 5);
  } else {
    pen.moveTo(until, middle - 6);
    pen.lineTo(until, middle + 6);
  }
  pen.stroke();
}

// How strongly something is drawn: records outside the selected history are faint.
function strength(record) {
  if (view.event === null) return 1;
  if (view.history.has(record)) return 2;
  return view.weak.has(record) ? 1 : 0;
}

// Messages that look the same are drawn once.
function lines_to_draw(top, height) {
  const passes = [[], [], []];
  const seen = new Set();
  for (const message of model.messages) {
    const line = message_line(message);
    if (line === null || Math.max(line.y1, line.y2) < top || Math.min(line.y1, line.y2) > top + height) continue;
    const pass = strength(message.fact);
    const place = ((Math.round(line.x1 * 2) * 16384 + Math.round(line.x2 * 2)) * 1024 + message.fact.lane) * 1024 + Math.round(line.y2);
    if (pass < 2 && seen.has(place)) continue;
    seen.add(place);
    passes[pass].push({message, line});
  }
  return passes;
}

const kHeadsMost = 1500;

function draw_messages(pen, top, height) {
  const passes = lines_to_draw(top, height);
  const crowd = passes[0].length + passes[1].length + passes[2].length;
  const base = Math.min(0.62, 9 / Math.sqrt(crowd));
  const alphas = [Math.min(0.12, 60 / crowd), view.event === null ? base : 0.5, 1];
  passes.forEach((lines, pass) => {
    pen.globalAlpha = alphas[pass];
    pen.lineWidth = pass === 2 ? 1.7 : 1;
    const headed = pass === 2 || (pass === 1 && lines.length <= kHeadsMost);
    if (!headed) return draw_many(pen, lines);
    for (const {message, line} of lines) {
      pen.strokeStyle = pen.fillStyle = tints[message.fact.family];
      draw_message(pen, message, line, true);
    }
  });
  pen.globalAlpha = 1;
}

// Many lines at once, each batch one stroke.
function draw_many(pen, lines) {
  const kBatch = 64;
  for (const family of kFamilies) {
    const own = lines.filter(({message}) => message.fact.family === family);
    pen.strokeStyle = tints[family];
    for (let i = 0; i < own.length; i += kBatch) {
      pen.beginPath();
      for (const {line} of own.slice(i, i + kBatch)) {
        pen.moveTo(line.x1, line.y1);
        pen.lineTo(line.x2, line.y2);
      }
      pen.stroke();
    }
  }
}

// The line of a message on the plot; null if it is not visible. A message with only one end in the
// data is a short piece of a line.
function message_line(message) {
  if (!view.shown.has(message.fact.family)) return null;
  const {sent, delivered, towards} = message;
  const start = sent ? view.lane_row[sent.lane] : view.lane_row[towards];
  const stop = delivered ? view.lane_row[delivered.lane] : view.lane_row[towards];
  if (sent && delivered) {
    if (!start || !stop || delivered.at < view.from || sent.at > view.until) return null;
    return {x1: x_of(sent.at), y1: start.middle, x2: x_of(delivered.at), y2: stop.middle};
  }
  const known = sent ? start : stop;
  if (!known) return null;
  const x = x_of(message.fact.at);
  if (x < gutter() - 20 || x > gutter() + plot_width() + 20) return null;
  const other = sent ? stop : start;
  const slope = other ? Math.sign(other.middle - known.middle) : 1;
  const reach = 13;
  return sent ? {x1: x, y1: known.middle, x2: x + reach, y2: known.middle + slope * reach}
              : {x1: x - reach, y1: known.middle + slope * reach, x2: x, y2: known.middle};
}

function draw_message(pen, message, line, headed) {
  const {x1, y1, x2, y2} = line;
  const partial = !message.sent || !message.delivered;
  pen.beginPath();
  if (partial) pen.setLineDash([3, 2]);
  pen.moveTo(x1, y1);
  if (y1 === y2 && !partial) pen.quadraticCurveTo((x1 + x2) / 2, y1 - 16, x2, y2); else pen.lineTo(x2, y2);
  pen.stroke();
  if (partial) pen.setLineDash([]);
  if (!headed) return;
  if (!message.delivered) {
    pen.beginPath();
    pen.moveTo(x2 - 3, y2 - 3);
    pen.lineTo(x2 + 3, y2 + 3);
    pen.moveTo(x2 + 3, y2 - 3);
    pen.lineTo(x2 - 3, y2 + 3);
    pen.stroke();
    return;
  }
  const angle = y1 === y2 ? 0.6 : Math.atan2(y2 - y1, x2 - x1);
  const back = 3;  // the mark of the delivery covers the point
  const [px, py] = [x2 - back * Math.cos(angle), y2 - back * Math.sin(angle)];
  pen.beginPath();
  pen.moveTo(px, py);
  pen.lineTo(px - 7 * Math.cos(angle - 0.36), py - 7 * Math.sin(angle - 0.36));
  pen.lineTo(px - 7 * Math.cos(angle + 0.36), py - 7 * Math.sin(angle + 0.36));
  pen.closePath();
  pen.fill();
}

function first_at_or_after(records, at) {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle].at < at) low = middle + 1; else high = middle;
  }
  return low;
}

function draw_records(pen, row) {
  const records = row.lane.records;
  const margin = (8 / plot_width()) * (view.until - view.from);
  const begin = first_at_or_after(records, view.from - margin);
  for (const pass of view.event === null ? [1] : [0, 1, 2]) {
    let last = -1e9;
    for (let i = begin; i < records.length && records[i].at <= view.until + margin; ++i) {
      const record = records[i];
      if (record.edge || !view.shown.has(record.family) || strength(record) !== pass) continue;
      const x = x_of(record.at);
      if (pass < 2 && x - last < 0.7) continue;
      let next = i + 1;  // in another place
      while (next < records.length && x_of(records[next].at) - x < 0.7) ++next;
      const crowded = pass < 2 && (x - last < 3.5 || (next < records.length && x_of(records[next].at) - x < 3.5));
      last = x;
      pen.globalAlpha = pass === 0 ? 0.16 : pass === 1 && view.event !== null ? 0.75 : 1;
      draw_record(pen, record, x, row.middle, crowded, pass === 2);
    }
  }
  pen.globalAlpha = 1;
}

// Round: a decision. Square: storage, filled once durable. A stroke: an end of a message. A
// diamond: the environment.
function draw_record(pen, record, x, y, crowded, strong) {
  const tint = tints[record.family];
  pen.fillStyle = pen.strokeStyle = tint;
  const grow = strong ? 1.2 : 0;
  if (crowded && record.family !== "environment") {
    pen.fillRect(x - 0.5, y - 4, 1, 8);
    return;
  }
  pen.lineWidth = 1.4;
  pen.beginPath();
  switch (record.source) {
    case "decision":
      pen.arc(x, y, 3.4 + grow, 0, 2 * Math.PI);
      pen.fill();
      break;
    case "durable":
      pen.rect(x - 3 - grow, y - 3 - grow, 6 + 2 * grow, 6 + 2 * grow);
      pen.fill();
      break;
    case "issued":
      pen.rect(x - 2.6 - grow, y - 2.6 - grow, 5.2 + 2 * grow, 5.2 + 2 * grow);
      pen.fillStyle = tints.paper;
      pen.fill();
      pen.stroke();
      break;
    case "environment":
      pen.moveTo(x, y - 4 - grow);
      pen.lineTo(x + 4 + grow, y);
      pen.lineTo(x, y + 4 + grow);
      pen.lineTo(x - 4 - grow, y);
      pen.closePath();
      pen.fill();
      break;
    default:
      pen.arc(x, y, 1.9 + grow, 0, 2 * Math.PI);
      pen.fill();
  }
}

// Violations, and what is chosen.
function draw_marks(pen, top, height) {
  for (const violation of model.violations) {
    const x = x_of(violation.at);
    pen.globalAlpha = violation === model.focus ? 0.9 : 0.45;
    pen.fillStyle = tints.violation;
    if (violation === model.focus) pen.fillRect(x - 0.75, top, 1.5, height);
    const row = violation.lane >= 0 ? view.lane_row[violation.lane] : null;
    if (!row) continue;
    pen.strokeStyle = tints.violation;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x, row.middle, 9, 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  for (const record of [view.hover, view.record]) {
    const row = record ? view.lane_row[record.lane] : null;
    if (!row) continue;
    pen.strokeStyle = tints.selected;
    pen.lineWidth = record === view.record ? 2 : 1.2;
    pen.beginPath();
    pen.arc(x_of(record.at), row.middle, 7, 0, 2 * Math.PI);
    pen.stroke();
  }
}

function draw_names(pen, visible, top, height) {
  const left = gutter();
  pen.fillStyle = tints.paper;
  pen.fillRect(0, top, left - 1, height);
  pen.fillStyle = tints["rule-strong"];
  pen.fillRect(left - 1, top, 1, height);
  pen.textAlign = "left";
  for (const row of visible) {
    if (row.place !== undefined) {
      pen.font = font(13, 600);
      pen.fillStyle = tints.ink;
      pen.fillText(fitted(pen, row.place, left - indent() - 8), indent(), row.middle);
      continue;
    }
    const chosen = view.record && view.record.lane === row.lane.index;
    pen.font = font(13, chosen ? 600 : 400);
    pen.fillStyle = chosen ? tints.ink : tints["ink-soft"];
    pen.fillText(fitted(pen, row.lane.name, left - indent() - 22), indent() + (row.lane.world ? 0 : 12), row.middle);
  }
}

let scheduled = false;
function redraw() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    draw_overview();
    draw_axis();
    draw_plot();
  });
}
