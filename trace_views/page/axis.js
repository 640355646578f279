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
