// Offered and served load, and how near each limit is.

// "6 %", "0.25 %"
function shareOfLimit(use) {
  const percent = 100 * use;
  return `${percent === 0 || percent >= 1 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
}

function capacitySection(data) {
  const details = data.details[0];
  const parts = [];
  if (details && details.capacity && details.capacity.resources) {
    const capacity = details.capacity;
    const most = new Map();
    for (const each of capacity.resources) {
      const use = Math.max(each.utilisation, each.full || 0);
      if (each.limit > 0 && each.holds_work !== false && use > 0 && (!most.has(each.name) || most.get(each.name).use < use)) most.set(each.name, { ...each, use });
    }
    const rows = [...most.values()].sort((a, b) => b.use - a.use).slice(0, 12);
    const top = rows.length > 0 ? rows[0].use : 1;
    const far = top < 0.25; // the limit would press all bars to the axis
    parts.push(element("div", { class: "tiles" },
      tile(spoken("per_second", capacity.offered_per_second), "offered"),
      tile(spoken("per_second", capacity.served_per_second), "served"),
      tile(capacity.stationary === false ? "not stationary" : capacity.stationary ? "stationary" : "not known", capacity.binding ? `${capacity.stationary === null ? "perhaps " : ""}bound by ${capacity.binding}` : capacity.stationary === null ? "no limit is known to hold the work up" : "no limit holds the work up"),
      tile(shareOfLimit(capacity.closest_saturation || 0), capacity.closest ? `of ${capacity.closest}, ${capacity.stationary === false ? "the limit used most" : "the nearest limit"}` : "nearest limit")));
    parts.push(chart("capacity", "How near each limit is", "The busiest place of each resource: the share of its limit in use, or of the time in which it was used up, whichever is more. What holds no click up stands in the table only: volumes, transactions under way (registry.pipeline_depth), processors off the path of clicks. A limit of joiners that refuses clicks has room while they wait for their retry.",
      () => ({
        data: { values: rows.map((row) => ({ name: row.name, use: row.use, where: row.where, refused: row.refused })) },
        height: namedRows(rows.map((row) => row.name), 24, "[.]").height + 4,
        layer: [
          { mark: { type: "bar", cornerRadiusEnd: 3, height: { band: 0.62 } },
            encoding: { color: { condition: { test: "datum.use >= 0.9", value: colour("violation") }, value: colour("registry") } } },
          ...(far ? [] : [{ mark: { type: "rule", strokeDash: [3, 3] }, encoding: { x: { datum: 1 }, y: null, tooltip: null } }]),
        ],
        encoding: {
          y: { field: "name", type: "nominal", sort: null, title: null, axis: namedRows(rows.map((row) => row.name), 24, "[.]").axis },
          x: { field: "use", type: "quantitative", title: far ? "used; 100 % lies far beyond" : "used", axis: { format: far && top < 0.05 ? ".1%" : "%", tickCount: narrow() || far ? 5 : 10 }, scale: { domain: far ? [0, Math.max(0.01, 1.25 * top)] : [0, 1.02] } },
          tooltip: [{ field: "name" }, { field: "where" }, { field: "use", format: ".1%" }, { field: "refused", format: ".1%" }],
        },
      }),
      tableOf([
        { title: "resource", of: (row) => row.name }, { title: "where", of: (row) => row.where },
        { title: "utilisation", of: (row) => row.utilisation, unit: "ratio" }, { title: "full", of: (row) => row.full, unit: "ratio" },
        { title: "refused", of: (row) => row.refused, unit: "ratio" },
        { title: "limit", of: (row) => row.limit, unit: "count" }, { title: "waiting, mean", of: (row) => row.queue_mean, unit: "ratio" },
        { title: "waiting, most", of: (row) => row.queue_max, unit: "count" }], [...capacity.resources].filter((each) => each.limit > 0))));
  }
  if (severalPoints(data)) parts.push(loadChart(data));
  return section("capacity", "Capacity", "What was offered and served, and what holds work up first.", ...parts);
}

function loadChart(data) {
  const offered = data.metrics["capacity.offered_per_second"];
  const served = data.metrics["capacity.served_per_second"];
  const saturation = data.metrics["capacity.closest_saturation"];
  if (!offered || !served) return null;
  const rows = data.points.label.map((_, i) => ({
    label: pointLabel(data, i), offered: offered.value[i], served: served.value[i],
    state: data.points.stationary[i] === false ? "not stationary" : data.points.stationary[i] ? "stationary" : "not known",
    bound: data.points.bound_by[i], use: saturation ? saturation.value[i] : null,
  })).filter((row) => row.offered !== null && row.served !== null);
  const table = tableOf([{ title: "configuration", of: (row) => row.label }, { title: "offered", of: (row) => row.offered, unit: "per_second" }, { title: "served", of: (row) => row.served, unit: "per_second" }, { title: "state", of: (row) => row.state }, { title: "use of the nearest limit", of: (row) => (row.use === null ? "–" : `${Math.round(100 * row.use)} %`) }, { title: "bound by", of: (row) => row.bound || "–" }], rows);
  const rates = rows.map((row) => row.offered);
  // Of one load there is nothing to see but how near each configuration is to its limit.
  if (rows.every((row) => row.use !== null) && Math.max(...rates) < 1.05 * Math.min(...rates)) {
    const shown = rows.slice(0, 40);
    return chart("load", "How near each configuration is to its limit", `Use of the limit that is used most, at ${plain(Math.max(...rates))} a second offered. The table names the limit that binds.`,
      () => ({
        data: { values: shown }, height: namedRows(shown.map((row) => row.label), 22).height,
        layer: [
          { mark: { type: "bar", cornerRadiusEnd: 2 }, encoding: { y: { field: "label", type: "nominal", title: null, sort: null, axis: namedRows(shown.map((row) => row.label), 22).axis }, x: { field: "use", type: "quantitative", title: "use of the nearest limit", axis: { format: "%" } }, color: { field: "state", type: "nominal", title: null, scale: { domain: ["stationary", "not stationary", "not known"], range: [colour("registry"), colour("violation"), colour("environment")] } }, tooltip: [{ field: "label" }, { field: "use", format: ".1%" }, { field: "served", format: ".4~g" }, { field: "state" }, { field: "bound", title: "bound by" }] } },
          { mark: { type: "rule", strokeDash: [3, 3] }, encoding: { x: { datum: 1 } } },
        ],
      }), table);
  }
  return chart("load", "Offered and served rate of each configuration", "On the line a configuration keeps up.",
    () => ({
      data: { values: rows },
      height: 260,
      layer: [
        { mark: { type: "line", strokeDash: [3, 3], color: colour("ink-faint"), strokeWidth: 1 },
          data: { values: [{ offered: 0, served: 0 }, { offered: Math.max(...rows.map((row) => row.offered)), served: Math.max(...rows.map((row) => row.offered)) }] },
          encoding: { x: { field: "offered", type: "quantitative" }, y: { field: "served", type: "quantitative" } } },
        { mark: { type: "point", opacity: 0.8 },
          encoding: {
            x: { field: "offered", type: "quantitative", title: "offered a second" }, y: { field: "served", type: "quantitative", title: "served a second" },
            color: { field: "state", type: "nominal", title: null, scale: { domain: ["stationary", "not stationary", "not known"], range: [colour("registry"), colour("violation"), colour("environment")] } },
            tooltip: [{ field: "label" }, { field: "offered", format: ".4~g" }, { field: "served", format: ".4~g" }, { field: "state" }, { field: "bound", title: "bound by" }] } },
      ],
    }),
    table);
}
