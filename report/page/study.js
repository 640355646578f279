// Sections of files with several configurations: effects of parameters, interactions, differences, trade-offs, figures.

// A parameter as a number, where all its values are numbers with at most a unit.
function numberOf(text) {
  const match = /^(-?[\d.]+(?:e[+-]?\d+)?)\s*(ns|us|µs|ms|s|min|h|d|B|KiB|MiB|GiB|%)?$/.exec(text);
  if (!match) return null;
  const scale = { ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, d: 86400, B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824, "%": 0.01 }[match[2]] || 1;
  return Number(match[1]) * scale;
}

// By size where all are numbers, otherwise as they come: in the order of the study.
function sortedValues(values) {
  const list = [...new Set(values)];
  const numbers = list.map(numberOf);
  return numbers.every((each) => each !== null) ? list.sort((a, b) => numberOf(a) - numberOf(b)) : list;
}

const kStudyMetrics = ["latency.own.p99", "latency.own.p50", "latency.total.p99", "latency.insert.p99", "latency.insert.p50", "latency.commit.p50", "load.mean_batch", "load.transactions_per_second", "registry.mean_batch", "waste.wasted_joins_per_joined", "waste.registry_lookups_per_click", "lost", "loss_rate"];

// The axes of the study with the choice of each configuration, in the study's order; null where the file is not that of
// one study.
function studyAxes(data) {
  if (data.studies.length !== 1) return null;
  const study = data.studies[0];
  const places = data.points.scenario.map((label) => study.labels.indexOf(label));
  if (places.includes(-1)) return null;
  return study.axes.map((axis) => [axis.name, places.map((place) => axis.values[place])]).filter(([, values]) => new Set(values).size > 1);
}

// "search", or the design that drew the points of the file's only study; null for others.
function drawnBy(data) {
  return data.studies.length === 1 ? data.studies[0].drawn || null : null;
}

// What the study says of its keys for a figure, the one that matters most first; null without it.
function keysOf(data, name) {
  const list = data.studies.length === 1 ? data.studies[0].sensitivity || [] : [];
  const found = list.find((each) => each.metric === name);
  return found && !found.missing ? found : null;
}

// Parameters with at least two values, the most varied first; those that only follow another one are left out.
function variedParameters(data) {
  const axes = studyAxes(data);
  if (axes && drawnBy(data)) {
    const ranked = (data.studies[0].sensitivity || []).map((each) => Object.keys(each.keys))[0] || [];
    const place = ([name]) => (ranked.includes(name) ? ranked.indexOf(name) : ranked.length);
    return [...axes].sort((a, b) => place(a) - place(b)).slice(0, 6);
  }
  if (axes) return axes.slice(0, 6);
  const seen = new Set();
  return Object.entries(data.parameters).filter(([, values]) => {
    const distinct = sortedValues(values).length;
    const pattern = JSON.stringify(values.map((each) => values.indexOf(each)));
    if (distinct < 2 || distinct > 12 || seen.has(pattern)) return false;
    seen.add(pattern);
    return true;
  }).slice(0, 6);
}

// "stationary", "not stationary", or "not known" of runs that are too short to tell.
function stateOfPoint(data, i) {
  const stationary = data.points.stationary[i];
  return stationary === false ? "not stationary" : stationary === null ? "not known" : "stationary";
}

