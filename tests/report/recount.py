#!/usr/bin/env python3
"""Computes the numbers of a report again from the exported CSV and the tables of the results file.

    recount.py PROGRAM FOLDER

Makes runs and a study in FOLDER, their reports and CSV files, and compares every number. Exit 1: one differs.
Nothing of the program's statistics is used: Student's factors are those of printed tables.
"""
import csv
import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# Two-sided 95 %, by degrees of freedom (Abramowitz and Stegun, table 26.10).
STUDENT = {1: 12.70620, 2: 4.30265, 3: 3.18245, 4: 2.77645}
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999, "p9999": 0.9999}
# Names of groups of latencies: in gates and reports, and in the file.
GROUPS = {
    "latency.total.": "latency_seconds.", "latency.own.": "latency_own.", "latency.insert.": "load.insert_latency.",
    "latency.look_up.": "load.lookup_latency.", "latency.commit.": "registry.commit_latency.",
    "latency.registry_insert.": "registry.insert_latency.", "latency.shipping.": "stages.shipping.",
    "latency.scan.": "stages.scan.", "latency.lookup.": "stages.lookup.", "latency.dispatch.": "stages.dispatch.",
    "latency.event_store.": "stages.event_store.", "latency.register.": "stages.register.",
    "latency.output.": "stages.output.", "latency.slowest.": "slowest."}

checked = defaultdict(int)
wrong = []


def same(what, found, expected, relative=1e-6):
    checked[what.split(":")[0]] += 1
    if found is None or expected is None:
        ok = found is None and expected is None
    else:
        ok = math.isclose(found, expected, rel_tol=relative, abs_tol=1e-9)
    if not ok:
        wrong.append(f"{what}: the report says {found}, the export {expected}")


def stored(name):
    for spoken, group in GROUPS.items():
        if name.startswith(spoken):
            return group + name[len(spoken):]
    return name


def data_of(page):
    text = page.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))


def quantile_bounds(buckets, fraction):
    """The bucket that holds the quantile, in seconds."""
    total = sum(count for _, _, count in buckets)
    left = math.ceil(fraction * total - 1e-9)
    for low, high, count in sorted(buckets):
        left -= count
        if left <= 0:
            return low / 1e9, (high + 1) / 1e9
    raise AssertionError("no bucket holds the quantile")


