# %% [markdown]
# # Sensitivity and Pareto front
#
# Which parameter matters, whether two of them act together, and which configurations nothing else beats. Made for
# studies (`photonsim sweep`); a file of one configuration has nothing to compare.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_charts as charts
import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
metric = next((name for name in ("latency_own.p99", "load.insert_latency.p99") if name in results.metrics), None)
rows = results.estimates([metric]) if metric else pd.DataFrame()
varied = [name for name in results.parameters if points[name].nunique() > 1]
if len(points) < 2 or not metric:
    print("One configuration, or no latency: nothing to compare.")
print("parameters:", ", ".join(varied) or "none", "| figure:", metric)
# %% [markdown]
# ## Main effects
#
# The mean over all configurations with one value of a parameter. Only configurations that keep up count; a value where
# none does is missing.
# %%
usable = rows[rows["point"].isin(results.sound_points())] if len(rows) else rows
effects = []
for name in varied[:6] if len(usable) else []:
    means = usable.groupby(usable[name].map(str), sort=False)["value"].mean()
    means = means.loc[sorted(means.index, key=lambda each: (isinstance(ps.number(each), str), ps.number(each)))]
    effects.append((name, means))
if effects:
    figure, plots = plt.subplots(1, len(effects), figsize=(3.2 * len(effects), 3.4), sharey=True, squeeze=False)
    for plot, (name, means), colour in zip(plots[0], effects, colours):
        plot.plot(range(len(means)), means.to_numpy(), "o-", color=colour)
        plot.set_xticks(range(len(means)), [ps.short(each, 12) for each in means.index], rotation=30, ha="right")
        plot.set_xlabel(name.rsplit(".", 1)[-1])
    plots[0, 0].set_ylabel(metric)
    ps.time_axis(plots[0, 0].yaxis)
    figure.tight_layout()
    plt.show()
# %% [markdown]
# The share of the variance between configurations that one parameter explains alone, and more together with others
# (Sobol's indices of the grid: each value as likely as any other). They need a full grid that keeps up.
# %%
# Parameters that only follow another one are left out.
free = [name for i, name in enumerate(varied)
        if not any(points.groupby(other)[name].nunique().max() == 1 for other in varied[:i])]
cells = int(np.prod([points[name].nunique() for name in free])) if free else 0
whole = usable["value"].var(ddof=0) if len(usable) else 0
shares = []
if len(free) >= 2 and whole > 0 and len(usable) == len(points) == cells:
    for name in free:
        others = [usable[other].map(str) for other in free if other != name]
        alone = usable.groupby(usable[name].map(str))["value"].mean().var(ddof=0) / whole
        in_all = usable.groupby(others)["value"].var(ddof=0).mean() / whole
        shares.append({"parameter": name, "first": alone, "total": in_all})
    shares.sort(key=lambda each: -each["total"])
    display(pd.DataFrame(shares))
else:
    print("Two parameters or more that do not vary independently over a full grid, or a configuration that cannot keep "
          "up: no shares.")
# %%
bars = [{**each, "part": part, "share": share} for each in shares
        for part, share in (("alone", each["first"]), ("with others", max(0, each["total"] - each["first"])))]
charts.chart("sensitivity", bars) if bars else None
# %% [markdown]
# ## Two parameters together
# %%
if len(varied) >= 2 and len(usable):
    by_effect = sorted(effects, key=lambda each: -each[1].max() + each[1].min())[:2]
    one, two = by_effect[0][0], by_effect[1][0]
    grid = usable.pivot_table(index=one, columns=two, values="value", aggfunc="mean")
    figure, plot = plt.subplots(figsize=(1.6 + 1.5 * len(grid.columns), 1.2 + 0.7 * len(grid)))
    image = plot.imshow(np.log10(grid.to_numpy(dtype=float)), cmap="Blues", aspect="auto", alpha=0.5)
    for i in range(len(grid)):
        for j in range(len(grid.columns)):
            value = grid.iloc[i, j]
            plot.text(j, i, "-" if np.isnan(value) else ps.seconds(value), ha="center", va="center", color="#c2261d"
                      if np.isnan(value) else "#191b1f")
    plot.set_xticks(range(len(grid.columns)), grid.columns)
    plot.set_yticks(range(len(grid)), grid.index)
    plot.set_xlabel(two)
    plot.set_ylabel(one)
    plot.grid(False)
    plot.set_title(metric)
    plt.show()
# %% [markdown]
# ## Pareto front
#
# What a lower latency costs: a configuration stands on the front when no other is better in both.
# %%
cost = next((name for name in ("registry.transactions", "waste.registry_lookups_per_click") if name in results.metrics),
            None)
if metric and cost and len(usable) > 1:
    other = results.estimates([cost]).set_index("point")["value"]
    front = usable.set_index("point")["value"].to_frame("latency").join(other.rename("cost")).dropna()
    best = [point for point, row in front.iterrows()
            if not ((front["latency"] <= row["latency"]) & (front["cost"] <= row["cost"])
                    & ((front["latency"] < row["latency"]) | (front["cost"] < row["cost"]))).any()]
    figure, plot = plt.subplots(figsize=(8, 4.4))
    plot.plot(front["cost"], front["latency"], "o", color="#c9c9c2")
    line = front.loc[best].sort_values("cost")
    plot.plot(line["cost"], line["latency"], "o-", color=colours[0])
    for point, row in line.head(8).iterrows():
        plot.annotate(ps.short(points.loc[point, "label"], 34), (row["cost"], row["latency"]), xytext=(6, 4),
                      textcoords="offset points", fontsize=8)
    if front["latency"].max() > 20 * front["latency"].min():
        plot.set_yscale("log")
    ps.time_axis(plot.yaxis)
    plot.set_xlabel(cost)
    plot.set_ylabel(metric)
    plt.show()
