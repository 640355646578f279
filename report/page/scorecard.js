// The claims of publications that studies judged: each beside its band, with what was fixed and what was open.

const kHeld = ["reproduced", "consistent", "trend only", "by a test"];

function claimsOf(data) {
  return newestStudies(data).flatMap((study) => (study.claims || []).map((claim) => ({ ...claim, ...(claim.says ? {} : { says: claim.paper, paper: null }), study: study.study })))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

// Where a value lies in the band of its claim: 0 is the lower end, 1 the upper one. With one end the other is that of a
// band of the same form: from 0 to `to`, and from `from` to infinity.
function placeInBand(claim, value) {
  if (value === null) return null;
  if (claim.from !== null && claim.to !== null) return claim.to > claim.from ? (value - claim.from) / (claim.to - claim.from) : value === claim.to ? 0.5 : value > claim.to ? 2 : -1;
  if (claim.to !== null) return claim.to > 0 ? value / claim.to : null;
  return claim.from > 0 && value > 0 ? 1 - claim.from / value : null;
}

function bandsChart(claims) {
  const clipped = (value) => Math.min(1.6, Math.max(-0.6, value));
  const rows = claims.filter((claim) => claim.judged_low !== null).map((claim) => ({ id: claim.id, verdict: claim.verdict, low: placeInBand(claim, claim.judged_low), high: placeInBand(claim, claim.judged_high), shown: claim.shown, band: claim.band, says: claim.says }))
    .filter((row) => row.low !== null && row.high !== null).map((row) => ({ ...row, low: clipped(row.low), high: clipped(row.high), middle: clipped((row.low + row.high) / 2) }));
  if (rows.length === 0) return null;
  const named = namedRows(rows.map((row) => row.id), 20);
  return chart("bands", "Each claim in its band", "The shaded strip is the band of each claim, whatever its unit; the bar is the 95 % interval of what was simulated, or of its distance from theory. A band with one end reaches from zero to it, or from it to infinity. Bars beyond the edges are cut.",
    () => ({
      data: { values: rows }, height: named.height,
      layer: [
        { data: { values: [{ from: 0, to: 1 }] }, mark: { type: "rect", opacity: 0.13 }, encoding: { x: { field: "from", type: "quantitative" }, x2: { field: "to" }, y: null, color: { value: colour("pipeline") }, tooltip: null } },
        { mark: { type: "rule", strokeWidth: 3 }, encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } } },
        { mark: { type: "point", filled: true, size: 46, opacity: 1 }, encoding: { x: { field: "middle", type: "quantitative" } } },
      ],
      encoding: {
        y: { field: "id", type: "nominal", sort: null, title: null, axis: named.axis },
        x: { type: "quantitative", title: null, scale: { domain: [-0.6, 1.6] }, axis: { values: [0, 1], labelExpr: "datum.value === 0 ? 'lower end' : 'upper end'", grid: true } },
        color: { condition: { test: "indexof(['reproduced', 'consistent', 'trend only'], datum.verdict) >= 0", value: colour("registry") }, value: colour("violation") },
        tooltip: [{ field: "id", title: "claim" }, { field: "says" }, { field: "shown", title: "simulated" }, { field: "band" }, { field: "verdict" }],
      },
    }), null);
}

// The inputs that the publication leaves open, with what they move: of studies that varied them by Morris' design.
function freeParameters(data) {
  return newestStudies(data).flatMap((study) => {
    const figures = (study.sensitivity || []).filter((each) => each.design === "morris" && !each.missing);
    if (figures.length === 0) return [];
    const rows = Object.entries(figures[0].keys).map(([key, each]) => ({ key, ...each, moved: figures.map((figure) => figure.keys[key].mu_star) }));
    return [element("figure", { "data-table": "free-parameters" },
      element("figcaption", {}, element("h3", {}, "Open inputs"), element("p", {}, `What the publication leaves open, the value that all studies have, and by how much a figure changes when it goes from one end of its range to the other (Morris, ${grouped(figures[0].size)} trajectories, 95 % intervals). Study: ${study.study}.`)),
      tableOf([{ title: "input", of: (row) => row.key }, { title: "set to", of: (row) => row.set || "–" }, { title: "varied from", of: (row) => row.from }, { title: "to", of: (row) => row.to },
        ...figures.map((figure, i) => ({ title: `moves ${figure.metric}`, of: (row) => withInterval(figure.unit, row.moved[i].mean, row.moved[i].low, row.moved[i].high) }))], rows))];
  });
}

