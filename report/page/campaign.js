// Failures in groups, lost clicks, faults against protocol states.

// Minimized failures: the scenario that is left, and what happens in it.
function minimizedParts(data) {
  const shell = document.getElementById("diagram");
  const page = shell ? JSON.parse(shell.textContent) : "";
  return data.campaigns.flatMap((campaign) => campaign.minimized).map((each) => {
    const part = element("div", { class: "minimized" },
      element("h3", {}, `Minimized: ${each.label}`),
      element("p", {}, "What is left when everything is removed that the failure does not need: ", element("code", {}, `photonsim repro ${each.file}`)),
      folded("The scenario", element("pre", {}, each.text.trimEnd())));
    if (each.diagram) {
      const frame = element("iframe", { class: "diagram", title: `Space-time diagram of ${each.label}` });
      // The page is the program's own; the data is text in it.
      frame.addEventListener("load", () => sendTheme(frame));
      frame.srcdoc = page.replace('"the diagram"', () => JSON.stringify(each.diagram).replaceAll("<", "\\u003c"));
      part.append(element("figure", { "data-diagram": each.label }, element("figcaption", {}, element("p", {}, "Space-time diagram: processes from top to bottom, time to the right; click a record to follow its event.")), frame));
    }
    return part;
  });
}

function unmetPart(data) {
  const rows = [...missedGates(data).map((what) => ({ what: `--expect ${what}`, remedy: "mend what misses it, or state another gate" })), ...data.campaigns.flatMap((campaign) => campaign.unmet)];
  if (rows.length === 0) return null;
  return element("div", {}, element("h3", {}, "Asked for, and not met"), tableOf([{ title: "what", of: (row) => row.what }, { title: "remedy", of: (row) => row.remedy }], rows));
}

function failuresSection(data) {
  const rows = rowsOf(data.campaign.failures);
  const details = data.details[0];
  const parts = [];
  if (rows.length > 0) {
    parts.push(tableOf([{ title: "oracle", of: (row) => (row.title ? `${row.oracle}: ${row.title}` : row.oracle) }, { title: "first at", of: (row) => row.at_seconds, unit: "seconds" }, { title: "in", of: (row) => row.process || "–" }, { title: "standing", of: (row) => row.standing }, { title: "kind", of: (row) => row.severity }, { title: "runs", of: (row) => row.runs, unit: "count" }, { title: "violations", of: (row) => row.count, unit: "count" }, { title: "the first", of: (row) => row.message }, { title: "again", of: (row) => row.replay }], rows));
  }
  parts.push(unmetPart(data), ...minimizedParts(data));
  if (details && details.losses && details.losses.length > 0) {
    const more = details.shortened.losses || 0;
    parts.push(folded(`Lost clicks: ${grouped(details.losses.length + more)}${more > 0 ? `, the first ${details.losses.length}` : ""}`,
      tableOf([{ title: "click", of: (row) => row.click }, { title: "class", of: (row) => row.class }, { title: "process", of: (row) => row.process }, { title: "evidence", of: (row) => row.evidence }], details.losses)));
  }
  const bars = rowsOf(data.campaign.losses);
  if (bars.length > 0) {
    parts.push(chart("losses", "Lost clicks by class", "Every lost click stands in one class, with its evidence: a loss that no class explains is a violation.",
      () => ({ data: { values: bars }, height: 26 * bars.length, mark: { type: "bar", cornerRadiusEnd: 3, color: colour("fault") }, encoding: { y: { field: "name", type: "nominal", title: null, sort: "-x" }, x: { field: "count", type: "quantitative", title: "clicks, all runs" }, tooltip: [{ field: "name" }, { field: "count" }] } }),
      tableOf([{ title: "class", of: (row) => row.name }, { title: "clicks", of: (row) => row.count, unit: "count" }], bars)));
  }
  return section("failures", "Failures and losses", null, ...parts);
}

function faultsSection(data) {
  const rows = rowsOf(data.campaign.fault_states);
  if (rows.length === 0) return null;
  const most = Math.max(...rows.map((row) => row.count));
  const dark = `log(1 + datum.count) > ${Math.log(1 + most) / 2}`; // on the scale of the fill
  return section("faults", "Faults", "What the protocols were doing when faults took effect: an empty cell was never tried.",
    chart("fault-states", "Kinds of faults against protocol states", null,
      () => ({
        data: { values: rows }, height: 22 * new Set(rows.map((row) => row.kind)).size,
        encoding: { x: { field: "state", type: "nominal", title: null, axis: { labelAngle: narrow() ? -60 : 0, orient: "top" } }, y: { field: "kind", type: "nominal", title: null } },
        layer: [
          { mark: { type: "rect", stroke: colour("paper"), strokeWidth: 2 }, encoding: { color: { field: "count", type: "quantitative", legend: null, scale: { type: "symlog", range: [colour("raised"), colour("registry")] } }, tooltip: [{ field: "kind" }, { field: "state" }, { field: "count" }] } },
          { mark: { type: "text", fontSize: 11 }, encoding: { text: { field: "count", format: ".3~s" }, color: { condition: { test: dark, value: colour("paper") }, value: colour("ink") } } },
        ],
      }),
      tableOf([{ title: "kind", of: (row) => row.kind }, { title: "state", of: (row) => row.state }, { title: "faults", of: (row) => row.count, unit: "count" }], rows)));
}

function coverageSection(data) {
  const marks = rowsOf(data.campaign.marks);
  const corners = rowsOf(data.campaign.corner_cases);
  const checks = rowsOf(data.campaign.obligations).filter((row) => row.checks > 0).sort((a, b) => b.checks - a.checks);
  const parts = [];
  if (checks.length > 0) {
    parts.push(chart("obligations", "Checks by oracles", "How often each oracle had something to check, on a scale of powers of ten.",
      () => ({ data: { values: checks }, height: 17 * checks.length, mark: { type: "bar", cornerRadiusEnd: 2 }, encoding: { y: { field: "oracle", type: "nominal", sort: null, title: null }, x: { field: "checks", type: "quantitative", title: "checks", scale: { type: "symlog" }, axis: { format: ".2~s", values: [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8], labelOverlap: true } }, tooltip: [{ field: "oracle" }, { field: "checks", format: "," }] } }),
      tableOf([{ title: "oracle", of: (row) => row.oracle }, { title: "checks", of: (row) => row.checks, unit: "count" }, { title: "runs", of: (row) => row.runs, unit: "count" }], checks)));
  }
  if (marks.length > 0) parts.push(folded(`Coverage marks that were hit: ${marks.length}`, tableOf([{ title: "mark", of: (row) => row.name }, { title: "hits", of: (row) => row.hits, unit: "count" }, { title: "runs", of: (row) => row.runs, unit: "count" }], marks)));
  if (corners.length > 0) parts.push(folded(`Corner cases: ${corners.filter((row) => row.count > 0).length} of ${corners.length} occurred`, tableOf([{ title: "case", of: (row) => row.name }, { title: "times", of: (row) => row.count, unit: "count" }, { title: "runs", of: (row) => row.runs, unit: "count" }], corners)));
  return section("coverage", "What was checked", null, ...parts);
}
