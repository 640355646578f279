# %% [markdown]
# # Waste
#
# Exactly once costs work beyond one join a click: both pipelines read every click, both may look it up and join it,
# and one of them loses at the registry. These figures count that work, repetitions included.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
waste = [name for name in results.metrics if name.startswith("waste.")]
if not waste:
    print("No clicks in this file: a registry alone wastes no joins.")
estimates = results.estimates(waste)
estimates.pivot_table(index="label", columns="metric", values="value", sort=False) if len(estimates) else estimates
# %% [markdown]
# ## Each figure over the configurations
# %%
for name in waste:
    rows = estimates[estimates["metric"] == name].head(24)
    if rows.empty or rows["value"].max() == 0:
        continue
    figure, plot = plt.subplots(figsize=(9, 1.2 + 0.32 * len(rows)))
    ps.interval_bars(plot, rows, colours[1])
    plot.set_xlim(left=0)
    plot.set_title(name.removeprefix("waste.").replace("_", " "))
    plt.show()
# %% [markdown]
# ## Which pipeline wins
#
# Registrations that the joiners of a pipeline won, and joins that they did for nothing, because another had registered
# the click first. Of runs of `run --out` alone.
# %%
parts = results.table("parts")
parts = parts[(parts["of"] == "pipeline") & parts["name"].isin(["registrations", "wasted_joins"])]
if parts.empty:
    print("No single pipelines in this file: `photonsim run SCENARIO --out FILE` keeps them.")
else:
    table = parts.pivot_table(index="place", columns="name", values="value", aggfunc="sum")
    table.plot.barh(color=[colours[0], colours[2]], figsize=(9, 1.4 + 0.5 * len(table)))
    plt.ylabel("")
    plt.xlabel("clicks")
    plt.show()
    display(table.astype(int))