def recount(results, page, table):
    data = data_of(page)
    by_run = defaultdict(dict)
    with table.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by_run[int(row["run"])][row["metric"]] = float(row["value"])
    runs = data["runs"]
    points = defaultdict(list)
    for run, point in zip(runs["id"], runs["point"]):
        points[point].append(run)
    database = sqlite3.connect(f"file:{results}?mode=ro", uri=True)

    verdict = data["verdict"]
    same("verdict: runs", verdict["runs"], len(by_run))
    for name in ("lost", "joined"):
        same(f"verdict: {name}", verdict[name], sum(run.get(name, 0) for run in by_run.values()))
    checks = sum(value for run in by_run.values() for name, value in run.items() if name.startswith("obligation."))
    same("verdict: checks", verdict["checks"], checks)

    def buckets_of(point, group):
        marks = ",".join("?" * len(points[point]))
        return list(database.execute(
            f"SELECT low_ns, high_ns, sum(count) FROM histogram_bucket WHERE name = ? AND run IN ({marks}) "
            "GROUP BY low_ns, high_ns", [group, *points[point]]))

    for name, metric in data["metrics"].items():
        group, _, last = stored(name).rpartition(".")
        for point, members in points.items():
            value, low, high = metric["value"][point], metric["low"][point], metric["high"][point]
            values = [by_run[run].get(stored(name)) for run in members]
            if any(each is None for each in values):
                same(f"metric: {name}", value, None)
                continue
            if last in QUANTILES and (buckets := buckets_of(point, group)):
                least, most = quantile_bounds(buckets, QUANTILES[last])
                checked["quantile"] += 1
                if not least * (1 - 1e-9) <= value <= most * (1 + 1e-9):
                    wrong.append(f"{name} of point {point}: {value} is not in the bucket [{least}, {most}]")
                if low is not None and not low <= value <= high:
                    wrong.append(f"{name} of point {point}: {value} lies outside its interval")
                continue
            if name == "loss_rate":
                lost = sum(by_run[run]["lost"] for run in members)
                same(f"loss rate: {name}", value, lost / sum(by_run[run]["joinable"] for run in members))
                continue
            n = len(values)
            mean = sum(values) / n
            same(f"mean: {name}", value, mean)
            if low is None:
                continue
            spread = math.sqrt(sum((each - mean) ** 2 for each in values) / (n - 1))
            half = STUDENT[n - 1] * spread / math.sqrt(n)
            expected = mean - half if min(values) < 0 else max(0.0, mean - half)
            same(f"interval: {name}", low, expected, 1e-4)
            same(f"interval: {name}", high, mean + half, 1e-4)

    for curve in data["quantiles"]:
        buckets = buckets_of(curve["point"], curve["name"])
        same("curve: count", curve["count"], sum(count for _, _, count in buckets))
        for nines, value in zip(curve["nines"], curve["seconds"]):
            least, most = quantile_bounds(buckets, 1 - 10 ** -nines)
            checked["curve"] += 1
            if not least * (1 - 1e-9) <= value <= most * (1 + 1e-9):
                wrong.append(f"{curve['name']} at {nines} nines: {value} is not in [{least}, {most}]")

    recount_shares(data)

    obligations = data["campaign"]["obligations"]
    for oracle, count in zip(obligations["oracle"], obligations["checks"]):
        same(f"oracle: {oracle}", count, sum(run.get(f"obligation.{oracle}", 0) for run in by_run.values()))

    for details in data["details"]:
        faults = database.execute("SELECT description, effective FROM fault WHERE run = ? ORDER BY number",
                                  [details["run"]]).fetchall()
        found = details["fault_list"]
        for row, description, effective in zip(faults, found["description"], found["effective"]):
            same("faults", float(row == (description, int(effective))), 1.0)
        same("faults", len(found["number"]) + found["more"], len(faults))
        columns = details["series"]
        recount_recovery(database, details)
        recount_costs(database, details)
        for place in columns["pipelines"]:
            rows = database.execute("SELECT value FROM series WHERE run = ? AND place = ? AND name = 'joins' "
                                    "ORDER BY number", [details["run"], place["where"]])
            for found, (expected,) in zip(place["joins"], rows):
                same("series: joins", found, expected)
        for shard, expected in enumerate(columns["shards"]):
            rows = database.execute("SELECT value FROM series WHERE run = ? AND place = ? AND name = 'committed' "
                                    "ORDER BY number", [details["run"], f"shard {shard}"])
            for found, (stored_value,) in zip(expected, rows, strict=True):
                same("series: shards", found, stored_value)
        same("series: all", sum(sum(place["joins"]) for place in columns["pipelines"]),
             by_run[details["run"]]["joined"])


def recount_shares(data):
    """Shares of variance in a grid of two values by two: from the contrasts of its four corners."""
    columns = data["sensitivity"]
    if columns["missing"]:
        return
    assert len(data["points"]["label"]) == 4
    for metric, parameter, first, total in zip(*(columns[name] for name in ("metric", "parameter", "first", "total"))):
        values = data["metrics"][metric]["value"]
        names = data["parameters"][parameter]
        high = [name == names[0] for name in names]
        other = next(choices for name, choices in data["parameters"].items()
                     if [each == choices[0] for each in choices] not in (high, [True] * 4))
        both = [(name == names[0]) == (choice == other[0]) for name, choice in zip(names, other)]
        sides = [each == other[0] for each in other]
        alone, beside, together = (sum(value if side else -value for value, side in zip(values, split)) / 4
                                   for split in (high, sides, both))
        whole = alone ** 2 + beside ** 2 + together ** 2
        same("sensitivity: alone", first, alone ** 2 / whole, 1e-4)
        same("sensitivity: in all", total, (alone ** 2 + together ** 2) / whole, 1e-4)


