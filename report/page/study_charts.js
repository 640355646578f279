// Charts that studies state: lines of figures over keys, over cases or over the time of a run, with theory and bounds.

function chartsOf(data) {
  return newestStudies(data).flatMap((study) => (study.charts || []).map((each) => ({ ...each, study: study.study, scale: study.scale })))
    .sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

function rowsOfChart(drawn) {
  return drawn.lines.flatMap((line) => line.value.map((value, i) => ({ line: line.label, unit: line.unit, x: line.x[i], at: line.at[i], value, low: line.low[i], high: line.high[i], theory: line.theory[i], state: line.state[i] })));
}

// Where all bounds hold: from `from` up to `y`.
function areaOf(bounds) {
  if (bounds.length === 0) return [];
  const of = (side, i) => bounds.filter((each) => each.side === side).map((each) => each.y[i]);
  const known = (i) => bounds.every((each) => each.y[i] !== null);
  return bounds[0].x.map((x, i) => (known(i) ? { x, from: Math.max(0, ...of("above", i)), y: Math.min(...of("below", i)) } : null)).filter((row) => row !== null && Number.isFinite(row.y) && row.y > row.from);
}

function lineLayers(drawn, rows, x) {
  const dense = rows.length > 40 * drawn.lines.length;
  const scale = drawn.lines.length > 1 ? {} : { legend: null };
  const color = { field: "line", type: "nominal", title: null, sort: drawn.lines.map((each) => each.label), ...scale };
  const tooltip = [{ field: "line" }, { field: "at" }, { field: "x", title: drawn.x_title, format: ".4~g" }, { field: "value", format: ".4~g" }, { field: "low", format: ".4~g" }, { field: "high", format: ".4~g" }, { field: "theory", format: ".4~g" }];
  const layers = [
    // Values that are zero in all runs have no interval: in an area they are their own.
    { transform: dense ? [{ calculate: "datum.low === null ? datum.value : datum.low", as: "low" }, { calculate: "datum.high === null ? datum.value : datum.high", as: "high" }] : [{ filter: "datum.low !== null" }], mark: dense ? { type: "area", opacity: 0.22 } : { type: "rule", opacity: 0.5, strokeWidth: 2 }, encoding: { x, y: { field: "low", type: "quantitative" }, y2: { field: "high" }, color } },
    { mark: { type: "line", strokeWidth: dense ? 1.4 : 2 }, encoding: { x, y: { field: "value", type: "quantitative" }, color } },
  ];
  if (!dense) layers.push({ mark: { type: "point", filled: true, size: 46, opacity: 1 }, encoding: { x, y: { field: "value", type: "quantitative" }, color, fillOpacity: { condition: { test: "datum.state === ''", value: 1 }, value: 0 }, stroke: color, tooltip } });
  if (rows.some((row) => row.theory !== null)) layers.push({ transform: [{ filter: "datum.theory !== null" }], mark: { type: "line", strokeDash: [5, 4], strokeWidth: 1.5 }, encoding: { x, y: { field: "theory", type: "quantitative" }, color } });
  return layers;
}

function boundLayers(drawn, x, top) {
  if (drawn.bounds.length === 0) return [];
  const curves = drawn.bounds.flatMap((each) => each.x.map((at, i) => ({ bound: each.label, x: at, y: each.y[i] }))).filter((row) => row.y !== null && row.y >= 0 && row.y <= top);
  return [
    { data: { values: areaOf(drawn.bounds) }, mark: { type: "area", opacity: 0.14, clip: true }, encoding: { x, y: { field: "y", type: "quantitative" }, y2: { field: "from" }, color: { value: colour("pipeline") } } },
    { data: { values: curves }, mark: { type: "line", strokeDash: [6, 4], strokeWidth: 1.5 }, encoding: { x, y: { field: "y", type: "quantitative" }, strokeDash: { field: "bound", type: "nominal", title: null, legend: { columns: 1 } }, color: { value: colour("ink-soft") } } },
  ];
}

function pointsSpec(drawn, rows) {
  const scattered = drawn.bounds.length > 0;
  const x = { field: "x", type: "quantitative", title: drawn.x_title, scale: { zero: false, nice: scattered } };
  // Bounds reach far above the values that they bound: up to the top of the area is enough.
  const top = 1.1 * Math.max(...rows.map((row) => row.high ?? row.value), ...areaOf(drawn.bounds).map((each) => each.y));
  const layers = scattered ? [...boundLayers(drawn, x, top), ...lineLayers(drawn, rows, x).filter((layer) => layer.mark.type !== "line")] : lineLayers(drawn, rows, x);
  layers[0].encoding.y = { ...layers[0].encoding.y, title: drawn.y_title, axis: axisOf(rows[0].unit), ...(scattered ? { scale: { domain: [0, top] } } : {}) };
  return { data: { values: rows }, height: 260, layer: layers };
}

// A bar for each case and line, with its interval.
function casesSpec(drawn, rows) {
  const several = drawn.lines.length > 1;
  const { axis, height } = namedRows(rows.map((row) => row.at), several ? 18 * drawn.lines.length + 6 : 26);
  const y = { field: "at", type: "nominal", sort: null, title: null, axis };
  const offset = several ? { yOffset: { field: "line", sort: drawn.lines.map((each) => each.label) } } : {};
  const tooltip = [{ field: "at" }, { field: "line" }, { field: "value", format: ".4~g" }, { field: "low", format: ".4~g" }, { field: "high", format: ".4~g" }, { field: "theory", format: ".4~g" }, { field: "state" }];
  const layers = [
    { mark: { type: "bar" }, encoding: { x: { field: "value", type: "quantitative", title: drawn.y_title, axis: axisOf(rows[0].unit) }, color: { field: "line", type: "nominal", title: null, sort: drawn.lines.map((each) => each.label), legend: several ? {} : null }, opacity: { condition: { test: "datum.state === ''", value: 0.8 }, value: 0.35 }, tooltip } },
    { transform: [{ filter: "datum.low !== null" }], mark: { type: "rule", strokeWidth: 1.5, color: colour("ink") }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
    { transform: [{ filter: "datum.theory !== null" }], mark: { type: "tick", thickness: 3, size: 16, color: colour("fault") }, encoding: { x: { field: "theory", type: "quantitative" } } },
  ];
  return { data: { values: rows }, height, encoding: { y, ...offset }, layer: layers };
}

function studyChart(drawn) {
  const rows = rowsOfChart(drawn);
  if (rows.length === 0) return null;
  const unsettled = rows.filter((row) => row.state !== "").length;
  const notes = [drawn.across === "cases" ? "Bars with 95 % intervals." : "Means over the seeds with 95 % intervals.",
    rows.some((row) => row.theory !== null) ? (drawn.across === "cases" ? "The tick is what theory says." : drawn.bounds.length > 0 ? "What theory says stands in the table." : "Dashed: what theory says.") : "",
    areaOf(drawn.bounds).length > 0 ? "All bounds, which are dashed, hold in the shaded area." : "",
    unsettled > 0 ? `${unsettled} of ${rows.length} values are of configurations that do not keep up, or perhaps not: ${drawn.across === "cases" ? "pale" : "hollow"} (table).` : ""].filter((each) => each);
  const table = tableOf([
    { title: "line", of: (row) => row.line }, { title: "point", of: (row) => row.at }, { title: drawn.x_title || "x", of: (row) => (row.x === null ? "–" : plain(row.x)) },
    { title: "value", of: (row) => withInterval(row.unit, row.value, row.low, row.high) }, { title: "theory", of: (row) => (row.theory === null ? "–" : spoken(row.unit, row.theory)) }, { title: "state", of: (row) => row.state }], rows);
  return chart(`stated-${drawn.id.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`, `${drawn.id}: ${drawn.title}`, `${notes.join(" ")} Study: ${drawn.study}.${drawn.scale ? ` Scale: ${drawn.scale}.` : ""}`, () => (drawn.across === "cases" ? casesSpec(drawn, rows) : pointsSpec(drawn, rows)), table);
}

function statedChartsSection(data) {
  const charts = chartsOf(data).map(studyChart).filter((each) => each !== null);
  return section("charts", "Charts", charts.length === 0 ? null : "What the studies draw of their points.", ...charts);
}
