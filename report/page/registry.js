// The registry: batches, memory and load of its shards, theory; and caches.

const kColumnsMost = 120;

// What each shard committed over time.
function shardChart(series) {
  if (!series || !series.shards || series.shards.length < 2) return null;
  const step = Math.ceil(series.shards[0].length / kColumnsMost);
  const length = step * series.interval_seconds;
  const rows = [];
  series.shards.forEach((counts, shard) => {
    for (let at = 0; at < counts.length; at += step) {
      const part = counts.slice(at, at + step);
      const from = at * series.interval_seconds;
      rows.push({ shard: String(shard), from, until: Math.min(from + length, counts.length * series.interval_seconds), rate: part.reduce((sum, each) => sum + each, 0) / (part.length * series.interval_seconds) });
    }
  });
  const marks = (series.reshards || []).map((at) => ({ at }));
  const note = marks.length > 0 ? ` Lines: the number of shards changed.` : "";
  return chart("shards", "Load of the shards over time", `Operations a second that each shard committed, for each ${spokenSeconds(length)}.${note}`,
    () => ({
      data: { values: rows }, height: Math.max(60, Math.min(24 * series.shards.length, 360)),
      layer: [
        { mark: { type: "rect" }, encoding: { x: { field: "from", type: "quantitative", title: "seconds since the start", scale: { nice: false } }, x2: { field: "until" }, y: { field: "shard", type: "ordinal", title: "shard", sort: null }, color: { field: "rate", type: "quantitative", title: "operations a second", scale: { range: [colour("raised"), colour("registry")] } }, tooltip: [{ field: "shard" }, { field: "from", title: "from, s" }, { field: "rate", title: "operations a second", format: ".3~g" }] } },
        ...(marks.length > 0 ? [{ data: { values: marks }, mark: { type: "rule", color: colour("violation"), strokeWidth: 1.5 }, encoding: { x: { field: "at", type: "quantitative" }, tooltip: [{ field: "at", title: "number of shards changed, s" }] } }] : []),
      ],
    }),
    tableOf([{ title: "shard", of: (row) => row.shard }, { title: "from", of: (row) => row.from, unit: "seconds" }, { title: "operations", of: (row) => row.rate, unit: "per_second" }], rows));
}

function registrySection(data) {
  const details = data.details[0];
  const figures = details ? details.figures || [] : [];
  const shards = figures.filter((each) => each.of && each.of.shard !== undefined);
  const parts = [];
  const value = (name, shard) => { const found = shards.find((each) => each.name === name && each.of.shard === shard); return found ? found.value : null; };
  const numbers = [...new Set(shards.map((each) => each.of.shard))];
  if (numbers.length > 0) {
    const rows = numbers.map((shard) => ({ shard: String(shard), batch: value("batch_mean", shard), operations: value("operations", shard), transactions: value("transactions", shard), held: value("bytes_held", shard), most: value("bytes_held_most", shard), ids: value("ids_held", shard) }));
    for (const row of rows) Object.assign(row, { offered: row.operations / details.sim_seconds, commits: row.transactions / details.sim_seconds });
    const table = () => tableOf([{ title: "shard", of: (row) => row.shard }, { title: "operations", of: (row) => row.operations, unit: "count" }, { title: "transactions", of: (row) => row.transactions, unit: "count" }, { title: "mean batch", of: (row) => row.batch, unit: "ratio" }, { title: "operations a second", of: (row) => row.offered, unit: "per_second" }, { title: "transactions a second", of: (row) => row.commits, unit: "per_second" }, { title: "ids held", of: (row) => row.ids, unit: "count" }, { title: "bytes held", of: (row) => row.held, unit: "bytes" }, { title: "most", of: (row) => row.most, unit: "bytes" }], rows);
    const bars = (field, title, unit) => () => ({
      data: { values: rows }, height: 190, mark: { type: "bar", cornerRadiusEnd: 3 },
      encoding: { x: { field: "shard", type: "ordinal", title: "shard", sort: null, axis: { labelAngle: 0 } }, y: { field, type: "quantitative", title, axis: axisOf(unit, { tickCount: 5 }) }, tooltip: [{ field: "shard" }, { field, format: ".4~g" }] },
    });
    const predicted = details.theory ? details.theory.find((each) => each.name.endsWith("mean_batch")) : undefined;
    const batches = () => {
      const { data: values, height, ...bar } = bars("batch", "mean batch", "ratio")();
      const line = predicted ? [{ mark: { type: "rule", strokeDash: [4, 3] }, encoding: { y: { datum: predicted.predicted } } }] : [];
      return { data: values, height, layer: [bar, ...line] };
    };
    // One transaction at a time: as many a second as commits fit into it.
    const commit = (details.theory || []).find((each) => each.name === "registry.commit_latency.mean");
    const most = commit && commit.predicted > 0 ? 1 / commit.predicted : null;
    const near = most !== null && most < 20 * Math.max(...rows.map((row) => row.commits));
    const transactions = () => {
      const { data: values, height, ...bar } = bars("commits", "transactions a second", "per_second")();
      return { data: values, height, layer: [bar, ...(near ? [{ mark: { type: "rule", strokeDash: [4, 3] }, encoding: { y: { datum: most } } }] : [])] };
    };
    parts.push(element("div", { class: "pair" },
      chart("transactions", "Transactions a second", `Of each shard over the whole run.${most === null ? "" : ` In theory at most ${spoken("per_second", most)} with one transaction at a time${near ? ": dashed" : ""}.`}`, transactions, table()),
      chart("batching", "Operations in a transaction", `Group commit: while a transaction commits, the next batch gathers.${predicted ? " Dashed: in theory, of a group with one transaction at a time." : ""}`, batches, table()),
      chart("registry-memory", "Memory of the registry", "What each shard held at its most, by SPEC B-76's price of an id.", bars("most", "bytes", "bytes"), table())));
  }
  const theory = details ? (details.theory || []).filter((each) => each.measured !== null) : [];
  if (theory.length > 0) {
    parts.push(element("h3", {}, "Theory beside simulation"), tableOf([{ title: "figure", of: (row) => row.name }, { title: "in theory", of: (row) => spoken(row.unit, row.predicted) }, { title: "measured", of: (row) => spoken(row.unit, row.measured) }, { title: "formula", of: (row) => row.formula }], theory));
  }
  const pipelines = figures.filter((each) => each.of && each.of.pipeline !== undefined && (each.name === "cache_answers" || each.name === "log_answers"));
  if (pipelines.length > 0) {
    const rows = pipelines.map((each) => ({ where: each.of.pipeline, from: each.name === "cache_answers" ? "cache" : "logs", count: each.value }));
    parts.push(chart("cache", "Where queries were found", "A query that the cache has forgotten is read from the logs.",
      () => ({ data: { values: rows }, height: 30 * new Set(rows.map((row) => row.where)).size, mark: { type: "bar" }, encoding: { y: { field: "where", type: "nominal", title: null }, x: { field: "count", type: "quantitative", title: "answers", stack: "zero", axis: { format: ".3~s" } }, color: { field: "from", type: "nominal", title: null }, tooltip: [{ field: "where" }, { field: "from" }, { field: "count" }] } }),
      tableOf([{ title: "pipeline", of: (row) => row.where }, { title: "found in", of: (row) => row.from }, { title: "answers", of: (row) => row.count, unit: "count" }], rows)));
  }
  if (details) parts.push(shardChart(details.series));
  return section("registry", "Registry and caches", null, ...parts);
}