def recount_recovery(database, details):
    """When no pipeline's backlog, or p90 of the own share, is above what it was before a fault."""
    step = details["series"]["interval_seconds"]
    rows = {"backlog": defaultdict(dict), "own_p90": defaultdict(dict)}
    for place, name, until, value in database.execute(
            "SELECT place, name, until_seconds, value FROM series WHERE run = ? AND name IN ('backlog', 'own_p90')",
            [details["run"]]):
        rows[name][place][until] = value
    ends = sorted(next(iter(rows["backlog"].values())))
    periods = {}
    for fault, period, start, end in database.execute(
            "SELECT DISTINCT fault, period, from_seconds, until_seconds FROM fault_latency WHERE run = ?",
            [details["run"]]):
        periods[fault, period] = start, end
    for fault in details["around_faults"]:
        start, end = periods[fault["number"], "during"]
        since, until = periods[fault["number"], "before"]
        for name, places in rows.items():
            key = f"{name}_back_after_seconds"
            if end - start < step or not fault["ends"]:
                same("recovery: short", key in fault, False)
                continue
            # Without a row nothing was joined then; without any before the fault there is no level to come back to.
            before = {place: [value for at, value in column.items() if since - 1e-6 <= at <= until + 1e-6]
                      for place, column in places.items()}
            levels = {place: max(values) for place, values in before.items() if values}
            if not levels:
                same("recovery: no level", key in fault, False)
                continue
            back = [at for at in ends if at > end + 1e-6
                    and all(places[place].get(at, 0) <= level for place, level in levels.items())]
            same("recovery", fault[key], back[0] - end if back else None)


def recount_others(database, details):
    """Other faults in the same time, and the order of the list."""
    time = defaultdict(dict)
    for fault, period, start, end in database.execute(
            "SELECT fault, period, from_seconds, until_seconds FROM fault_latency"
            " WHERE run = ? AND fault <> '' AND latency = 'own'", [details["run"]]):
        time[fault][period] = start, end
    for fault in details["around_faults"]:
        number = fault["number"]
        start, end = time[number]["during"][0], time[number]["after"][1]
        others = [other for other, periods in time.items() if other != number
                  and periods["during"][0] < end and start < periods["after"][1]]
        same("other faults", fault["overlapping"], len(others))
    costs = [fault["cost_seconds"] for fault in details["around_faults"]]
    same("dearest first", costs == sorted(costs, reverse=True), True)


def recount_costs(database, details):
    """What faults cost: clicks of their time, times how much longer their mean own share is."""
    mean = {}
    for fault, period, count, value in database.execute(
            "SELECT fault, period, count, mean FROM fault_latency WHERE run = ? AND latency = 'own'", [details["run"]]):
        mean[fault if fault != "" else None, period] = count, value

    def more(fault, period, beside):
        (count, value), (others, other) = mean[fault, period], mean[fault, beside]
        return count * (value - other) if count and others else 0

    recount_others(database, details)
    for fault in details["around_faults"]:
        number = fault["number"]
        known = (number, "after_without_faults") in mean
        same("costs: beside", fault["cost_beside"] == "baseline", known)
        besides = ("during_without_faults", "after_without_faults") if known else ("before", "before")
        same("costs", fault["cost_seconds"],
             more(number, "during", besides[0]) + more(number, "after", besides[1]), 1e-6)
    if (None, "whole") in mean:
        same("costs: all", details["baseline"]["cost_seconds"], more(None, "whole", "whole_without_faults"), 1e-6)


def main(program, folder):
    folder = Path(folder)
    # Runs of another version of the model would be points of their own.
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)

    def photonsim(*arguments):
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")

    study = folder / "study.toml"
    study.write_text(f'base = "{Path("scenarios/healthy.toml").resolve()}"\n'
                     '[set]\n"workload.synthetic.clicks" = 1500\n'
                     '[grid]\n"registry.shards" = [1, 2]\n"joiner.count" = [1, 3]\n'
                     "[replications]\nmin = 3\nmax = 3\n", encoding="utf-8")
    run, sweep = folder / "run.sqlite", folder / "sweep.sqlite"
    for seed in (1, 2):
        photonsim("run", "scenarios/trace_kills.toml", "--seed", seed, "--out", run)
        photonsim("run", "scenarios/slow_output.toml", "--seed", seed, "--baseline", "--out", run)
    photonsim("sweep", study, "--out", sweep, "--jobs", 2)
    for results in (run, sweep):
        page, table = results.with_suffix(".html"), results.with_suffix(".csv")
        photonsim("report", results, "-o", page)
        photonsim("export", results, table)
        recount(results, page, table)
    for line in wrong[:20]:
        print(line)
    print(", ".join(f"{count} of {what}" for what, count in sorted(checked.items())))
    needed = {"recovery", "mean", "interval", "quantile", "curve", "oracle", "series", "verdict", "loss rate",
              "sensitivity"}
    missing = needed - {what for what, count in checked.items() if count > 0}
    if missing:
        print(f"nothing compared of: {', '.join(sorted(missing))}")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
