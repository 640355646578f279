// Figures over the time of a run.

// Kinds of faults as shading: rows {from, until, name}.
function faultSpans(details) {
  return (details.around_faults || []).filter((each) => each.during).map((each) => ({ from: each.during.from_seconds, until: Math.max(each.during.until_seconds, each.during.from_seconds), name: shortText(each.fault, 120) }));
}

function timelineSection(data) {
  const details = data.details[0];
  if (!details || !details.series || !details.series.pipelines) return null;
  const series = details.series;
  const step = series.interval_seconds;
  const end = step * series.offered.length;
  const panels = [["joined a second", "joins", (value) => value / step, "per_second"], ["backlog, clicks", "backlog", (value) => value, "count"], ["own share, p90", "own_p90", (value) => value, "seconds"]];
  const rows = [];
  for (const pipeline of series.pipelines) {
    for (const [panel, column, of, unit] of panels) {
      // Without a value a line has a gap.
      pipeline[column].forEach((value, i) => rows.push({ where: pipeline.where, panel, at: step * (i + 1), value: value === null ? null : of(value), unit }));
    }
  }
  if (rows.every((row) => row.value === null)) return loadTimeline(series, step);
  const spans = faultSpans(details);
  const axis = { type: "quantitative", scale: { domain: [0, end], nice: false } };
  return section("time", "Over time", `A value for each ${spokenSeconds(step)} and pipeline; what is shaded are faults. Backlog: clicks that can be read there, are not finished anywhere, and do not wait for their query. What rises without shading has another cause, such as retries of clicks whose query came late.`,
    chart("timeline", "Joins, backlog and latency of each pipeline", null,
      () => ({
        vconcat: panels.map(([panel, , , unit], place) => ({
          width: Math.max(220, document.querySelector("main").clientWidth - 90),
          height: 110,
          layer: [
            { data: { values: spans }, mark: { type: "rect", color: colour("fault"), opacity: 0.13 }, encoding: { x: { field: "from", ...axis }, x2: { field: "until" }, tooltip: [{ field: "name", title: "fault" }] } },
            { data: { values: spans }, mark: { type: "rule", color: colour("fault"), opacity: 0.45 }, encoding: { x: { field: "from", ...axis } } },
            { data: { values: rows.filter((row) => row.panel === panel) }, mark: { type: "line", strokeWidth: 1.6, interpolate: "step-before", point: unit === "seconds" ? { size: 7 } : false }, encoding: {
              x: { field: "at", ...axis, title: place === panels.length - 1 ? "seconds since the start" : null },
              y: { field: "value", type: "quantitative", title: panel, scale: { zero: true }, axis: axisOf(unit, { tickCount: 4 }) },
              color: { field: "where", type: "nominal", title: null },
              tooltip: [{ field: "where" }, { field: "at", title: "until, s" }, { field: "value", format: ".4~g", title: panel }] } },
          ],
        })),
        spacing: 14, width: undefined, autosize: { type: "pad" },
      }),
      tableOf([{ title: "pipeline", of: (row) => row.where }, { title: "figure", of: (row) => row.panel }, { title: "until", of: (row) => row.at, unit: "seconds" }, { title: "value", of: (row) => spoken(row.unit, row.value) }], rows.filter((row) => row.value !== null))),
    baselineTiles(details), faultTable(details), everyFault(details));
}

function loadTimeline(series, step) {
  const rows = [];
  for (const name of ["offered", "served"]) series[name].forEach((value, i) => rows.push({ name, at: step * (i + 1), value: value / step }));
  if (rows.length === 0) return null;
  return section("time", "Over time", `A value for each ${spokenSeconds(step)}.`,
    chart("timeline", "Offered and served", null,
      () => ({
        data: { values: rows }, height: 180, mark: { type: "line", interpolate: "step-before" },
        encoding: { x: { field: "at", type: "quantitative", title: "seconds since the start" }, y: { field: "value", type: "quantitative", title: "a second" }, color: { field: "name", type: "nominal", title: null } },
      }),
      tableOf([{ title: "figure", of: (row) => row.name }, { title: "until", of: (row) => row.at, unit: "seconds" }, { title: "a second", of: (row) => row.value, unit: "per_second" }], rows)));
}
