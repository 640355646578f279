"""Results of photonsim as data frames: merged histograms, quantiles and differences with intervals.

    results = Export("tables")              # photonsim export RESULTS --csv tables
    results = ResultsFile("results.sqlite") # or the file itself

Both have the same estimates; Export has all tables. A *point* is one configuration of a study, whatever the seed; its
runs are replications.
Estimates follow the program (analysis/statistics): a quantile is that of the merged latencies, with an interval over
replications; other figures are means with Student's interval. A sample that is too small has no interval.
Needs pandas and numpy; matplotlib for figures.
"""
import math
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

CONFIDENCE = 0.95
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999, "p9999": 0.9999}
BEYOND_QUANTILE_MIN = 10  # observations beyond a quantile, below which a sample says nothing about it
STAGES = ["shipping", "scan", "lookup", "dispatch", "event_store", "register", "output"]
PLACE = ["run", "scenario", "seed"]


@dataclass(frozen=True)
class Estimate:
    """A value with its interval; without one (nan), `shortage` says what there was too little of."""

    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    shortage: str = ""

    @property
    def half_width(self):
        return (self.high - self.low) / 2


class Histogram:
    """Latencies of one run or of several, in nanoseconds; exact to a bucket of 1 to 2 %."""

    def __init__(self, low, high, count, least=None, greatest=None):
        order = np.argsort(low)
        self.low = np.asarray(low, dtype=np.int64)[order]
        self.high = np.asarray(high, dtype=np.int64)[order]
        self.counts = np.asarray(count, dtype=np.int64)[order]
        # The exact extremes narrow the first and the last bucket.
        self.least = self.low[0] if least is None else least
        self.greatest = self.high[-1] if greatest is None else greatest

    @property
    def count(self):
        return int(self.counts.sum())

    def _bucket(self, fraction):
        rank = min(max(math.ceil(fraction * self.count), 1), self.count)
        below = np.cumsum(self.counts)
        return rank, int(np.searchsorted(below, rank)), below

    def quantile(self, fraction):
        """In seconds, interpolated inside its bucket."""
        rank, place, below = self._bucket(fraction)
        low = max(int(self.low[place]), int(self.least))
        high = min(int(self.high[place]), int(self.greatest))
        inside = int(self.counts[place])
        return (low + (high - low) * (rank - (int(below[place]) - inside) - 0.5) / inside) / 1e9

    def count_up_to(self, bucket_high):
        """Latencies in the buckets that end at `bucket_high` nanoseconds or before."""
        return int(self.counts[self.high <= bucket_high].sum())

    def bucket_end(self, fraction):
        """The end of the quantile's bucket, in nanoseconds."""
        return int(self.high[self._bucket(fraction)[1]])

    def tail(self):
        """Data frame: for each bucket its end in seconds and the share of latencies beyond it."""
        beyond = 1 - np.cumsum(self.counts) / self.count
        return pd.DataFrame({"seconds": self.high / 1e9, "beyond": beyond})


def merged(histograms):
    """One histogram of all latencies."""
    histograms = list(histograms)
    frame = pd.concat([pd.DataFrame({"low": each.low, "high": each.high, "count": each.counts}) for each in histograms])
    total = frame.groupby(["low", "high"], as_index=False)["count"].sum()
    return Histogram(total["low"], total["high"], total["count"], min(each.least for each in histograms),
                     max(each.greatest for each in histograms))


def student_factor(n, confidence=CONFIDENCE):
    """Two-sided, of the mean of n observations: n - 1 degrees of freedom."""
    degrees = n - 1
    wanted = 1 - confidence  # in both tails

    def tails(t):
        return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))

    low, high = 0.0, 1e7
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if tails(middle) > wanted else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a, b, x):
    """Regularised, by Lentz's continued fraction (Numerical Recipes, section 6.4)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), 1e-300)
    fraction = d
    for m in range(1, 1000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def mean(values, confidence=CONFIDENCE):
    """The mean of independent values with Student's interval."""
    values = np.asarray(values, dtype=float)
    n = len(values)
    if n < 2:
        return Estimate(float(values.mean()), n=n, shortage="replications")
    half = student_factor(n, confidence) * values.std(ddof=1) / math.sqrt(n)
    return Estimate(float(values.mean()), float(values.mean() - half), float(values.mean() + half), n)


def too_small(n, fraction):
    """Fewer than ten observations are expected beyond the quantile."""
    return n < math.ceil(BEYOND_QUANTILE_MIN / min(fraction, 1 - fraction) * (1 - 1e-9))