function bandsSentence(claims) {
  const restated = claims.filter((claim) => claim.restated).length;
  return restated === 0 ? "The band of each claim was fixed before its first run."
    : `Bands were fixed before the first run of their claim, but for ${restated} marked *, which were restated after it.`;
}

function scorecardSection(data) {
  const claims = claimsOf(data);
  if (claims.length === 0) return null;
  const count = (verdict) => claims.filter((claim) => claim.verdict === verdict).length;
  const open = newestStudies(data).filter((study) => !study.complete).map((study) => study.study);
  const doubtful = claims.filter((claim) => !kHeld.includes(claim.verdict) && claim.verdict !== "refused");
  const sentence = doubtful.length > 0 ? `${doubtful.length} of ${claims.length} claims ${doubtful.length === 1 ? "is" : "are"} not held: ${doubtful.map((claim) => `${claim.id} ${claim.verdict}`).join(", ")}`
    : `${claims.length} claims: all hold: reproduced, consistent, a trend, shown by a test, or refused with a reason`;
  const tiles = ["reproduced", "consistent", "trend only", "by a test", "refused"].filter((verdict) => count(verdict) > 0).map((verdict) => tile(grouped(count(verdict)), verdict));
  const reasons = claims.filter((claim) => claim.fixed || claim.open || claim.reason || claim.restated);
  return section("scorecard", "Photon scorecard", `What publications and their analysis say beside what was simulated. ${bandsSentence(claims)} Levels: E by analysis, M follows from the mechanism, C with the calibrated inputs, T its direction alone, X refused.`,
    element("p", { class: `verdict${doubtful.length > 0 ? " bad" : open.length > 0 ? " doubtful" : ""}` }, element("span", {}, open.length > 0 ? `${sentence}. Not ended: ${open.join(", ")}` : sentence)),
    element("div", { class: "tiles" }, ...tiles),
    bandsChart(claims),
    tableOf([
      { title: "claim", of: (claim) => claim.id + (claim.restated ? " *" : "") }, { title: "level", of: (claim) => claim.level }, { title: "verdict", of: (claim) => claim.verdict },
      { title: "what is claimed", of: (claim) => claim.says }, { title: "the paper's number", of: (claim) => claim.paper || "–" }, { title: "simulated", of: (claim) => claim.shown || "–" }, { title: "theory", of: (claim) => (claim.theory === null ? "–" : spoken(claim.unit, claim.theory)) },
      { title: "band", of: (claim) => claim.band || "–" }, { title: "n", of: (claim) => claim.n, unit: "count" }, { title: "source", of: (claim) => claim.source }], claims),
    ...freeParameters(data),
    folded(`${reasons.length} claims: what the paper fixes, what it leaves open, reasons`, tableOf([
      { title: "claim", of: (claim) => claim.id }, { title: "fixed", of: (claim) => claim.fixed || "–" }, { title: "open", of: (claim) => claim.open || "–" }, { title: "scale", of: (row) => row.scale || "–" }, { title: "reason", of: (claim) => claim.reason || claim.test || "–" }, { title: "restated", of: (claim) => claim.restated || "–" }, { title: "figure", of: (claim) => claim.figure || "–" }, { title: "at", of: (claim) => claim.at || "–" }], reasons)));
}
