# %% [markdown]
# # Outages and other faults
#
# What each fault cost the clicks of its time, how pipelines took over from each other, and when the backlog was gone.
# Time series and faults are kept of runs of `run --out`.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_charts as charts
import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
series = results.table("series")
faults = results.table("faults")
latencies = results.table("fault_latencies")
if series.empty:
    print("No time series in this file: `photonsim run SCENARIO --out FILE` keeps them.")
print(f"{len(faults)} faults, of which {int(faults['effective'].sum()) if len(faults) else 0} changed their run")
faults[["run", "fault", "description", "at_seconds", "effective"]].head(20)
# %% [markdown]
# ## Over time
#
# Joins, waiting clicks and the p90 of the own share in each interval, one line a pipeline. Vertical lines: faults that
# changed the run.
# %%
for run in sorted(series["run"].unique())[:3]:
    mine = series[series["run"] == run]
    names = [name for name in ("joins", "backlog", "own_p90") if (mine["name"] == name).any()]
    if not names:
        names = [name for name in ("offered", "served") if (mine["name"] == name).any()]
    figure, plots = plt.subplots(len(names), 1, sharex=True, figsize=(9, 2.1 * len(names)), squeeze=False)
    for plot, name in zip(plots[:, 0], names):
        for (place, rows), colour in zip(mine[mine["name"] == name].groupby("place", dropna=False), colours):
            label = place if isinstance(place, str) else "all"
            plot.step(rows["until_seconds"], rows["value"], where="pre", color=colour, label=label, linewidth=1.3)
        for at in faults[(faults["run"] == run) & (faults["effective"] == 1)]["at_seconds"].head(60):
            plot.axvline(at, color=colours[2], alpha=0.35, linewidth=0.8)
        plot.set_ylabel(name)
        if name.startswith("own"):
            ps.time_axis(plot.yaxis)
    plots[0, 0].legend(fontsize=8, ncol=4)
    plots[0, 0].set_title(f"run {run}: {results.runs.loc[run, 'scenario']}, seed {results.runs.loc[run, 'seed']}")
    plots[-1, 0].set_xlabel("seconds since the start")
    plt.show()
# %% [markdown]
# ## What faults cost
#
# The extra own share of all clicks generated during and after a fault together, in seconds: beside the same seed without
# faults where that was run (`run --baseline`), otherwise beside the clicks before it.
# %%
own = latencies[latencies["latency"] == "own"]
if own.empty:
    print("No fault with latencies around it.")
else:
    table = own.pivot_table(index=["run", "fault"], columns="period", values=["mean", "count", "p99"])
    periods = ["before", "during", "after", "during_without_faults", "after_without_faults"]
    table = table.reindex(columns=pd.MultiIndex.from_product([["mean", "count", "p99"], periods]))
    before = table[("mean", "before")]
    known = table[("count", "after_without_faults")].notna()  # the run has a baseline
    cost = sum(((table[("mean", period)] - table[("mean", f"{period}_without_faults")].where(known, before))
                * table[("count", period)]).fillna(0) for period in ("during", "after"))
    worst = cost.sort_values(ascending=False).head(12).rename("extra_seconds")
    names = faults.set_index(["run", "fault"])["description"]
    shown = worst.to_frame().join(names).join(table["p99"])
    display(shown)
    figure, plot = plt.subplots(figsize=(9, 1.2 + 0.34 * len(shown)))
    places = np.arange(len(shown))[::-1]
    for period, colour in zip(("before", "during", "after"), (colours[5], colours[2], colours[0])):
        plot.plot(shown[period], places, "o", color=colour, label=period)
    plot.set_yticks(places, [ps.short(each) for each in shown["description"]])
    plot.set_xscale("log")
    ps.time_axis(plot.xaxis)
    plot.set_title("p99 of the own share around the dearest faults")
    plot.legend(fontsize=8, ncol=3)
    plt.show()
# %% [markdown]
# The same as the report draws it.
# %%
rows = [] if own.empty else [{"fault": ps.short(each["description"]), "period": period, "p99": each[period]}
                             for _, each in shown.iterrows() for period in ("before", "during", "after")]
charts.chart("fault-latency", [each for each in rows if each["p99"] > 0]) if rows else None
# %% [markdown]
# ## Lost clicks
#
# Each lost click stands in one class, with its evidence.
# %%
losses = results.metrics.filter(regex=r"^lost\.").sum().astype(int)
print(losses[losses > 0].to_string() if losses.sum() else "No click was lost.")
results.table("losses").head(10)