def _log_odds(p):
    return math.log(p) - math.log1p(-p)


def rate(events, trials, confidence=CONFIDENCE):
    """Events per trial over clusters, such as lost clicks over runs; interval on the scale of log odds."""
    events, trials = np.asarray(events, dtype=float), np.asarray(trials, dtype=float)
    events, trials = events[trials > 0], trials[trials > 0]
    k = len(events)
    if k == 0:
        return Estimate(0.0, shortage="replications")
    value = float(events.sum() / trials.sum())
    rule_of_three = -math.expm1(math.log1p(-confidence) / k)
    if value in (0.0, 1.0):
        return Estimate(value, max(0.0, value - rule_of_three), min(1.0, value + rule_of_three), k)
    if k < 2:
        return Estimate(value, n=k, shortage="replications")
    if (events > 0).sum() < 5 or (events < trials).sum() < 5:
        return Estimate(value, n=k, shortage="clusters")
    error = math.sqrt(k / (k - 1) * ((events - value * trials) ** 2).sum()) / trials.sum()
    half = student_factor(k, confidence) * error / (value * (1 - value))
    low, high = (1 / (1 + math.exp(-(_log_odds(value) + sign * half))) for sign in (-1, 1))
    return Estimate(value, low, high, k)


def _spread(value, sections, without):
    """The jackknife's centre, and the larger of the two standard errors."""
    k = len(sections)
    pseudo = k * value - (k - 1) * np.asarray(without)
    around = ((np.asarray(sections) - value) ** 2).sum() / (k - 1)
    return pseudo.mean(), math.sqrt(max(around, pseudo.var(ddof=1)) / k)


def _without_one(histograms, fraction):
    return [merged(histograms[:i] + histograms[i + 1:]).quantile(fraction) for i in range(len(histograms))]


def quantile(histograms, fraction, confidence=CONFIDENCE):
    """The quantile of all latencies together, with an interval over the replications."""
    histograms = list(histograms)
    n = len(histograms)
    everything = merged(histograms)
    value = everything.quantile(fraction)
    if n < 2:
        return Estimate(value, n=n, shortage="replications")
    if any(too_small(each.count, fraction) for each in histograms):
        return _by_inversion(histograms, everything, fraction, confidence)
    sections = np.array([each.quantile(fraction) for each in histograms])
    without = np.array(_without_one(histograms, fraction))
    log = value > 0 and (sections > 0).all() and (without > 0).all()
    scale, back = (np.log, np.exp) if log else (lambda each: each, lambda each: each)
    centre = float(scale(value))
    jackknife, error = _spread(centre, scale(sections), scale(without))
    half = student_factor(n, confidence) * error
    return Estimate(value, float(back(min(centre, jackknife) - half)), float(back(max(centre, jackknife) + half)), n)


def _by_inversion(histograms, everything, fraction, confidence):
    """From the interval of the share of latencies beyond the quantile."""
    value, n = everything.quantile(fraction), len(histograms)
    if too_small(everything.count, fraction):
        return Estimate(value, n=n, shortage="observations")
    end = everything.bucket_end(fraction)
    share = rate([each.count - each.count_up_to(end) for each in histograms], [each.count for each in histograms],
                 confidence)
    # A share that may be zero, or one, bounds no quantile.
    if math.isnan(share.low) or share.low <= 0 or share.high >= 1:
        return Estimate(value, n=n, shortage="observations")
    half = (_log_odds(share.high) - _log_odds(share.low)) / 2
    low, high = (1 / (1 + math.exp(-(_log_odds(fraction) + sign * half))) for sign in (-1, 1))
    if everything.count * min(low, 1 - high) < 1:
        return Estimate(value, n=n, shortage="observations")
    return Estimate(value, everything.quantile(low), everything.quantile(high), n)