function studySection(data) {
  if (!severalPoints(data)) return null;
  // Keys of one study say nothing of the points of another.
  if (newestStudies(data).length > 1) {
    return section("study", "Configurations", null, element("p", { class: "quiet" }, "This file holds several studies. A report of a file with one of them shows here how its figures depend on what it varies."));
  }
  const varied = variedParameters(data);
  // Those of the study's own question first.
  const asked = data.studies.flatMap((study) => [study.best || "", ...(study.pareto || []), ...study.metrics]);
  const metrics = [...new Set([...asked, ...kStudyMetrics])].filter((name) => data.metrics[name]);
  if (varied.length === 0 || metrics.length === 0) return null;
  const holder = element("div", {});
  const select = element("select", { id: "metric", "aria-label": "Figure" }, ...metrics.map((name) => element("option", { value: name }, name)));
  const fill = () => holder.replaceChildren(...[drawnBy(data) ? keysChart(data, select.value) : null, drawnBy(data) ? scatterChart(data, varied, select.value) : effectsChart(data, varied, select.value), drawnBy(data) ? null : sharesChart(data, varied, select.value), drawnBy(data) ? null : interactionChart(data, varied, select.value), differencesChart(data, select.value), tradeChart(data, varied, select.value)].filter((each) => each !== null));
  select.addEventListener("change", () => { fill(); drawAll(); });
  fill();
  return section("study", "Configurations", "How a figure depends on what was varied.", element("label", { class: "choice" }, "Figure", select), holder);
}

// One for each configuration that has the figure, with its values of the varied parameters.
function metricRows(data, varied, name) {
  const metric = data.metrics[name];
  return data.points.label.map((_, i) => ({
    point: i, label: pointLabel(data, i), value: metric.value[i], low: metric.low[i], high: metric.high[i], n: metric.n[i], overloaded: data.points.stationary[i] === false, state: stateOfPoint(data, i),
    ...Object.fromEntries(varied.map(([key, values]) => [key, values[i]])),
  })).filter((row) => row.value !== null);
}

