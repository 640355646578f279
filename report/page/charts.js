// A chart: a Vega-Lite specification drawn in a figure, with its table.

const kCharts = [];  // drawn again when the colours change

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function palette() {
  return ["registry", "pipeline", "fault", "consensus", "rose", "environment", "olive", "violation"].map(colour);
}

function vegaConfig() {
  const soft = colour("ink-soft");
  const rule = colour("rule");
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: "transparent",
    font,
    axis: { labelColor: soft, titleColor: soft, gridColor: rule, domainColor: colour("rule-strong"), tickColor: colour("rule-strong"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelLimit: narrow() ? 150 : 400, titlePadding: 8 },
    legend: { labelColor: soft, titleColor: soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", orient: "top", labelLimit: narrow() ? 170 : 420, columns: narrow() ? 2 : 7, symbolStrokeWidth: 2 },
    header: { labelColor: soft, titleColor: soft, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelLimit: 260 },
    title: { color: soft, fontSize: 12, fontWeight: "normal", anchor: "start" },
    view: { stroke: null },
    range: { category: palette(), heatmap: [colour("raised"), colour("registry")], ramp: [colour("raised"), colour("registry")] },
    line: { strokeWidth: 2, strokeJoin: "round" },
    bar: { color: colour("registry") },
    point: { filled: true, size: 46 },
    rule: { color: soft },
  };
}

function narrow() {
  return window.innerWidth < 620;
}

const kSpecs = JSON.parse(document.getElementById("specs").textContent);

// The specification of a chart that notebooks have too. In it "@registry" stands for a colour, "@seconds" for an axis
// with times.
function specOf(name, rows) {
  const known = (word) => (word in kSpecs.axes ? { ...kSpecs.axes[word] } : colour(word));
  const spec = JSON.parse(JSON.stringify(kSpecs.charts[name]), (_, value) => (typeof value === "string" && value.startsWith("@") ? known(value.slice(1)) : value));
  return { ...spec, data: { values: rows } };
}

// Rows named by configurations or faults: their axis, and the height of all. Where the page is narrow a name has a line
// for each of its parts.
function namedRows(names, step, between = ", | at ") {
  const distinct = [...new Set(names)];
  if (!narrow()) return { axis: { labelLimit: 420 }, height: step * distinct.length };
  const lines = Math.max(...distinct.map((each) => each.split(new RegExp(between)).length));
  const axis = { labelExpr: `split(datum.label, regexp('${between}'))`, labelLimit: 170, labelFontSize: 11 };
  return { axis, height: Math.max(step, 14 * lines + 6) * distinct.length };
}

// A specification with a step of height, with such rows of its vertical axis: a width that follows the page takes no
// steps.
function withNamedRows(spec, names) {
  const { axis, height } = namedRows(names, spec.height.step);
  spec.encoding.y.axis = axis;
  return { ...spec, height };
}

// name: for scripts; spec: a function of nothing, called for each drawing; table: an element.
function chart(name, title, text, spec, table) {
  const plot = element("div", { class: "plot" });
  const figure = element("figure", { "data-chart": name },
    element("figcaption", {}, element("h3", {}, title), text ? element("p", {}, text) : null),
    plot, table ? folded("Table", table) : null);
  kCharts.push({ plot, spec });
  return figure;
}

function draw({ plot, spec }) {
  const whole = { $schema: "https://vega.github.io/schema/vega-lite/v5.json", width: "container", autosize: { type: "fit-x", contains: "padding" }, ...spec() };
  return vegaEmbed(plot, whole, { renderer: "svg", actions: false, logLevel: vega.Error, config: vegaConfig(), tooltip: { theme: "custom" } });
}

async function drawAll() {
  for (const each of kCharts) {
    // Charts of a choice that was changed are gone.
    if (each.plot.isConnected) await draw(each);
  }
}

// A legend whose entries are never cut where the page is wide enough for one.
function legendOf(labels) {
  if (narrow()) return { columns: 1, labelExpr: "split(datum.label, ', ')", labelLimit: 300 };
  const longest = 7 * Math.max(...labels.map((each) => each.length)) + 50;
  return { columns: Math.max(1, Math.min(7, Math.floor(document.querySelector("main").clientWidth / longest))) };
}

// The chart once for each value of a field, side by side.
function panels({ data, ...spec }, field, most) {
  const columns = narrow() ? 1 : most;
  const width = Math.max(180, (document.querySelector("main").clientWidth - 80 * columns) / columns);
  return { data, facet: { field, type: "nominal", title: null, sort: null }, columns, spec: { ...spec, width }, width: undefined, autosize: { type: "pad" } };
}

// Ticks of a logarithmic axis over these values: 1, 2 and 5 times powers of ten, or powers alone.
function logTicks(values) {
  const above = values.filter((each) => each > 0);
  if (above.length === 0) return [];
  const low = Math.min(...above);
  const high = Math.max(...above);
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power) {
    for (const factor of high / low > 2000 ? [1] : [1, 2, 5]) ticks.push(Number((factor * 10 ** power).toPrecision(3)));
  }
  return ticks;
}

function axisOf(unit, more) {
  if (unit === "seconds") return { ...kSpecs.axes.seconds, ...more };
  return { labelExpr: "format(datum.value, datum.value < 1 && datum.value > -1 ? '~g' : '.3~s')", labelOverlap: true, labelSeparation: 6, ...more };
}