class Results:
    """Tables of a results file; `table(name)` is a data frame with run, scenario, seed and parameters first."""

    def table(self, name):
        raise NotImplementedError

    def __init__(self):
        self._histograms = {}
        self.runs = self.table("runs").set_index("run")
        columns = list(self.runs.columns)
        self.parameters = columns[columns.index("seed") + 1:columns.index("verdict")]
        long = self.table("metrics")
        self.units = dict(zip(long["metric"], long["unit"]))
        # A row for each run, a column for each metric.
        self.metrics = long.pivot(index="run", columns="metric", values="value").reindex(self.runs.index)
        keys = self.runs[["study", "scenario", *self.parameters]].fillna("").astype(str)
        self.runs["point"] = keys.groupby(list(keys.columns), sort=False).ngroup()

    def counts(self, run):
        """Whether a run counts: it is complete and without a failure, or fails only because it cannot keep up."""
        row = self.runs.loc[run]
        overloaded = self.metrics.get("capacity.stationary", pd.Series(dtype=float)).get(run, 1) == 0
        return row["ending"] == "complete" and (row["exit_code"] == 0 or (overloaded and row["exit_code"] == 4))

    def points(self):
        """A row for each configuration: its label, parameters, replications and whether it keeps up."""
        rows = []
        for point, runs in self.runs.groupby("point"):
            known = self.metrics.reindex(self.runs_of(point)).get("capacity.stationary", pd.Series(dtype=float))
            rows.append({"point": point, "label": self.label(point), "scenario": runs["scenario"].iloc[0],
                         **{name: number(runs[name].iloc[0]) for name in self.parameters},
                         "runs": len(runs), "failed": int(sum(not self.counts(run) for run in runs.index)),
                         "keeps_up": False if (known == 0).any() else True if known.notna().any() and
                         known.notna().all() else None,
                         "bound_by": next((each for each in runs["bound_by"].fillna("") if each), "")})
        return pd.DataFrame(rows).set_index("point")

    def label(self, point):
        """What tells a point from the others: its scenario or label in the study, otherwise its parameters."""
        first = self.runs[self.runs["point"] == point].iloc[0]
        if self.runs["scenario"].nunique() == self.runs["point"].nunique():
            # "shards=1" of a study's "registry.shards=1".
            return ", ".join(part.split("=")[0].rsplit(".", 1)[-1] + part[part.find("="):] if "=" in part else part
                             for part in first["scenario"].split(", "))
        parts = [f"{name.rsplit('.', 1)[-1]}={first[name]}" for name in self.parameters if not pd.isna(first[name])]
        return ", ".join(parts) or first["scenario"]

    def sound_points(self):
        """Points that keep up, as far as is known, and have a run that counts."""
        points = self.points()
        return [point for point in points.index[points["keeps_up"].ne(False)] if self.runs_of(point)]

    def runs_of(self, point):
        """Numbers of the runs of a point that count, in the order of the file."""
        return [run for run in self.runs.index[self.runs["point"] == point] if self.counts(run)]

    def _by_seed(self, point):
        runs = {}
        for run in self.runs_of(point):
            runs.setdefault(self.runs.loc[run, "seed"], run)
        return runs

    def histograms(self, latency):
        """Of each run that has that latency ("latency_own", "stages.lookup"): run -> Histogram."""
        if latency not in self._histograms:
            rows = self.table("histograms")
            rows = rows[rows["latency"] == latency]
            extremes = self.metrics.get([f"{latency}.min", f"{latency}.max"])

            def of(run, part):
                least, greatest = (None, None)
                if extremes is not None and not extremes.loc[run].isna().any():
                    least, greatest = (round(each * 1e9) for each in extremes.loc[run])
                return Histogram(part["low_ns"], part["high_ns"], part["count"], least, greatest)

            self._histograms[latency] = {run: of(run, part) for run, part in rows.groupby("run")}
        return self._histograms[latency]

    def estimate(self, point, metric, confidence=CONFIDENCE):
        """The figure of a point with its interval; None where a run lacks it. Knows the names of reports too."""
        metric = stored_name(metric)
        runs = self.runs_of(point)
        if not runs or metric not in self.metrics or self.metrics.loc[runs, metric].isna().any():
            return None
        found = self._estimate(runs, metric, confidence)
        low = found.low if (self.metrics.loc[runs, metric] < 0).any() else max(found.low, 0.0)
        return replace(found, low=low) if not math.isnan(found.low) else found

    def _estimate(self, runs, metric, confidence):
        values = self.metrics.loc[runs, metric]
        group, _, last = metric.rpartition(".")
        if last in QUANTILES:
            histograms = self.histograms(group)
            if all(run in histograms for run in runs):
                return quantile([histograms[run] for run in runs], QUANTILES[last], confidence)
        if metric == "loss_rate":
            return rate(self.metrics.loc[runs, "lost"], self.metrics.loc[runs, "joinable"], confidence)
        if self.units[metric] == "count" and (values == 0).all() and len(runs) > 1:
            return Estimate(0.0, n=len(runs), shortage="no event")
        return mean(values, confidence)

    def estimates(self, metrics):
        """A row for each point and metric: value, low, high, n, shortage."""
        rows = []
        for point, row in self.points().iterrows():
            for metric in metrics:
                found = self.estimate(point, metric)
                if found is not None:
                    rows.append({"point": point, "label": row["label"],
                                 **{name: row[name] for name in self.parameters}, "metric": metric,
                                 "value": found.value, "low": found.low, "high": found.high, "n": found.n,
                                 "shortage": found.shortage})
        columns = ["point", "label", *self.parameters, "metric", "value", "low", "high", "n", "shortage"]
        return pd.DataFrame(rows, columns=columns)

    def difference(self, point, other, metric, confidence=CONFIDENCE):
        """point - other over the seeds that both have; None where there is none, or a run lacks the figure."""
        metric = stored_name(metric)
        if metric not in self.metrics:
            return None
        mine, theirs = (self._by_seed(each) for each in (point, other))
        seeds = sorted((seed for seed in mine if seed in theirs), key=int)
        first, second = ([runs[seed] for seed in seeds] for runs in (mine, theirs))
        left, right = (self.metrics.loc[runs, metric].to_numpy() for runs in (first, second))
        if not seeds or np.isnan(left).any() or np.isnan(right).any():
            return None
        group, _, last = metric.rpartition(".")
        if last in QUANTILES and all(run in self.histograms(group) for run in first + second):
            return self._quantile_difference(first, second, group, QUANTILES[last], confidence)
        if (left == 0).all() and (right == 0).all() and (self.units[metric] == "count" or metric == "loss_rate"):
            return Estimate(0.0, n=len(seeds), shortage="no event")
        return mean(left - right, confidence)

    def _quantile_difference(self, first, second, latency, fraction, confidence):
        one, two = ([self.histograms(latency)[run] for run in runs] for runs in (first, second))
        value = merged(one).quantile(fraction) - merged(two).quantile(fraction)
        n = len(one)
        if n < 2:
            return Estimate(value, n=n, shortage="replications")
        if any(too_small(each.count, fraction) for each in one + two):
            return Estimate(value, n=n, shortage="observations")
        sections = np.array([a.quantile(fraction) - b.quantile(fraction) for a, b in zip(one, two)])
        without = np.array(_without_one(one, fraction)) - np.array(_without_one(two, fraction))
        jackknife, error = _spread(value, sections, without)
        half = student_factor(n, confidence) * error
        return Estimate(value, float(min(value, jackknife) - half), float(max(value, jackknife) + half), n)


