// ---- the messages between lanes

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
