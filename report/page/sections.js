// The sections of every report: verdict, capacity, latency, stages, waste, time, batches, faults.

const kStages = ["shipping", "scan", "lookup", "dispatch", "event_store", "register", "output"];
const kCurveNames = { "latency_seconds": "total", "latency_own": "own share", "load.insert_latency": "insert", "load.lookup_latency": "look-up" };
const kPointsInCurves = 6;

function section(id, title, text, ...content) {
  const children = content.filter((each) => each !== null && each !== undefined);
  if (children.length === 0) return null;
  return element("section", { id }, element("h2", {}, title), text ? element("p", {}, text) : null, ...children);
}

function pointLabel(data, point) {
  return shortText(data.points.label[point], 80);
}

function severalPoints(data) {
  return data.points.label.length > 1;
}

// What the sweep of a study concluded, as it said so in the terminal.
function studyParts(data) {
  const parts = [];
  for (const study of data.studies) {
    const marks = { met: "met", missed: "missed", undecided: "undecided", "not measured": "not measured" };
    const gates = study.gates ? rowsOf(study.gates) : [];
    const counts = Object.keys(marks).map((result) => [result, gates.filter((row) => row.result === result).length]).filter(([, count]) => count > 0);
    const bad = (study.exit_code || 0) !== 0;
    parts.push(element("div", { class: "study" },
      study.question ? element("p", { class: "question" }, study.question) : null,
      study.answer ? element("pre", {}, study.answer.trimEnd()) : null,
      study.complete ? null : element("p", { class: "verdict doubtful" }, element("span", {}, `The study is not complete: ${grouped(data.runs.seed.length)} runs are in this file${study.wanted ? ` of ${grouped(study.wanted)} that the study needs` : ""}. The same command continues it`)),
      gates.length > 0 ? element("p", { class: `verdict${gates.some((row) => row.result === "missed") ? " bad" : bad ? " doubtful" : ""}` }, element("span", {}, `Gates: ${counts.map(([result, count]) => `${grouped(count)} ${result}`).join(", ")}`)) : null,
      gates.length > 0 ? folded(`Every gate at every configuration: ${gates.length}`, tableOf([{ title: "gate", of: (row) => row.gate }, { title: "configuration", of: (row) => row.point }, { title: "result", of: (row) => row.result }, { title: "measured", of: (row) => row.measured }], gates)) : null,
      study.notes ? folded("Missed precision, gates and failures", element("pre", {}, study.notes.trim())) : null));
  }
  return parts;
}

// How many configurations cannot keep up, or perhaps cannot, and what binds them.
function loadOfPoints(data) {
  const { stationary, doubtful, bound_by: bound } = data.points;
  const all = stationary.length;
  return {
    overloaded: stationary.filter((each) => each === false).length,
    doubtful: doubtful.filter((each) => each).length,
    bound: [...new Set(bound.filter((each, i) => each && (stationary[i] === false || doubtful[i])))].slice(0, 3),
    of: (count) => (all === 1 ? "and" : `${grouped(count)} of ${grouped(all)} configurations`),
  };
}