// What a design that asks for it says of the keys: Morris' effects, or shares of the variance.
function keysChart(data, name) {
  const found = keysOf(data, name);
  if (!found) return null;
  const effects = found.design === "morris";
  const parts = effects ? [["mu_star", "changes it by"]] : [["first", "explains alone"], ["total", "with others"]];
  const rows = Object.entries(found.keys).flatMap(([key, each]) => parts.map(([part, title]) => ({ key, part: title, value: each[part].mean, low: each[part].low, high: each[part].high, sigma: each.sigma })));
  const unit = effects ? found.unit : "ratio";
  const { axis, height } = namedRows(rows.map((row) => row.key), parts.length > 1 ? 34 : 24);
  const title = effects ? `What moves ${name}` : `What explains ${name}`;
  const text = effects ? `By how much it changes when a key goes from one end of its range to the other (Morris, ${grouped(found.size)} trajectories), with 95 % intervals.` : `The share of its variance over these ranges that each key explains alone, and together with others (Sobol's indices, ${grouped(found.size)} rows), with 95 % intervals. Luck of the seeds is part of what no key explains alone.`;
  return chart("keys", title, text,
    () => ({
      data: { values: rows }, height,
      encoding: { y: { field: "key", type: "nominal", title: null, sort: null, axis }, yOffset: { field: "part", sort: parts.map((each) => each[1]) } },
      layer: [
        { mark: { type: "bar", opacity: 0.8 }, encoding: { x: { field: "value", type: "quantitative", title: effects ? `change of ${name}` : "share of its variance", axis: axisOf(unit) }, color: { field: "part", type: "nominal", title: null, legend: parts.length > 1 ? {} : null, scale: { domain: parts.map((each) => each[1]), range: [colour("registry"), colour("pipeline")] } }, tooltip: [{ field: "key" }, { field: "part" }, { field: "value", format: ".4~g" }, { field: "low", format: ".4~g" }, { field: "high", format: ".4~g" }] } },
        { mark: { type: "rule", strokeWidth: 1.5, color: colour("ink") }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
      ],
    }),
    tableOf([{ title: "key", of: (row) => row.key }, { title: "what", of: (row) => row.part }, { title: "value", of: (row) => row.value, unit }, { title: "low", of: (row) => row.low, unit }, { title: "high", of: (row) => row.high, unit }, effects ? { title: "spread", of: (row) => row.sigma, unit } : null].filter((each) => each), rows));
}

// Drawn points: the figure over each key, on the scale of its numbers where it has numbers.
function scatterChart(data, varied, name) {
  const unit = data.metrics[name].unit;
  const search = data.studies[0].search;
  const confirmed = search ? search.confirmed : [];
  const state = (row) => (row.overloaded ? "not stationary" : confirmed.includes(data.points.scenario[row.point]) ? "confirmed with fresh seeds" : search ? "as the search saw it" : row.state);
  const figures = metricRows(data, varied, name).map((row) => ({ ...row, state: state(row) }));
  const wide = isWide(figures.map((row) => row.value));
  const states = search ? ["confirmed with fresh seeds", "as the search saw it", "not stationary"] : ["stationary", "not known", "not stationary"];
  const range = search ? [colour("fault"), colour("registry"), colour("violation")] : [colour("registry"), colour("ink-faint"), colour("violation")];
  const columns = narrow() ? 1 : Math.min(varied.length, 3);
  const panel = ([key, values]) => {
    const numbers = values.map(numberOf);
    const numeric = numbers.every((each) => each !== null);
    const rows = figures.map((row) => ({ ...row, at: numeric ? numbers[row.point] : values[row.point], text: values[row.point] }));
    const x = numeric ? { field: "at", type: "quantitative", scale: { type: isWide(numbers) ? "log" : "linear", zero: false, nice: false }, axis: { ...axisOf(/(s|min|h|d)$/.test(values[0]) ? "seconds" : "count"), tickCount: 5 } } : { field: "at", type: "nominal", axis: { labelAngle: 0 } };
    return {
      data: { values: rows }, width: Math.max(150, (document.querySelector("main").clientWidth - 80 * columns) / columns), height: 190,
      mark: { type: "point", opacity: 0.75 },
      encoding: { x: { ...x, title: key }, y: { field: "value", type: "quantitative", title: name, scale: { type: wide ? "log" : "linear", zero: false }, axis: axisOf(unit, wide ? { values: logTicks(figures.map((row) => row.value)) } : {}) }, color: { field: "state", type: "nominal", title: null, scale: { domain: states, range } }, tooltip: [{ field: "label" }, { field: "text", title: key }, { field: "value", format: ".4~g" }, { field: "state" }] },
    };
  };
  return chart("effects", `${name} over each key`, `A point for each configuration; all other keys differ too.${wide ? " The scale has powers of ten." : ""}`,
    () => ({ concat: varied.map(panel), columns, width: undefined, autosize: { type: "pad" } }),
    tableOf([{ title: "configuration", of: (row) => row.label }, { title: name, of: (row) => row.value, unit }, { title: "low", of: (row) => row.low, unit }, { title: "high", of: (row) => row.high, unit }, { title: "state", of: (row) => row.state }], figures));
}

// Sobol's indices of the grid.
function sharesChart(data, varied, name) {
  const { missing, ...columns } = data.sensitivity;
  if (varied.length < 2) return null;
  if (missing) return element("p", { class: "quiet" }, `No shares of variance: ${missing}.`);
  const rows = rowsOf(columns).filter((row) => row.metric === name).sort((a, b) => b.total - a.total);
  if (rows.length === 0) return null;
  const bars = rows.flatMap((row) => [{ ...row, part: "alone", share: row.first }, { ...row, part: "with others", share: Math.max(0, row.total - row.first) }]);
  const luck = rows[0].luck;
  return chart("sensitivity", `What explains ${name}`, `The share of its variance over this grid that each parameter explains alone, and more together with others (Sobol's indices, each value as likely as any other).${luck === null ? "" : luck >= 0.95 ? " All of the variance may be luck of the seeds: then these shares say nothing." : ` Up to ${(100 * luck).toPrecision(2)} % of the variance may be luck of the seeds.`}`,
    () => {
      const spec = withNamedRows(specOf("sensitivity", bars), bars.map((row) => row.parameter));
      spec.encoding.x.axis.tickCount = narrow() ? 5 : 10;
      return spec;
    },
    tableOf([{ title: "parameter", of: (row) => row.parameter }, { title: "alone", of: (row) => row.first, unit: "ratio" }, { title: "in all", of: (row) => row.total, unit: "ratio" }], rows));
}

// Whether powers of ten show them better: all are above zero, and far apart.
function isWide(values) {
  const least = Math.min(...values);
  return least > 0 && Math.max(...values) / least > 20;
}

function effectsChart(data, varied, name) {
  const unit = data.metrics[name].unit;
  const figures = metricRows(data, varied, name);
  const rows = [];
  for (const [key, values] of varied) {
    for (const row of figures) rows.push({ parameter: key, at: values[row.point], value: row.value, low: row.low, high: row.high, label: row.label, state: row.state });
  }
  const columns = narrow() ? 1 : Math.min(varied.length, 3);
  const values = rows.map((row) => row.value);
  const wide = isWide(values);
  const scale = wide ? { type: "log" } : {};
  // An interval that reaches zero has its low end at the bottom of powers of ten.
  const bottom = Math.min(...rows.flatMap((row) => [row.value, row.low]).filter((value) => value > 0));
  for (const row of rows) row.drawn = row.low === null ? null : wide ? Math.max(row.low, bottom) : row.low;
  // Means over some of the grid are those of other values of the other parameters.
  const whole = data.sensitivity.missing === "" || data.sensitivity.missing.startsWith("fewer than two");
  const longest = Math.max(...rows.map((row) => String(row.at).length));
  return chart("effects", `Main effects on ${name}`, `A point for each configuration with its 95 % interval${whole ? "; the line joins the means of those that keep up, or perhaps do" : ""}.${wide ? " The scale has powers of ten." : ""}`,
    () => ({
      data: { values: rows },
      facet: { field: "parameter", type: "nominal", title: null, sort: varied.map((each) => each[0]) },
      columns,
      spec: {
        width: Math.max(150, (document.querySelector("main").clientWidth - 70 * columns) / columns), height: 190,
        layer: [
          { transform: [{ filter: "datum.drawn !== null && datum.state != 'not stationary'" }], mark: { type: "rule", opacity: 0.35 }, encoding: { y: { field: "drawn", type: "quantitative", scale }, y2: { field: "high" } } },
          { mark: { type: "point", opacity: 0.75 }, encoding: { y: { field: "value", type: "quantitative", scale }, color: { field: "state", type: "nominal", title: null, scale: { domain: ["stationary", "not known", "not stationary"], range: [colour("registry"), colour("ink-faint"), colour("violation")] } }, tooltip: [{ field: "label" }, { field: "value", format: ".4~g" }, { field: "low", format: ".4~g" }, { field: "high", format: ".4~g" }] } },
          { transform: [{ filter: whole ? "datum.state != 'not stationary'" : "false" }], mark: { type: "line", color: colour("registry"), strokeWidth: 1.5 }, encoding: { y: { field: "value", aggregate: "mean", type: "quantitative", title: name, scale, axis: axisOf(unit, wide ? { values: logTicks(values) } : {}) } } },
        ],
        encoding: { x: { field: "at", type: "ordinal", title: null, sort: sortedValues(rows.map((row) => row.at)), axis: longest > 8 ? { labelAngle: -40, labelLimit: 260 } : { labelAngle: 0 } } },
      },
      resolve: { scale: { x: "independent" } }, width: undefined, autosize: { type: "pad" },
    }),
    tableOf([{ title: "parameter", of: (row) => row.parameter }, { title: "value", of: (row) => row.at }, { title: "configuration", of: (row) => row.label }, { title: name, of: (row) => row.value, unit }, { title: "low", of: (row) => row.low, unit }, { title: "high", of: (row) => row.high, unit }, { title: "state", of: (row) => row.state }], rows));
}

function interactionChart(data, varied, name) {
  if (varied.length < 2) return null;
  const [first, second, third] = varied.map((each) => each[0]);
  const rows = metricRows(data, varied, name).map((row) => ({ a: row[first], b: row[second], c: third ? `${third} = ${row[third]}` : "", value: row.value, text: spoken(data.metrics[name].unit, row.value), overloaded: row.overloaded, state: row.state, label: row.label }));
  const panes = sortedValues(rows.map((row) => row.c)).length;
  const columns = narrow() ? 1 : Math.min(panes, 3);
  return chart("interactions", `${first} with ${second}`, `${name} of each combination${third ? `, for each ${third}` : ""}. Crossed out: not stationary.`,
    () => ({
      data: { values: rows },
      facet: { field: "c", type: "nominal", title: null, sort: sortedValues(rows.map((row) => row.c)) },
      columns,
      spec: {
        width: Math.max(160, (document.querySelector("main").clientWidth - 110 * columns) / columns), height: { step: 30 },
        encoding: { x: { field: "a", type: "ordinal", title: first, sort: sortedValues(rows.map((row) => row.a)), axis: { labelAngle: 0 } }, y: { field: "b", type: "ordinal", title: second, sort: sortedValues(rows.map((row) => row.b)) } },
        layer: [
          { transform: [{ filter: "!datum.overloaded" }], mark: { type: "rect", stroke: colour("paper"), strokeWidth: 2 }, encoding: { color: { field: "value", aggregate: "mean", type: "quantitative", legend: null, scale: { type: isWide(rows.filter((row) => !row.overloaded).map((row) => row.value)) ? "log" : "linear", range: [colour("raised"), colour("fault")] } }, tooltip: [{ field: "label" }, { field: "text", title: name }] } },
          { mark: { type: "text", fontSize: 11, color: colour("ink") }, encoding: { text: { condition: { test: "datum.overloaded", value: "✕" }, field: "text" } } },
        ],
      },
      width: undefined, autosize: { type: "pad" },
    }),
    tableOf([{ title: first, of: (row) => row.a }, { title: second, of: (row) => row.b }, third ? { title: "for", of: (row) => row.c } : null, { title: name, of: (row) => row.text }, { title: "stationary", of: (row) => ({ stationary: "yes", "not stationary": "no", "not known": "not known" })[row.state] }].filter((each) => each), rows));
}

function differencesChart(data, name) {
  const { first, ...columns } = data.differences;
  if (first === null) return null;
  const rows = rowsOf(columns).filter((row) => row.metric === name && row.low !== null).map((row) => ({ ...row, label: pointLabel(data, row.point), clear: row.low > 0 || row.high < 0 }));
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.value - b.value);
  const shown = rows.length > 40 ? [...rows.slice(0, 20), ...rows.slice(-20)] : rows;
  const unit = rows[0].unit;
  return chart("differences", `Beside ${pointLabel(data, first)}`, `What each configuration has more of ${name} than the first one that keeps up, seed by seed, with 95 % intervals. Grey: the interval holds 0.${shown.length < rows.length ? " The 20 least and the 20 most." : ""}`,
    () => {
      const spec = withNamedRows(specOf("differences", shown), shown.map((row) => row.label));
      Object.assign(spec.layer[1].encoding.x, { title: `more ${name}`, axis: axisOf(unit) });
      spec.layer.unshift({ data: { values: [{}] }, mark: { type: "rule", strokeDash: [3, 3] }, encoding: { x: { datum: 0 }, y: null, color: { value: colour("ink-soft") } } });
      return spec;
    },
    tableOf([{ title: "configuration", of: (row) => row.label }, { title: "difference", of: (row) => row.value, unit }, { title: "low", of: (row) => row.low, unit }, { title: "high", of: (row) => row.high, unit }, { title: "pairs", of: (row) => row.n, unit: "count" }, { title: "correlation", of: (row) => row.correlation, unit: "ratio" }], rows));
}

