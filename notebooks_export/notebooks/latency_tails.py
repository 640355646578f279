# %% [markdown]
# # Latency tails
#
# Percentiles on an axis of nines: each step to the right is ten times rarer. A curve ends where fewer than ten
# latencies lie beyond: what comes after is the luck of a few clicks. Histograms of runs are added up; percentiles are
# never averaged.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_charts as charts
import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
available = [name for name in ("latency_own", "latency_seconds", "load.insert_latency", "load.lookup_latency")
             if f"{name}.p50" in results.metrics]
print("latencies in this file:", ", ".join(available) or "none: the runs of a generated campaign have no common ones")
# %%
NINES = np.arange(0.3, 5.01, 0.1)


def curve(point, latency):
    """Quantiles of a point at NINES as far as its sample reaches; None without latencies."""
    histograms = [each for run, each in results.histograms(latency).items() if run in results.runs_of(point)]
    if not histograms:
        return None
    rows = []
    total = sum(each.count for each in histograms)
    for nines in NINES:
        fraction = 1 - 10 ** -nines
        if ps.too_small(total, fraction):
            break
        found = ps.quantile(histograms, fraction)
        rows.append((nines, found.value, found.low, found.high))
    return np.array(rows) if rows else None


drawn = []
for latency in available:
    figure, plot = plt.subplots()
    for point, colour in zip(points.index[:6], colours):
        rows = curve(point, latency)
        if rows is None:
            continue
        if latency == available[0]:
            drawn += [{"series": points.loc[point, "label"], "nines": nines, "seconds": value, "low": low, "high": high,
                       "enough": True, "label": f"p{100 * (1 - 10 ** -nines):.{max(1, int(nines) - 1)}f}"}
                      for nines, value, low, high in rows]
        plot.plot(rows[:, 0], rows[:, 1], color=colour, label=ps.short(points.loc[point, "label"]))
        plot.fill_between(rows[:, 0], rows[:, 2], rows[:, 3], color=colour, alpha=0.15, linewidth=0)
    plot.set_yscale("log")
    ps.time_axis(plot.yaxis)
    plot.set_xticks([0.301, 1, 2, 3, 4, 5], ["p50", "p90", "p99", "p99.9", "p99.99", "p99.999"])
    plot.set_title(f"{latency}: percentiles, shaded 95 % intervals" + (", first 6" if len(points) > 6 else ""))
    plot.legend(fontsize=8)
    plt.show()
# %% [markdown]
# The first of them as the report draws it; point at a line for its numbers.
# %%
charts.chart("percentiles", drawn) if drawn else None
# %% [markdown]
# ## Where the time goes
#
# The mean of each stage of a join. Stages add up to the whole latency, means too; percentiles do not.
# %%
stages = pd.DataFrame({stage: results.metrics.get(f"stages.{stage}.mean") for stage in ps.STAGES
                       if f"stages.{stage}.mean" in results.metrics})
if stages.empty:
    print("No clicks were joined in this file.")
else:
    means = stages.groupby(results.runs["point"]).mean().head(20)
    means.index = [ps.short(points.loc[point, "label"]) for point in means.index]
    axes = means.iloc[::-1].plot.barh(stacked=True, figsize=(9, 1.6 + 0.4 * len(means)), color=colours, width=0.7)
    axes.set_xlabel("seconds, mean of a join")
    axes.legend(ncol=4, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1.02))
    plt.show()
# %%
rows = [] if stages.empty else [{"label": label, "clicks": "all clicks", "stage": stage, "order": order, "mean": mean}
                                for label, each in means.iterrows() for order, (stage, mean) in enumerate(each.items())]
charts.chart("stages", rows) if rows else None
# %% [markdown]
# ## The distribution
#
# The share of latencies beyond a time, of all runs of a configuration.
# %%
for latency in available[:2]:
    figure, plot = plt.subplots()
    for point, colour in zip(points.index[:6], colours):
        histograms = [each for run, each in results.histograms(latency).items() if run in results.runs_of(point)]
        if histograms:
            tail = ps.merged(histograms).tail()
            tail = tail[(tail["beyond"] > 0) & (tail["seconds"] > 0)]
            plot.step(tail["seconds"], tail["beyond"], where="post", color=colour,
                      label=ps.short(points.loc[point, "label"]))
    plot.set_xscale("log")
    plot.set_yscale("log")
    ps.time_axis(plot.xaxis)
    plot.set_title(f"{latency}: share of latencies beyond a time")
    plot.legend(fontsize=8)
    plt.show()
