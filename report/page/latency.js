// Percentiles, distributions and stages of latencies.

const kStages = ["shipping", "scan", "lookup", "dispatch", "event_store", "register", "output"];
const kCurveNames = { "latency_seconds": "total", "latency_own": "own share", "load.insert_latency": "insert", "load.lookup_latency": "look-up" };
const kPointsInCurves = 6;

// The first configurations that keep up: latencies of others depend on the length of the run. All, if none does.
function pointsInCurves(data) {
  const all = data.points.label.map((_, i) => i);
  const sound = all.filter((i) => data.points.stationary[i] !== false);
  return (sound.length > 0 ? sound : all).slice(0, kPointsInCurves);
}

// Rows of curves, one for each step.
function curveRows(data, names) {
  const shown = pointsInCurves(data);
  const rows = [];
  for (const curve of data.quantiles) {
    if (!shown.includes(curve.point) || !names.includes(curve.name)) continue;
    const several = severalPoints(data);
    const series = several ? pointLabel(data, curve.point) : kCurveNames[curve.name];
    curve.nines.forEach((nines, i) => rows.push({ series, latency: several ? kCurveNames[curve.name] : "", nines, seconds: curve.seconds[i], low: curve.low[i], high: curve.high[i], enough: curve.enough[i], beyond: curve.beyond[i], label: percentileName(nines) }));
  }
  return rows;
}

function percentileName(nines) {
  const percent = 100 * (1 - 10 ** -nines);
  return `p${Number(percent.toPrecision(nines < 1 ? 3 : Math.ceil(nines) + 2))}`;
}

function latencySection(data) {
  const names = Object.keys(kCurveNames).filter((name) => data.quantiles.some((curve) => curve.name === name));
  if (names.length === 0) return null;
  const rows = curveRows(data, names);
  const shown = pointsInCurves(data);
  const left = data.points.label.length > shown.length ? ` ${shown.length === 1 ? "One" : `The first ${shown.length}`} of ${data.points.label.length} configurations${shown.every((i) => data.points.stationary[i] !== false) ? ", of those that keep up" : ""}; the table of figures has all.` : "";
  const sideBySide = (spec, rows) => { const panes = new Set(rows.map((row) => row.latency)).size; return panes > 1 ? panels(spec, "latency", 2) : spec; };
  const percentiles = chart("latency-percentiles", "Percentiles towards the tail", `From one 9 to the next the tail gets ten times thinner. Bands: 95 % intervals over the runs. Grey: too few latencies for that percentile.${left}`,
    () => {
      const spec = specOf("percentiles", rows);
      const [band, , line] = spec.layer;
      spec.encoding.x.scale = { domainMax: Math.max(2, ...rows.map((row) => row.nines)) };
      line.encoding.y.axis.values = logTicks(rows.map((row) => row.seconds));
      for (const each of [band, line]) each.encoding.color.legend = { ...legendOf(rows.map((row) => row.series)), symbolOpacity: 1 };
      if (!rows.some((row) => row.low > 0)) spec.layer.shift();
      return sideBySide(spec, rows);
    },
    tableOf([{ title: "latency", of: (row) => `${row.series} ${row.latency}` }, { title: "percentile", of: (row) => row.label }, { title: "value", of: (row) => row.seconds, unit: "seconds" }, { title: "low", of: (row) => row.low, unit: "seconds" }, { title: "high", of: (row) => row.high, unit: "seconds" }, { title: "sample", of: (row) => (!row.enough ? "too small" : row.beyond !== null && row.beyond < 10 ? "correlated: worth few" : "large enough") }, { title: "independent ones beyond", of: (row) => row.beyond, unit: "count" }], rows));
  const shares = [];
  for (const curve of data.distributions) {
    if (!shown.includes(curve.point)) continue;
    const several = severalPoints(data);
    const series = several ? pointLabel(data, curve.point) : kCurveNames[curve.name];
    curve.seconds.forEach((seconds, i) => shares.push({ series, latency: several ? kCurveNames[curve.name] : "", seconds, share: curve.share[i] }));
  }
  const distribution = chart("latency-cdf", "Distribution", `The share of latencies up to a time, to p99.9.${names.includes("latency_own") ? " Total counts from the click; own share from the moment when click and query can both be read, because shipping is an input." : ""}`,
    () => {
      const spec = specOf("distribution", shares);
      spec.encoding.x.axis.values = logTicks(shares.map((row) => row.seconds));
      spec.encoding.color.legend = legendOf(shares.map((row) => row.series));
      return sideBySide(spec, shares);
    },
    tableOf([{ title: "latency", of: (row) => `${row.series} ${row.latency}` }, { title: "up to", of: (row) => row.seconds, unit: "seconds" }, { title: "share", of: (row) => row.share, unit: "ratio" }], shares));
  return section("latency", "Latency", null, percentiles, distribution, stagesChart(data));
}

function stagesChart(data) {
  const rows = [];
  data.points.label.forEach((_, point) => {
    for (const stage of kStages) {
      const [metric, tail, slowest] = [`latency.${stage}.mean`, `latency.${stage}.p99`, `latency.slowest.${stage}`].map((name) => data.metrics[name]);
      if (!metric || metric.value[point] === null) continue;
      const row = { label: pointLabel(data, point), stage, order: kStages.indexOf(stage), p99: tail ? tail.value[point] : null };
      rows.push({ ...row, clicks: "all clicks", mean: metric.value[point] });
      if (slowest && slowest.value[point] !== null) rows.push({ ...row, clicks: "the slowest 1 %", mean: slowest.value[point] });
    }
  });
  if (rows.length === 0) return null;
  const several = severalPoints(data);
  const shown = rows.filter((row) => data.points.label.slice(0, 30).some((_, i) => pointLabel(data, i) === row.label));
  const spec = () => {
    const field = several ? "label" : "clicks";
    const made = withNamedRows(specOf("stages", shown), shown.map((row) => row[field]));
    made.encoding.y.field = field;
    return made;
  };
  return chart("stages", "Where the time goes", "Mean time in each stage; together they are the mean latency, of all joined clicks and of the slowest 1 %. Quantiles of stages do not add up: the table has them.",
    () => (several && new Set(shown.map((row) => row.clicks)).size > 1 ? panels(spec(), "clicks", 2) : spec()),
    tableOf([{ title: "configuration", of: (row) => row.label }, { title: "clicks", of: (row) => row.clicks }, { title: "stage", of: (row) => row.stage }, { title: "mean", of: (row) => row.mean, unit: "seconds" }, { title: "p99 of all clicks", of: (row) => row.p99, unit: "seconds" }], rows));
}
