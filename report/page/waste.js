// Work that joins nothing.

const kWaste = [
  ["waste.wasted_joins_per_joined", "wasted joins per joined click"],
  ["waste.registry_lookups_per_click", "registry look-ups per click"],
  ["waste.reads_per_click", "reads per click"],
  ["waste.join_requests_per_click", "join requests per click"],
  ["waste.insert_attempts_per_click", "registrations per click"],
  ["waste.query_lookups_per_click", "query look-ups per click"],
  ["waste.log_share_of_query_lookups", "of them in the logs"]];

function wasteSection(data) {
  const rows = [];
  for (const [metric, name] of kWaste) {
    const found = data.metrics[metric];
    if (!found) continue;
    data.points.label.slice(0, 12).forEach((_, i) => {
      if (found.value[i] !== null) rows.push({ name, label: pointLabel(data, i), value: found.value[i], low: found.low[i], high: found.high[i] });
    });
  }
  if (rows.length === 0) return null;
  const several = severalPoints(data);
  const bars = [
    { mark: { type: "bar", cornerRadiusEnd: 2 } },
    ...(rows.some((row) => row.low !== null) ? [{ transform: [{ filter: "datum.low != null" }], mark: { type: "rule" }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } }] : []),
    { transform: [{ calculate: "datum.high == null ? datum.value : datum.high", as: "end" }], mark: { type: "text", align: "left", dx: 6 }, encoding: { x: { field: "end", type: "quantitative", axis: null }, text: { field: "value", format: ".3~g" }, color: { value: colour("ink-soft") } } },
  ];
  const axis = { field: "value", type: "quantitative", title: null, axis: null, scale: { domainMin: 0 } };
  const tooltip = [{ field: "label" }, { field: "name" }, { field: "value", format: ".4~g" }];
  const names = kWaste.map((each) => each[1]);
  const one = () => ({ data: { values: rows }, height: 24 * rows.length, layer: bars, encoding: { x: axis, y: { field: "name", type: "nominal", title: null, sort: names, axis: { grid: false } }, tooltip } });
  const many = () => {
    const labels = namedRows(rows.map((row) => row.label), 15);
    return {
      data: { values: rows },
      facet: { row: { field: "name", type: "nominal", title: null, sort: names, header: { labelAngle: 0, labelAlign: "left", labelOrient: "top", labelAnchor: "start", labelPadding: 3 } } },
      spacing: 16,
      spec: { width: Math.max(150, document.querySelector("main").clientWidth - (narrow() ? 200 : 330)), height: labels.height, layer: bars, encoding: { x: axis, y: { field: "label", type: "nominal", title: null, sort: null, axis: { ...labels.axis, grid: false } }, tooltip } },
      width: undefined, autosize: { type: "pad" },
    };
  };
  return section("waste", "Waste", "What exactly once costs beyond one join: several pipelines read every click, and one of them joins it.",
    chart("waste", "Work for each click", null, several ? many : one,
      tableOf([{ title: "work", of: (row) => row.name }, { title: "configuration", of: (row) => row.label }, { title: "value", of: (row) => row.value, unit: "ratio" }, { title: "low", of: (row) => row.low, unit: "ratio" }, { title: "high", of: (row) => row.high, unit: "ratio" }], rows)));
}
