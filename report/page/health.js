// How far the figures of a file can be trusted: replications, widths of intervals, what samples are worth.

const kHealthMetrics = [["latency.own.p50", "latency_own", 0.30103], ["latency.own.p99", "latency_own", 2], ["latency.insert.p50", "load.insert_latency", 0.30103], ["latency.insert.p99", "load.insert_latency", 2]];

function healthRows(data) {
  const rows = [];
  for (const [name, histogram, nines] of kHealthMetrics) {
    const metric = data.metrics[name];
    if (!metric) continue;
    data.points.label.forEach((_, point) => {
      const curve = data.quantiles.find((each) => each.point === point && each.name === histogram);
      // Curves have steps of their own: the nearest tells what the sample is worth.
      const place = curve ? curve.nines.findIndex((each) => Math.abs(each - nines) < 0.06) : -1;
      if (metric.value[point] === null || place < 0 || data.points.stationary[point] === false) return;
      const known = metric.low[point] !== null && metric.value[point] > 0;
      const beyond = curve.beyond[place];
      const state = !curve.enough[place] ? "too few latencies" : !known ? "no interval" : beyond !== null && beyond < 10 ? "worth few independent ones" : "sound";
      rows.push({ name, label: pointLabel(data, point), runs: metric.n[point], count: curve.count, half: known ? (metric.high[point] - metric.low[point]) / 2 / metric.value[point] : null, beyond, state });
    });
  }
  return rows;
}

function healthSection(data) {
  const rows = healthRows(data);
  if (rows.length === 0) return null;
  const drawn = rows.filter((row) => row.half !== null).slice(0, 80);
  const doubtful = rows.filter((row) => row.state !== "sound").length;
  const sentence = (doubtful === 0 ? `All ${grouped(rows.length)} quantiles below rest on enough.` : `${grouped(doubtful)} of ${grouped(rows.length)} quantiles below rest on too little: read them as rough.`) + (data.points.stationary.includes(false) ? " Configurations that are not stationary have no latency of their own, and are left out." : "");
  const table = tableOf([{ title: "figure", of: (row) => row.name }, { title: "configuration", of: (row) => row.label }, { title: "runs", of: (row) => row.runs, unit: "count" }, { title: "latencies", of: (row) => row.count, unit: "count" }, { title: "half-width", of: (row) => (row.half === null ? "–" : `${(100 * row.half).toPrecision(3)} %`) }, { title: "independent ones beyond", of: (row) => row.beyond, unit: "count" }, { title: "sample", of: (row) => row.state }], rows);
  if (drawn.length === 0) return section("health", "Statistical health", `${sentence} One run has no interval: replications with other seeds give one.`, table);
  const states = ["sound", "worth few independent ones", "too few latencies"];
  return section("health", "Statistical health", sentence,
    chart("health", "Half-widths of 95 % intervals", "Beside their figure: 10 % means that the true value may lie a tenth above or below. Four times as many runs halve it; where a sample is worth fewer than ten independent latencies beyond the quantile, longer runs are needed.",
      () => ({
        data: { values: drawn },
        height: namedRows(drawn.map((row) => row.label), 18).height + 20,
        mark: { type: "point", size: 70 },
        encoding: {
          y: { field: "label", type: "nominal", title: null, sort: null, axis: namedRows(drawn.map((row) => row.label), 18).axis },
          x: { field: "half", type: "quantitative", title: "half-width beside the figure", axis: { format: "%" } },
          shape: { field: "name", type: "nominal", title: null },
          color: { field: "state", type: "nominal", title: null, scale: { domain: states, range: [colour("registry"), colour("fault"), colour("violation")] } },
          tooltip: [{ field: "label" }, { field: "name" }, { field: "half", format: ".1%" }, { field: "beyond", format: ".3~g", title: "independent ones beyond" }, { field: "state" }],
        },
      }), table));
}
