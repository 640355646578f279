// The first section: what was run, what was checked, and what came of it.

// What the sweep of a study concluded, as it said so in the terminal.
function studyParts(data) {
  const parts = [];
  for (const study of newestStudies(data)) {
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

// Gates of run --expect that the runs miss.
function missedGates(data) {
  return data.details.flatMap((each) => each.missed_gates || []);
}

function verdictSection(data) {
  const verdict = data.verdict;
  const points = loadOfPoints(data);
  const failed = verdict.failed > 0;
  const unmet = missedGates(data).length + data.campaigns.reduce((sum, campaign) => sum + campaign.unmet.length, 0);
  const bad = failed || unmet > 0;
  const doubtful = points.overloaded + points.doubtful > 0;
  const runs = verdict.runs === 1 ? "1 run" : `${grouped(verdict.runs)} runs`;
  const sentence = failed ? `${grouped(verdict.failed)} of ${runs} failed`
    : unmet > 0 ? `${runs} without a failure of an oracle, but ${unmet === 1 ? "a requirement is" : `${grouped(unmet)} requirements are`} not met: see Failures`
    : points.overloaded > 0 ? `${runs} without a failure, ${points.of(points.overloaded)} NOT STATIONARY${points.bound.length > 0 ? `, bound by ${points.bound.join(", ")}` : ""}: latencies depend on the length of the runs`
    : points.doubtful > 0 ? `${runs} without a failure, ${points.of(points.doubtful)} PERHAPS NOT STATIONARY${points.bound.length > 0 ? `, bound by ${points.bound.join(", ")}` : ""}: too short to tell`
    : `${runs} without a failure`;
  const scenarios = [...new Set(data.points.scenario)];
  const seeds = [...data.runs.seed].sort((a, b) => Number(a) - Number(b));
  const details = data.details[0];
  const tiles = element("div", { class: "tiles" },
    ...(verdict.joined + verdict.lost === 0 && verdict.operations > 0 ? [tile(grouped(verdict.operations), "operations of the registry's clients")] : [
      tile(grouped(verdict.joined), verdict.duplicates > 0 ? `clicks joined, and ${grouped(verdict.duplicates)} records more of them: NOT exactly once` : "clicks joined, none of them twice"),
      tile(grouped(verdict.lost), verdict.lost > 0 ? "clicks lost, every one with its class" : "clicks lost")]),
    tile(grouped(verdict.checks), "checks by oracles"),
    tile(grouped(verdict.violations), "violations that count"));
  const list = facts([
    ["study", data.studies.length > 0 ? data.studies.map((study) => study.study).join(", ") : null],
    ["scenarios", scenarios.length > 6 || data.studies.length > 0 ? null : shortText(scenarios.join(", "), 400)],
    ["configurations", data.points.generated.every((each) => each) ? "generated, one for each seed" : grouped(data.points.label.length)],
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
