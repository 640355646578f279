"""Checks an export: tables against the results file, the Python module against the program, notebooks by running them.

    notebooks.py PROGRAM FOLDER
"""
import csv
import json
import math
import os
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

PROGRAM, FOLDER = sys.argv[1], Path(sys.argv[2])
# Tables of the export that have a row for each row of a table or view of the results file.
VIEWS = {"runs": "run", "histograms": "histogram_bucket", "parts": "figure", "series": "series", "faults": "fault",
         "fault_latencies": "fault_latency", "fault_states": "fault_effect", "losses": "loss", "findings": "finding",
         "violations": "violation",
         "reshards": "(SELECT 1 FROM summary, json_each(summary.json, '$.series.reshards'))"}
# Figures that a notebook draws from a run of `run --out`, and from a study.
FIGURES = {"overview": (1, 1), "latency_tails": (5, 5), "waste": (5, 4), "outages": (3, 0), "capacity": (3, 3),
           "sensitivity": (0, 3), "comparison": (0, 3)}
# Charts of the report that Altair draws in them.
CHARTS = {"latency_tails": (2, 2), "outages": (1, 0), "sensitivity": (0, 1), "comparison": (0, 1)}
VEGA_LITE = "application/vnd.vegalite.v4+json"
wrong = []
checked = Counter()


def check(what, fine, text):
    checked[what] += 1
    if not fine:
        wrong.append(f"{what}: {text}")


def photonsim(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def peak_memory(*arguments):
    """Of the program, in KiB."""
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    check("memory: exit", status == 0, f"{arguments} ended with {status}")
    return usage.ru_maxrss


def rows_of(file):
    with file.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def check_tables(results, tables):
    database = sqlite3.connect(f"file:{results}?mode=ro", uri=True)
    for name, view in VIEWS.items():
        rows = rows_of(tables / f"{name}.csv")
        (count,) = database.execute(f"SELECT count(*) FROM {view}").fetchone()
        check(f"rows of {name}", len(rows) == count, f"{len(rows)}, the results file has {count}")
        for row in rows:
            check("whole rows", None not in row and None not in row.values(), f"{name}: {row}")
    sums = Counter()
    for row in rows_of(tables / "histograms.csv"):
        sums[int(row["run"]), row["latency"]] += int(row["count"])
    for run, name, count in database.execute("SELECT run, name, count FROM histogram"):
        check("latencies", sums[run, name] == count, f"{name} of run {run}: {sums[run, name]}, not {count}")
    for row in rows_of(tables / "series.csv"):
        (value,) = database.execute(
            "SELECT value FROM series WHERE run = ? AND place = ? AND name = ? AND until_seconds = ?",
            [row["run"], row["place"], row["name"], float(row["until_seconds"])]).fetchone()
        check("series", value == float(row["value"]), f"{row}: {value}")


def check_dictionary(tables):
    """Every column of every file, and every name in a column of names, has its meaning."""
    defined = {(row["file"], row["column"], row["value"]): row["meaning"]
               for row in rows_of(tables / "data_dictionary.csv")}
    names = {"metrics.csv": "metric", "parts.csv": "name", "series.csv": "name", "fault_latencies.csv": "period",
             "fault_states.csv": "state"}
    for file in tables.glob("*.csv"):
        if file.name == "data_dictionary.csv":
            continue
        rows = rows_of(file)
        with file.open(encoding="utf-8") as stream:
            columns = next(csv.reader(stream))
        for column in columns:
            meaning = defined.get((file.name, column, ""), "")
            check("columns", len(meaning) > 8, f"{file.name} {column} has the meaning '{meaning}'")
        column = names.get(file.name)
        for value in {row[column] for row in rows} if column else ():
            meaning = defined.get((file.name, column, value), "")
            check("names", len(meaning) > 8, f"{file.name} {value} has the meaning '{meaning}'")


def close(one, other):
    if one is None or other is None or (isinstance(other, float) and math.isnan(other)):
        return one is None and (other is None or math.isnan(other))
    return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-12)


def by_label(results):
    """Points by their labels in the study."""
    return dict(zip(results.runs["scenario"], results.runs["point"]))


def check_module(sweep, results):
    """Every figure of every point of a study as the program states it."""
    places = by_label(results)
    for point in sweep["points"]:
        place = places[point["label"]]
        for name, metric in point["metrics"].items():
            found = results.estimate(place, name)
            text = f"{name} of {point['label']}: {found}, the program says {metric}"
            check("estimates", found is not None and close(metric["mean"], found.value), text)
            if found is None:
                continue
            check("intervals", close(metric["low"], found.low) and close(metric["high"], found.high), text)


def check_differences(page_data, results):
    import photonsim_results as ps
    columns = page_data["differences"]
    labels = page_data["points"]["scenario"]
    places = by_label(results)
    first = places[labels[columns["first"]]]
    names = ("metric", "point", "value", "low", "high")
    for metric, point, value, low, high in zip(*(columns[each] for each in names)):
        found = results.difference(places[labels[point]], first, metric)
        text = f"{metric} of point {point}: {found}, the report says {value} [{low}, {high}]"
        check("differences", found is not None and close(value, found.value) and close(low, found.low)
              and close(high, found.high), text)
    assert ps.short("x" * 60, 10) == "x" * 9 + "…"


