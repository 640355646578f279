// ---- numbers and times as text

const kSecond = 1e9;

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

function counted(number, one, many) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

// A length: three or four significant digits, and a unit.
function spoken(nanoseconds) {
  const size = Math.abs(nanoseconds);
  const sign = nanoseconds < 0 ? "\u2212" : "";
  const units = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [kSecond, "s"], [60 * kSecond, "min"], [3600 * kSecond, "h"]];
  let unit = units[0];
  for (const each of units) {
    if (size >= each[0] && (each[0] < 60 * kSecond || size >= 2 * each[0])) unit = each;
  }
  const value = size / unit[0];
  const digits = unit[0] === 1 || value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  return `${sign}${value.toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "")}\u2009${unit[1]}`;
}

// The time of the run, in seconds, exactly; `digits` after the point.
function clock(at, digits) {
  const whole = model.origin + BigInt(Math.round(at));
  const sign = whole < 0n ? "\u2212" : "";
  const size = whole < 0n ? -whole : whole;
  const fraction = String(size % 1000000000n).padStart(9, "0").slice(0, digits);
  return `${sign}${grouped(size / 1000000000n)}${digits > 0 ? `.${fraction}` : ""}`;
}

// Distance between marks of an axis: a 1, 2 or 5 with zeros, at least `least`.
function tick_step(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

function digits_of(step) {
  return Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(step))));
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (each) => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[each]);
}