function verdictSection(data) {
  const verdict = data.verdict;
  const points = loadOfPoints(data);
  const failed = verdict.failed > 0;
  const unmet = data.campaigns.reduce((sum, campaign) => sum + campaign.unmet.length, 0);
  const bad = failed || unmet > 0;
  const doubtful = points.overloaded + points.doubtful > 0;
  const runs = verdict.runs === 1 ? "1 run" : `${grouped(verdict.runs)} runs`;
  const sentence = failed ? `${grouped(verdict.failed)} of ${runs} failed`
    : unmet > 0 ? `${runs} without a failure of an oracle, but ${unmet === 1 ? "a requirement is" : `${grouped(unmet)} requirements are`} not met: see Failures`
    : points.overloaded > 0 ? `${runs} without a failure, ${points.of(points.overloaded)} NOT STATIONARY${points.bound.length > 0 ? `, bound by ${points.bound.join(", ")}` : ""}: latencies depend on the length of the runs`
    : points.doubtful > 0 ? `${runs} without a failure, ${points.of(points.doubtful)} PERHAPS NOT STATIONARY${points.bound.length > 0 ? `, bound by ${points.bound.join(", ")}` : ""}: too short to tell`
    : `${runs} without a failure`;
  const scenarios = [...new Set(data.points.scenario)];
  const seeds = data.runs.seed;
  const details = data.details[0];
  const tiles = element("div", { class: "tiles" },
    ...(verdict.joined + verdict.lost === 0 && verdict.operations > 0 ? [tile(grouped(verdict.operations), "operations of the registry's clients")] : [
      tile(grouped(verdict.joined), verdict.duplicates > 0 ? `clicks joined, and ${grouped(verdict.duplicates)} records more of them: NOT exactly once` : "clicks joined, none of them twice"),
      tile(grouped(verdict.lost), "clicks lost, every one with its class")]),
    tile(grouped(verdict.checks), "checks by oracles"),
    tile(grouped(verdict.violations), "violations that count"));
  const list = facts([
    ["study", data.studies.length > 0 ? data.studies.map((study) => study.study).join(", ") : null],
    ["scenarios", scenarios.length > 6 || data.studies.length > 0 ? null : shortText(scenarios.join(", "), 400)],
    ["configurations", data.points.generated.includes(true) ? "generated, one for each seed" : grouped(data.points.label.length)],
    ["seeds", seeds.length === 1 ? seeds[0] : `${seeds.length} runs, from seed ${seeds[0]} to ${seeds[seeds.length - 1]}`],
    ["fingerprint", seeds.length === 1 ? data.runs.fingerprint[0] : null],
    ["faults", details && details.faults && details.faults.configured > 0 ? `${grouped(details.faults.effective)} of ${grouped(details.faults.configured)} with an effect${data.details.length > 1 ? " in the first run" : ""}${costSentence(details)}` : null],
    ["model version", data.model_versions.join(", ")],
    ["asked for", data.campaigns.length > 0 ? data.campaigns.map((each) => `seeds ${each.first_seed} to ${each.last_seed}${each.ended === "complete" ? "" : `, ${each.ended}`}`).join("; ") : null],
    ["program", data.campaigns.length + data.studies.length > 0 ? [...new Set([...data.campaigns, ...data.studies].map((each) => each.program).filter((each) => each))].join(", ") : details ? Object.values(details.manifest).join(", ") : null],
    ["set", details && details.overrides.length > 0 ? details.overrides.join("  ") : data.campaigns.flatMap((each) => each.overrides).join("  ")],
    ["results file", data.file],
  ]);
  const checks = rowsOf(data.campaign.obligations).filter((row) => row.checks > 0);
  const unchecked = rowsOf(data.campaign.obligations).filter((row) => row.checks === 0).map((row) => row.oracle);
  const table = folded(`What was checked: ${checks.length} oracles`, tableOf([
    { title: "oracle", of: (row) => row.oracle },
    { title: "checks", of: (row) => row.checks, unit: "count" },
    { title: "runs", of: (row) => row.runs, unit: "count" }], checks));
  const not = unchecked.length > 0 ? element("p", { class: "quiet" }, `Had nothing to check: ${unchecked.join(", ")}.`) : null;
  return section("verdict", "Verdict", null, ...studyParts(data),
    element("p", { class: `verdict${bad ? " bad" : doubtful ? " doubtful" : ""}` }, element("span", {}, sentence)), tiles, list, table, not);
}

function moreOrLess(seconds) {
  return `${spokenSeconds(Math.abs(seconds))} ${seconds < 0 ? "less" : "more"}`;
}

// "; beside the same seed without them 42 s more of own share, and 46 clicks are lost; dearest: outage.all ..."
function costSentence(details) {
  const faults = details.around_faults || [];
  if (faults.length === 0 || details.generated === 0) return "";
  const dearest = faults[0].cost_seconds > 0 ? shortText(faults[0].fault, 120) : null;
  const baseline = details.baseline;
  if (!baseline) return dearest === null ? "; clicks were slower around none than before" : `; clicks were slowest around ${dearest}`;
  const lost = baseline.lost - baseline.lost_without_faults;
  const cost = `${moreOrLess(baseline.cost_seconds)} of own share, all clicks together`;
  return `; beside the same seed without them ${cost}${lost > 0 ? `, and ${grouped(lost)} ${lost === 1 ? "click is" : "clicks are"} lost` : ""}${dearest === null ? "" : `; dearest: ${dearest}`}`;
}

// Used all the time without holding work up: a transaction is nearly always under way in group commit.
const kNoLimits = ["registry.pipeline_depth", "volume"];

