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
      if (!row.lane || row.lane.environment || !fault.wide || !fault.datacenters.includes(row.lane.datacenter)) continue;
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
  if (lane.environment) {
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
    pen.fillText(fitted(pen, row.lane.name, left - indent() - 22), indent() + (row.lane.environment ? 0 : 12), row.middle);
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
