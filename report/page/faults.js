// What faults cost, and when the deployment was as before.

function moreOrLess(seconds) {
  return `${spokenSeconds(Math.abs(seconds))} ${seconds < 0 ? "less" : "more"}`;
}

// "; beside the same seed without them 42 s more of own share, and 46 clicks are lost; most around outage.all ..."
function costSentence(details) {
  const faults = details.around_faults || [];
  if (faults.length === 0 || details.generated === 0) return "";
  const costly = faults.find((each) => each.cost_seconds > 0);
  const company = costly && costly.overlapping > 0 ? ` and ${grouped(costly.overlapping)} other${costly.overlapping === 1 ? "" : "s"} of its time` : "";
  const dearest = costly ? `${faultName(costly.fault)}${company}` : null;
  const baseline = details.baseline;
  if (!baseline) return dearest === null ? "; clicks were slower around none than before" : `; clicks were slowest around ${dearest}`;
  const lost = baseline.lost - baseline.lost_without_faults;
  const cost = `${moreOrLess(baseline.cost_seconds)} of own share, all clicks together`;
  return `; beside the same seed without them ${cost}${lost > 0 ? `, and ${grouped(lost)} ${lost === 1 ? "click is" : "clicks are"} lost` : ""}${dearest === null ? "" : `; most around ${dearest}`}`;
}

// What all faults cost, beside the same seed without them.
function baselineTiles(details) {
  const baseline = details.baseline;
  if (!baseline) return null;
  const [own, without] = [baseline.whole.own, baseline.whole_without_faults.own];
  return element("div", { class: "tiles" },
    tile(moreOrLess(baseline.cost_seconds), `of own share, all ${grouped(own.count)} clicks together, than the same seed without faults`),
    tile(`${spokenSeconds(own.mean)}, ${spokenSeconds(without.mean)}`, "own share, mean, with and without faults"),
    tile(`${spokenSeconds(own.p99)}, ${spokenSeconds(without.p99)}`, "own share, p99, with and without faults"),
    tile(`${grouped(baseline.lost)}, ${grouped(baseline.lost_without_faults)}`, "clicks lost, with and without faults"));
}

// "process_crash us-east1/joiner/2 at 54.8s", its kind, the end of its place and when it begins: two faults
// of one place differ there.
function faultName(text) {
  const rounded = text.replace(/(\d+\.\d+)s/g, (_, seconds) => `${Number(seconds).toFixed(1)}s`);
  const times = rounded.indexOf(" at ");
  if (times < 0) return shortText(rounded, narrow() ? 40 : 70);
  const tail = rounded.slice(times).split(" for ")[0];
  const name = rounded.slice(0, times);
  // Its kind, and the end of its place.
  if (narrow() && name.length > 24) return `${name.slice(0, 8)}…${name.slice(-15)}${tail}`;
  return shortText(name, 60) + tail;
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
  const costs = rows.map((each) => ({ fault: shortText(each.fault, 120), cost: each.cost_seconds > 0 ? spokenSeconds(each.cost_seconds) : none, lost: each.lost, others: grouped(each.overlapping || 0), back: backAfter(each.backlog_back_after_seconds), fast: backAfter(each.own_p90_back_after_seconds) }));
  const table = folded("What they cost, and when backlog and latency were back", tableOf([{ title: "fault", of: (row) => row.fault }, { title: "extra own share, all clicks together", of: (row) => row.cost }, { title: "clicks lost with joiners that it killed", of: (row) => row.lost, unit: "count" }, { title: "other faults in the same time", of: (row) => row.others }, { title: "backlog as before, after its end", of: (row) => row.back }, { title: "p90 of the own share as before", of: (row) => row.fast }], costs));
  const caveat = beside
    ? "Cost is beside the same seed without faults; where others fall into the same time, it is theirs too."
    : "Cost is beside the clicks before, so whatever else happened then counts too, such as retries of clicks whose query is late: photonsim run --baseline tells it apart.";
  const figure = chart("faults", "Own share around faults", `The p99 of clicks generated before, during and after each fault; those first whose clicks together took most longer. Faults of the same time have the cost of all: only runs without each of them tell which is the cause. A click belongs to the time when it was generated: those on their way when a fault begins count before it. ${all.length > rows.length ? `The ${rows.length} dearest of ${all.length + (details.shortened.around_faults || 0)} faults. ` : ""}${caveat} Few clicks fall into a short fault: the table counts them.`,
    () => {
      const spec = withNamedRows(specOf("fault-latency", bars), bars.map((row) => row.fault));
      spec.encoding.x.axis.values = logTicks(bars.map((row) => row.p99));
      return spec;
    },
    tableOf([{ title: "fault", of: (row) => row.fault }, { title: "clicks", of: (row) => row.period }, { title: "n", of: (row) => row.count, unit: "count" }, { title: "p99 of the own share", of: (row) => row.p99, unit: "seconds" }], bars));
  figure.append(table);
  return figure;
}

function everyFault(details) {
  const { more, ...columns } = details.fault_list;
  const rows = rowsOf(columns);
  if (rows.length === 0) return null;
  const idle = rows.filter((row) => !row.effective).length;
  return folded(`Every fault: ${grouped(rows.length + more)}${more > 0 ? `, the first ${grouped(rows.length)}` : ""}, ${idle === 0 ? "all with an effect" : `${grouped(idle)} without effect`}`,
    tableOf([{ title: "fault", of: (row) => row.number, unit: "count" }, { title: "what", of: (row) => row.description }, { title: "planned at", of: (row) => row.at_seconds, unit: "seconds" }, { title: "effect", of: (row) => (row.effective ? "yes" : "none: nothing happened there that it could have changed") }], rows));
}