function capacitySection(data) {
  const details = data.details[0];
  const parts = [];
  if (details && details.capacity && details.capacity.resources) {
    const capacity = details.capacity;
    const most = new Map();
    for (const each of capacity.resources) {
      const use = Math.max(each.utilisation, each.full || 0);
      if (each.limit > 0 && use > 0 && !kNoLimits.includes(each.name) && (!most.has(each.name) || most.get(each.name).use < use)) most.set(each.name, { ...each, use });
    }
    const rows = [...most.values()].sort((a, b) => b.use - a.use).slice(0, 12);
    const top = rows.length > 0 ? rows[0].use : 1;
    const far = top < 0.25; // the limit would press all bars to the axis
    parts.push(element("div", { class: "tiles" },
      tile(spoken("per_second", capacity.offered_per_second), "offered"),
      tile(spoken("per_second", capacity.served_per_second), "served"),
      tile(capacity.stationary === false ? "not stationary" : capacity.stationary ? "stationary" : "not known", capacity.binding ? `bound by ${capacity.binding}` : "no limit holds the work up"),
      tile(`${(100 * (capacity.closest_saturation || 0)).toFixed(0)} %`, capacity.closest ? `of ${capacity.closest}, the nearest limit` : "nearest limit")));
    parts.push(chart("capacity", "How near each limit is", "The busiest place of each resource: the share of its limit in use, or of the time in which it was used up, whichever is more. Volumes and transactions under way (registry.pipeline_depth) hold nothing up, and stand in the table only.",
      () => ({
        data: { values: rows.map((row) => ({ name: row.name, use: row.use, where: row.where })) },
        height: namedRows(rows.map((row) => row.name), 24, "[.]").height + 4,
        layer: [
          { mark: { type: "bar", cornerRadiusEnd: 3, height: { band: 0.62 } },
            encoding: { color: { condition: { test: "datum.use >= 0.9", value: colour("violation") }, value: colour("registry") } } },
          ...(far ? [] : [{ mark: { type: "rule", strokeDash: [3, 3] }, encoding: { x: { datum: 1 }, y: null, tooltip: null } }]),
        ],
        encoding: {
          y: { field: "name", type: "nominal", sort: null, title: null, axis: namedRows(rows.map((row) => row.name), 24, "[.]").axis },
          x: { field: "use", type: "quantitative", title: far ? "used; 100 % lies far beyond" : "used", axis: { format: far && top < 0.05 ? ".1%" : "%", tickCount: narrow() || far ? 5 : 10 }, scale: { domain: far ? [0, Math.max(0.01, 1.25 * top)] : [0, 1.02] } },
          tooltip: [{ field: "name" }, { field: "where" }, { field: "use", format: ".1%" }],
        },
      }),
      tableOf([
        { title: "resource", of: (row) => row.name }, { title: "where", of: (row) => row.where },
        { title: "utilisation", of: (row) => row.utilisation, unit: "ratio" }, { title: "full", of: (row) => row.full, unit: "ratio" },
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

// Rows of curves, one for each step.
// The first configurations that keep up: latencies of others depend on the length of the run. All, if none does.
function pointsInCurves(data) {
  const all = data.points.label.map((_, i) => i);
  const sound = all.filter((i) => data.points.stationary[i] !== false);
  return (sound.length > 0 ? sound : all).slice(0, kPointsInCurves);
}

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
  const left = data.points.label.length > shown.length ? ` ${shown.length === 1 ? "One" : `The first ${shown.length}`} of ${data.points.label.length} configurations, of those that keep up; the table of figures has all.` : "";
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

function everyFault(details) {
  const { more, ...columns } = details.fault_list;
  const rows = rowsOf(columns);
  if (rows.length === 0) return null;
  const idle = rows.filter((row) => !row.effective).length;
  return folded(`Every fault: ${grouped(rows.length + more)}${more > 0 ? `, the first ${grouped(rows.length)}` : ""}, ${idle === 0 ? "all with an effect" : `${grouped(idle)} without effect`}`,
    tableOf([{ title: "fault", of: (row) => row.number, unit: "count" }, { title: "what", of: (row) => row.description }, { title: "planned at", of: (row) => row.at_seconds, unit: "seconds" }, { title: "effect", of: (row) => (row.effective ? "yes" : "none: nothing happened there that it could have changed") }], rows));
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

// "process_crash us-east1/joiner/2 at 54.8s", at least 23 of its characters and all of its times: two faults
// of one place differ there.
function faultName(text) {
  const rounded = text.replace(/(\d+\.\d+)s/g, (_, seconds) => `${Number(seconds).toFixed(1)}s`);
  const times = rounded.indexOf(" at ");
  if (times < 0) return shortText(rounded, narrow() ? 40 : 70);
  const tail = rounded.slice(times).split(" for ")[0];
  return narrow() ? shortText(rounded.slice(0, times), 23) + tail : shortText(rounded, 70);
}

// The fault without its times.
function nameOf(faults, number) {
  const found = faults.find((each) => each.number === number);
  return found ? shortText(found.fault.split(" at ")[0], 60) : `fault ${number}`;
}

function backAfter(seconds) {
  return seconds === null ? "not before the end" : seconds === undefined ? "–" : spokenSeconds(seconds);
}

function faultTable(details) {
  const all = details.around_faults || [];
  if (all.length === 0) return null;
  const rows = all.slice(0, 12);  // the dearest first
  const bars = [];
  for (const each of rows) {
    for (const [period, name] of [["before", "before"], ["during", "during"], ["after", "after"], ["after_without_faults", "after, without faults"]]) {
      const own = each[period] && each[period].own;
      if (own && own.count > 0) bars.push({ fault: faultName(each.fault), period: name, p99: own.p99, count: own.count });
    }
  }
  const beside = rows[0].cost_beside === "baseline";
  const none = beside ? "none: no slower than without faults" : "none seen: no slower than before";
  const costs = rows.map((each) => ({ fault: shortText(each.fault, 120), cost: each.cost_seconds > 0 ? spokenSeconds(each.cost_seconds) : none, lost: each.lost, others: each.longer_beside !== null && each.longer_beside !== undefined ? `beside ${nameOf(all, each.longer_beside)}` : grouped(each.overlapping || 0), back: backAfter(each.backlog_back_after_seconds), fast: backAfter(each.own_p90_back_after_seconds) }));
  const table = folded("What they cost, and when backlog and latency were back", tableOf([{ title: "fault", of: (row) => row.fault }, { title: "extra own share, all clicks together", of: (row) => row.cost }, { title: "clicks lost with joiners that it killed", of: (row) => row.lost, unit: "count" }, { title: "other faults in the same time", of: (row) => row.others }, { title: "backlog as before, after its end", of: (row) => row.back }, { title: "p90 of the own share as before", of: (row) => row.fast }], costs));
  const caveat = beside
    ? "Cost is beside the same seed without faults; where others fall into the same time, it is theirs too."
    : "Cost is beside the clicks before, so whatever else happened then counts too, such as retries of clicks whose query is late: photonsim run --baseline tells it apart.";
  const figure = chart("faults", "Own share around faults", `The p99 of clicks generated before, during and after each fault; those first whose clicks together took most longer, and last those beside a fault at least twice as long. A click belongs to the time when it was generated: those on their way when a fault begins count before it. ${all.length > rows.length ? `The ${rows.length} dearest of ${all.length + (details.shortened.around_faults || 0)} faults. ` : ""}${caveat} Few clicks fall into a short fault: the table counts them.`,
    () => {
      const spec = withNamedRows(specOf("fault-latency", bars), bars.map((row) => row.fault));
      spec.encoding.x.axis.values = logTicks(bars.map((row) => row.p99));
      return spec;
    },
    tableOf([{ title: "fault", of: (row) => row.fault }, { title: "clicks", of: (row) => row.period }, { title: "n", of: (row) => row.count, unit: "count" }, { title: "p99 of the own share", of: (row) => row.p99, unit: "seconds" }], bars));
  figure.append(table);
  return figure;
}

// What all faults cost, beside the same seed without them.
function baselineTiles(details) {
  const baseline = details.baseline;
  if (!baseline) return null;
  const [own, calm] = [baseline.whole.own, baseline.whole_without_faults.own];
  return element("div", { class: "tiles" },
    tile(moreOrLess(baseline.cost_seconds), `of own share, all ${grouped(own.count)} clicks together, than the same seed without faults`),
    tile(`${spokenSeconds(own.mean)}, ${spokenSeconds(calm.mean)}`, "own share, mean, with and without faults"),
    tile(`${spokenSeconds(own.p99)}, ${spokenSeconds(calm.p99)}`, "own share, p99, with and without faults"),
    tile(`${grouped(baseline.lost)}, ${grouped(baseline.lost_without_faults)}`, "clicks lost, with and without faults"));
}
