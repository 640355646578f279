# %% [markdown]
# # Capacity
#
# Does each configuration keep up, what binds it, and how far is it from its limit? A point that does not keep up has
# no latency: its queue grows for as long as its runs last.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
columns = [name for name in ("capacity.offered_per_second", "capacity.served_per_second", "capacity.closest_saturation",
                             "capacity.backlog_growth_per_second") if name in results.metrics]
if not columns:
    print("No run of this file measured its capacity.")
table = results.metrics[columns].groupby(results.runs["point"]).mean()
table.columns = [name.removeprefix("capacity.") for name in table.columns]
table = points[["label", "keeps_up", "bound_by"]].join(table)
table
# %% [markdown]
# ## Offered and served
#
# On the line a configuration serves what it is offered; below it a backlog grows.
# %%
if "offered_per_second" in table:
    figure, plot = plt.subplots(figsize=(6, 4.6))
    most = max(table["offered_per_second"].max(), table["served_per_second"].max()) * 1.05
    plot.plot([0, most], [0, most], color="#c9c9c2", linewidth=1)
    sound = table["keeps_up"].ne(False)
    plot.plot(table["offered_per_second"][sound], table["served_per_second"][sound], "o", color=colours[0],
              label="keeps up")
    plot.plot(table["offered_per_second"][~sound], table["served_per_second"][~sound], "s", color=colours[7],
              label="does not")
    plot.set_xlabel("offered a second")
    plot.set_ylabel("served a second")
    plot.legend()
    plt.show()
# %% [markdown]
# ## The nearest limit
# %%
if "closest_saturation" in table:
    rows = table.sort_values("closest_saturation").tail(24)
    figure, plot = plt.subplots(figsize=(9, 1.2 + 0.32 * len(rows)))
    plot.barh([ps.short(each) for each in rows["label"]], rows["closest_saturation"], height=0.7,
              color=np.where(rows["keeps_up"].ne(False), colours[0], colours[7]))
    plot.axvline(1, color="#191b1f", linewidth=1)
    plot.set_xlabel("use of the most used limit; 1 is saturated")
    plt.show()
# %% [markdown]
# ## Batches
#
# Group commit: while a transaction commits, the next batch gathers, so batches grow with the load until a limit stops
# them.
# %%
batch = next((name for name in ("load.mean_batch", "registry.mean_batch") if name in results.metrics), None)
if batch and columns:
    figure, plot = plt.subplots(figsize=(7, 4.2))
    for point, colour in zip(points.index[:8], colours):
        runs = results.runs.index[results.runs["point"] == point]
        plot.plot(results.metrics.loc[runs, columns[0]], results.metrics.loc[runs, batch], "o", color=colour,
                  label=ps.short(points.loc[point, "label"], 36))
    plot.set_xlabel("offered a second")
    plot.set_ylabel("operations a transaction")
    plot.legend(fontsize=8)
    plt.show()
# %% [markdown]
# ## Memory of the registry's shards
# %%
parts = results.table("parts")
held = parts[(parts["of"] == "shard") & parts["name"].isin(["ids_held_most", "bytes_held_most", "batch_mean"])]
if held.empty:
    print("No single shards in this file: `photonsim run SCENARIO --out FILE` keeps them.")
else:
    display(held.pivot_table(index=["run", "place"], columns="name", values="value").head(32))