def execute(notebook, wanted, charts):
    """The notebook with its outputs: pictures of figures, and specifications of charts with their rows."""
    book = nbformat.read(notebook, as_version=4)
    try:
        runner = ExecutePreprocessor(timeout=600, kernel_name="python3")
        runner.preprocess(book, {"metadata": {"path": str(notebook.parent)}})
    except Exception as error:  # what a cell raised
        check("notebooks", False, f"{notebook}: {error}")
        return
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    figures = sum("image/png" in output.get("data", {}) for output in outputs)
    check("notebooks", figures >= wanted, f"{notebook}: {figures} figures of at least {wanted}")
    drawn = [output["data"][VEGA_LITE] for output in outputs if VEGA_LITE in output.get("data", {})]
    check("charts", len(drawn) >= charts, f"{notebook}: {len(drawn)} charts of the report of at least {charts}")
    for each in drawn:
        rows = each["data"].get("values") or next(iter(each.get("datasets", {}).values()), [])
        check("rows of charts", len(rows) > 1 and '"@' not in json.dumps(each),
              f"{notebook}: a chart of {len(rows)} rows")
    warnings = [output.text for output in outputs if output.get("name") == "stderr"]
    check("quiet notebooks", not warnings, f"{notebook} says {warnings[:1]}")


def main():
    study = FOLDER / "study.toml"
    study.write_text(f'base = "{Path("scenarios/healthy.toml").resolve()}"\n'
                     '[set]\n"workload.synthetic.clicks" = 1500\n'
                     '[grid]\n"registry.shards" = [1, 2]\n"joiner.count" = [1, 3]\n'
                     "[replications]\nmin = 4\nmax = 4\n", encoding="utf-8")
    run, sweep, campaign = (FOLDER / f"{name}.sqlite" for name in ("run", "sweep", "campaign"))
    for seed in (1, 2):
        photonsim("run", "scenarios/slow_output.toml", "--seed", seed, "--out", run)
    said = json.loads(photonsim("sweep", study, "--out", sweep, "--jobs", 2, "--json"))
    photonsim("fuzz", "--swarm", "--seeds", "1..20", "--jobs", 2, "--out", campaign)
    for results in (run, sweep, campaign):
        tables = FOLDER / results.stem / "tables"
        photonsim("export", results, "--csv", tables, "--notebooks", FOLDER / results.stem / "notebooks")
        check_tables(results, tables)
        check_dictionary(tables)

    sys.path.insert(0, str(FOLDER / "sweep" / "notebooks"))
    import photonsim_results as ps
    for results in (ps.Export(FOLDER / "sweep" / "tables"), ps.ResultsFile(sweep)):
        check_module(said, results)
        photonsim("report", sweep, "-o", FOLDER / "sweep.html")
        page = (FOLDER / "sweep.html").read_text(encoding="utf-8")
        data = page.split('<script type="application/json" id="data">', 1)[1].split("</script>", 1)[0]
        check_differences(json.loads(data), results)

    # Short runs of a registry alone: high quantiles without an interval.
    short = FOLDER / "short.toml"
    short.write_text(f'base = "{Path("scenarios/registry/quiet.toml").resolve()}"\n'
                     '[set]\n"run.duration" = "10s"\n[grid]\n"registry.shards" = [1, 4]\n'
                     "[replications]\nmin = 3\nmax = 3\n", encoding="utf-8")
    said = json.loads(photonsim("sweep", short, "--out", FOLDER / "short.sqlite", "--jobs", 2, "--json"))
    check_module(said, ps.ResultsFile(FOLDER / "short.sqlite"))

    # Ten times as many runs take no more memory, but for the pages that SQLite keeps.
    photonsim("fuzz", "--swarm", "--seeds", "1..200", "--jobs", 2, "--out", FOLDER / "large.sqlite")
    small = peak_memory("export", campaign, "--csv", FOLDER / "small")
    large = peak_memory("export", FOLDER / "large.sqlite", "--csv", FOLDER / "large")
    check("memory", large < small + 8 * 1024, f"{large} KiB for 200 runs, {small} KiB for 20")

    books = [(FOLDER / name / "notebooks" / f"{book}.ipynb", wanted[place], CHARTS.get(book, (0, 0))[place])
             for place, name in enumerate(("run", "sweep")) for book, wanted in FIGURES.items()]
    books += [(FOLDER / "campaign" / "notebooks" / f"{book}.ipynb", 0, 0) for book in FIGURES]
    with ThreadPoolExecutor(2) as pool:
        for _ in pool.map(lambda each: execute(*each), books):
            pass
    for line in wrong[:20]:
        print(line)
    print(", ".join(f"{count} of {what}" for what, count in sorted(checked.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