// Figures of which less is better. Of others, such as the size of a batch, neither more nor less is.
function lessIsBetter(name, unit) {
  return unit === "seconds" || unit === "bytes" || /^(lost$|loss_rate|waste\.|load\.transactions_per_second$|registry\.transactions$)/.test(name);
}

// The figure against the waste, or for a registry alone against its transactions: what no other configuration beats in
// both.
function tradeChart(data, varied, name) {
  // The study's own front first.
  const study = data.studies.length === 1 ? data.studies[0] : {};
  const front = (study.pareto || []).filter((each) => data.metrics[each]);
  if (!lessIsBetter(name, data.metrics[name].unit) && !front.includes(name)) return null;
  const other = [...(front.includes(name) ? front : []), "waste.registry_lookups_per_click", "load.transactions_per_second", "registry.transactions"].find((each) => each !== name && data.metrics[each]);
  if (!other || data.points.label.length < 3) return null;
  const unit = data.metrics[name].unit, otherUnit = data.metrics[other].unit;
  const rows = metricRows(data, varied, name).filter((row) => row.state === "stationary" && data.metrics[other].value[row.point] !== null && (!study.search || study.search.confirmed.includes(data.points.scenario[row.point]))).map((row) => ({ label: row.label, value: row.value, other: data.metrics[other].value[row.point] }));
  if (rows.length < 3) return null;
  for (const row of rows) row.best = !rows.some((each) => (each.value < row.value && each.other <= row.other) || (each.value <= row.value && each.other < row.other));
  // Neighbours have their names at other heights.
  rows.filter((row) => row.best).sort((a, b) => a.other - b.other).forEach((row, i) => { row.height = i % 3; });
  const names = [-7, -20, 11].map((dy, height) => ({ transform: [{ filter: `datum.height === ${height}` }], mark: { type: "text", dx: 8, dy, align: "left", fontSize: 10, limit: narrow() ? 120 : 260 }, encoding: { text: { field: "label" } } }));
  return chart("pareto", `${name} and ${other}`, "Less of both is better: none has less of both than one in colour (Pareto). Only configurations that keep up" + (study.search ? " and are confirmed." : "."),
    () => ({
      data: { values: rows }, height: 280,
      layer: [{ mark: { type: "point", size: 70, opacity: 0.85 } }, ...(rows.filter((row) => row.best).length > 12 ? [] : names)],
      encoding: { x: { field: "other", type: "quantitative", title: other, scale: { zero: false }, axis: axisOf(otherUnit) }, y: { field: "value", type: "quantitative", title: name, scale: { zero: false }, axis: axisOf(unit) }, color: { condition: { test: "datum.best", value: colour("registry") }, value: colour("rule-strong") }, tooltip: [{ field: "label" }, { field: "value", format: ".4~g" }, { field: "other", format: ".4~g" }] },
    }),
    tableOf([{ title: "configuration", of: (row) => row.label }, { title: name, of: (row) => row.value, unit }, { title: other, of: (row) => row.other, unit: otherUnit }, { title: "not beaten", of: (row) => (row.best ? "yes" : "no") }], rows));
}