class Export(Results):
    """The folder that `photonsim export RESULTS --csv FOLDER` wrote."""

    def __init__(self, folder):
        self.folder = Path(folder)
        if not (self.folder / "runs.csv").is_file():
            raise FileNotFoundError(f"{self.folder} holds no runs.csv: photonsim export RESULTS --csv {self.folder}")
        words = pd.read_csv(self.folder / "data_dictionary.csv", dtype=str, keep_default_na=False)
        self._types = {(row.file, row.column): row.type for row in words.itertuples() if row.type}
        super().__init__()

    def table(self, name):
        # Everything as text, then what the dictionary calls a number: a label such as "01" stays one.
        frame = pd.read_csv(self.folder / f"{name}.csv", dtype=str, keep_default_na=False, na_values=[""])
        for column in frame.columns:
            if self._types.get((f"{name}.csv", column)) in ("integer", "number"):
                frame[column] = pd.to_numeric(frame[column].map(float, na_action="ignore"), downcast="integer")
        return frame

    def dictionary(self):
        """What every column means."""
        return self.table("data_dictionary").fillna("")


class ResultsFile(Results):
    """A results file of `run --out`, `sweep --out` or `fuzz --out`, read only."""

    # Of the tables that estimates need: docs/results_schema.md has them all, for pandas.read_sql of `database`.
    TABLES = {
        "metrics": "SELECT run, name AS metric, unit, value FROM metric "
                   "UNION ALL SELECT run, kind || '.' || name, 'count', count FROM coverage",
        "histograms": "SELECT run, name AS latency, low_ns, high_ns, count FROM histogram_bucket",
    }

    def __init__(self, file):
        if not Path(file).is_file():
            raise FileNotFoundError(f"{file}: there is no such file")
        self.database = sqlite3.connect(f"{Path(file).resolve().as_uri()}?mode=ro", uri=True)
        super().__init__()

    def table(self, name):
        if name == "runs":
            return self._runs()
        return pd.read_sql(self.TABLES[name], self.database)

    def _runs(self):
        runs = pd.read_sql("SELECT run.id AS run, study, point AS point_row, scenario, run.* FROM run "
                           "JOIN point ON point.id = run.point ORDER BY study, run.number", self.database)
        runs = runs.drop(columns=["id", "point", "seal", "key"])
        wide = pd.read_sql("SELECT point, name, value FROM parameter", self.database)
        wide = wide.pivot(index="point", columns="name", values="value").reindex(runs["point_row"].unique())
        # Those in which points of this file differ.
        wide = wide[[name for name in sorted(wide.columns) if wide[name].nunique(dropna=False) > 1]]
        head = runs[["run", "study", "scenario", "seed"]].join(wide, on=runs["point_row"])
        rest = runs.drop(columns=["study", "scenario", "seed", "point_row", "verdict", "number", "run"])
        return pd.concat([head, runs[["verdict"]], rest], axis=1)


