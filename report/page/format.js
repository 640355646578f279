// Numbers and times as text, and DOM elements without markup from data.

function grouped(value) {
  return Math.round(value).toLocaleString("en-US");
}

// Three digits and a unit: "2.35 s", "81.0 ms", "2 min 08 s".
function spokenSeconds(value) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === 0) return "0";
  if (size < 1e-6) return `${sign}${(size * 1e9).toPrecision(3)} ns`;
  if (size < 1e-3) return `${sign}${(size * 1e6).toPrecision(3)} µs`;
  if (size < 1) return `${sign}${(size * 1e3).toPrecision(3)} ms`;
  // From here on as the program writes them (analysis/reports/report_text.cc).
  const whole = Math.round(size);
  const two = (number) => String(number).padStart(2, "0");
  if (whole < 120) return `${sign}${size.toPrecision(3)} s`;
  if (whole < 3600) return `${sign}${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  const minutes = Math.floor((whole + 30) / 60);
  return `${sign}${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

function spokenBytes(value) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let place = 0;
  let size = Math.abs(value);
  while (size >= 1024 && place < units.length - 1) {
    size /= 1024;
    ++place;
  }
  return `${value < 0 ? "−" : ""}${place === 0 ? size : size.toPrecision(3)} ${units[place]}`;
}

function plain(value) {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return grouped(value);
  return Number(value.toPrecision(4)).toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

// A value in a unit of the results file.
function spoken(unit, value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  if (unit === "seconds") return spokenSeconds(value);
  if (unit === "bytes") return spokenBytes(value);
  if (unit === "per_second") return `${plain(value)}/s`;
  return plain(value);
}

// "2.35 s [1.85 s, 2.85 s]"
function withInterval(unit, value, low, high) {
  const text = spoken(unit, value);
  return low === null || high === null ? text : `${text} [${spoken(unit, low)}, ${spoken(unit, high)}]`;
}

// An element with text and children; text of others never becomes markup.
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  for (const child of children) {
    if (child === null || child === undefined) continue;
    made.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return made;
}

// Rows of an object whose lists are columns.
function rowsOf(columns) {
  const names = Object.keys(columns);
  if (names.length === 0) return [];
  return columns[names[0]].map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
}

function shortText(text, most) {
  const all = String(text);
  return all.length <= most ? all : `${all.slice(0, most - 1)}…`;
}