function figuresSection(data) {
  const rows = [];
  for (const [name, metric] of Object.entries(data.metrics)) {
    metric.value.forEach((value, point) => { if (value !== null) rows.push({ name, point, unit: metric.unit, value, low: metric.low[point], high: metric.high[point], n: metric.n[point] }); });
  }
  const columns = [{ title: "figure", of: (row) => row.name }];
  if (severalPoints(data)) columns.push({ title: "configuration", of: (row) => pointLabel(data, row.point) });
  columns.push({ title: "value", of: (row) => withInterval(row.unit, row.value, row.low, row.high) }, { title: "runs", of: (row) => row.n, unit: "count" });
  const runs = rowsOf(data.runs);
  return section("figures", "All figures", "Figures that are zero everywhere are left out.",
    folded(`${grouped(rows.length)} figures`, tableOf(columns, rows)),
    folded(runs.length === 1 ? "1 run" : `${grouped(runs.length)} runs`, tableOf([{ title: "run", of: (row) => row.id }, { title: "configuration", of: (row) => pointLabel(data, row.point) }, { title: "seed", of: (row) => row.seed }, { title: "verdict", of: (row) => row.verdict }, { title: "fingerprint", of: (row) => row.fingerprint }, { title: "events", of: (row) => row.events, unit: "count" }, { title: "simulated", of: (row) => row.sim_seconds, unit: "seconds" }], runs)));
}
