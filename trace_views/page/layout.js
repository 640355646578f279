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
  const places = new Set(lanes.filter((lane) => !lane.environment).map((lane) => lane.place)).size;
  const room = scroll.clientHeight - places * kPlaceRow - 12;
  const row = Math.max(22, Math.min(46, Math.floor(room / Math.max(1, lanes.length))));
  view.rows = [];
  view.lane_row = model.lanes.map(() => null);
  let y = 4;
  let place = null;
  for (const lane of lanes) {
    if (!lane.environment && lane.place !== place) {
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
