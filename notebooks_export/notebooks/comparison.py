# %% [markdown]
# # Comparison
#
# Every configuration beside the first one that keeps up, seed by seed: runs with the same seed see the same clicks and
# faults, so what both share cancels, and small differences show in few runs.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_charts as charts
import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
sound = results.sound_points()
first = sound[0] if sound else None
if len(sound) < 2:
    print("Fewer than two configurations keep up: nothing to compare.")
else:
    print("beside:", points.loc[first, "label"])
# %%
wanted = [name for name in ("latency_own.p50", "latency_own.p99", "load.insert_latency.p50", "load.insert_latency.p99",
                            "waste.wasted_joins_per_joined", "registry.mean_batch") if name in results.metrics]
rows = []
for point in sound[1:]:
    for metric in wanted:
        change = results.difference(point, first, metric)
        if change is not None:
            rows.append({"point": point, "label": points.loc[point, "label"], "metric": metric, "value": change.value,
                         "low": change.low, "high": change.high, "pairs": change.n,
                         "clear": bool(change.low > 0 or change.high < 0)})
changes = pd.DataFrame(rows, columns=["point", "label", "metric", "value", "low", "high", "pairs", "clear"])
changes
# %% [markdown]
# ## Forest plot
#
# An interval that does not reach zero is a clear difference. Those of many figures and points are not all to be
# believed: one in twenty misses by chance.
# %%
for metric in wanted:
    mine = changes[changes["metric"] == metric].head(24)
    if mine.empty or (mine["value"] == 0).all():
        continue
    figure, plot = plt.subplots(figsize=(9, 1.2 + 0.32 * len(mine)))
    ps.interval_bars(plot, mine, colours[0])
    plot.axvline(0, color="#191b1f", linewidth=1)
    plot.set_title(f"{metric}: difference to the first configuration" + (", seconds" if "latency" in metric else ""))
    plt.show()
# %% [markdown]
# The first of them as the report draws it.
# %%
shown = next((mine for metric in wanted if not (mine := changes[changes["metric"] == metric]).empty), None)
charts.chart("differences", shown.assign(n=shown["pairs"]).head(40).to_dict("records")) if shown is not None else None
# %% [markdown]
# ## What common seeds bought
#
# How many times smaller the variance of a difference is than with independent seeds. Below 1 they do harm.
# %%
bought = []
for point in sound[1:]:
    mine, theirs = ({results.runs.loc[run, "seed"]: run for run in results.runs_of(each)} for each in (point, first))
    seeds = [seed for seed in mine if seed in theirs]
    for metric in wanted:
        left = results.metrics.loc[[mine[seed] for seed in seeds], metric].to_numpy()
        right = results.metrics.loc[[theirs[seed] for seed in seeds], metric].to_numpy()
        if len(seeds) > 2 and (left - right).var(ddof=1) > 0:
            bought.append({"label": points.loc[point, "label"], "metric": metric, "seeds": len(seeds),
                           "ratio": (left.var(ddof=1) + right.var(ddof=1)) / (left - right).var(ddof=1)})
pd.DataFrame(bought, columns=["label", "metric", "seeds", "ratio"])