SPOKEN = {"latency.total.": "latency_seconds.", "latency.own.": "latency_own.", "latency.insert.":
          "load.insert_latency.", "latency.look_up.": "load.lookup_latency.", "latency.commit.":
          "registry.commit_latency.", "latency.registry_insert.": "registry.insert_latency.",
          "latency.slowest.": "slowest.",
          **{f"latency.{stage}.": f"stages.{stage}." for stage in STAGES}}


def stored_name(metric):
    """The name in tables of a name in reports: "latency_own.p99" of "latency.own.p99"."""
    return next((to + metric[len(of):] for of, to in SPOKEN.items() if metric.startswith(of)), metric)


def number(text):
    """A parameter's value as a number in its base unit, or the text: 12, "5ms", "10%", "64KiB", "1500/s"."""
    if not isinstance(text, str):
        return text
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "%": 0.01, "ppm": 1e-6,
             "B": 1, "KiB": 1024, "MiB": 1024 ** 2, "GiB": 1024 ** 3, "/s": 1, "": 1}
    plain = text.strip().replace("_", "")
    digits = len(plain)
    while digits > 0 and not (plain[digits - 1].isdigit() or plain[digits - 1] == "."):
        digits -= 1
    try:
        return float(plain[:digits]) * units[plain[digits:].strip()]
    except (ValueError, KeyError):
        return text


def seconds(value):
    """"81.0 ms": as reports spell times."""
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (1, 1e3, "ms"), (600, 1, "s")):
        if abs(value) < limit:
            return f"{value * factor:.3g} {unit}"
    return f"{value / 60:.3g} min"


def use_style():
    """Figures of matplotlib in the colours of the report."""
    import matplotlib.pyplot as plt
    plt.rcParams.update({
        "figure.figsize": (9, 4.2), "figure.dpi": 110, "axes.spines.top": False, "axes.spines.right": False,
        "axes.grid": True, "grid.color": "#e3e3de", "axes.edgecolor": "#c9c9c2", "axes.labelcolor": "#565b64",
        "xtick.color": "#565b64", "ytick.color": "#565b64", "text.color": "#191b1f", "legend.frameon": False,
        "axes.axisbelow": True, "lines.linewidth": 1.8, "axes.titlesize": 11, "axes.titlelocation": "left"})
    colours = ["#1d6cb0", "#0b8467", "#c9761a", "#7a5bb5", "#b0447a", "#6f7680", "#7d7a1e", "#c2261d"]
    plt.rcParams["axes.prop_cycle"] = plt.cycler(color=colours)
    return colours


def time_axis(axis):
    """Ticks of an axis in seconds as times: 5 ms, 2 s."""
    from matplotlib.ticker import FuncFormatter
    axis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value) if value > 0 else "0"))
    axis.set_minor_formatter(FuncFormatter(lambda value, _: ""))


def interval_bars(plot, rows, colour=None):
    """Points with intervals, one below the other; a hollow point has none. `rows`: of Results.estimates."""
    places = np.arange(len(rows))[::-1]
    values = rows["value"].to_numpy()
    known = rows["low"].notna().to_numpy()
    errors = np.array([values - rows["low"].fillna(rows["value"]), rows["high"].fillna(rows["value"]) - values])
    plot.errorbar(values[known], places[known], xerr=errors[:, known], fmt="o", capsize=3, color=colour)
    plot.plot(values[~known], places[~known], "o", mfc="none", color=colour)
    plot.set_yticks(places, [short(label) for label in rows["label"]])


def short(text, most=48):
    """At most that many characters."""
    text = str(text)
    return text if len(text) <= most else text[:most - 1] + "…"
