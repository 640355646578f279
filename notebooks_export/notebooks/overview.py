# %% [markdown]
# # Overview
#
# What the results file holds: its runs, configurations and verdicts, and the figures that people ask for first, each
# with its interval. `photonsim_results.py` lies beside this notebook; `data_dictionary.csv` says what every column
# means.
# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import photonsim_results as ps

colours = ps.use_style()
results = ps.Export("@TABLES@")
points = results.points()
print(f"{len(results.runs)} runs of {len(points)} configurations; parameters that differ: "
      f"{', '.join(results.parameters) or 'none'}")
results.runs["verdict"].value_counts().rename("runs").to_frame()
# %% [markdown]
# ## Configurations
#
# `keeps_up` is False where a backlog grows through the measured window: latencies of such a point depend on how long
# its runs last, and no average mends that. Empty: the window is too short to tell.
# %%
points
# %% [markdown]
# ## Headline figures
#
# A quantile is that of all latencies of a point's runs together. An interval holds the true value with 95 %; where it
# is missing, `shortage` says what there was too little of.
# %%
wanted = ["latency_own.p50", "latency_own.p99", "latency_seconds.p50", "latency_seconds.p99", "load.insert_latency.p50",
          "load.insert_latency.p99", "loss_rate", "registry.mean_batch", "load.mean_batch"]
estimates = results.estimates([name for name in wanted if name in results.metrics])
estimates
# %%
shown = [name for name in ("latency_own.p99", "load.insert_latency.p99") if (estimates["metric"] == name).any()]
for name in shown:
    rows = estimates[estimates["metric"] == name].head(30)
    figure, plot = plt.subplots(figsize=(9, 1.2 + 0.32 * len(rows)))
    ps.interval_bars(plot, rows, colours[0])
    if (rows["value"] > 0).all():
        plot.set_xscale("log")
    ps.time_axis(plot.xaxis)
    plot.set_title(f"{name} with 95 % intervals" + (", first 30 configurations" if len(points) > 30 else ""))
    plt.show()
# %% [markdown]
# ## What was checked
#
# How often each oracle had something to check, over all runs. An oracle that checked nothing says nothing.
# %%
checks = results.metrics.filter(like="obligation.").sum().sort_values(ascending=False)
checks.index = [name.removeprefix("obligation.") for name in checks.index]
checks.rename("checks").astype(int).to_frame().T
# %% [markdown]
# ## What failed
# %%
failed = results.runs[results.runs["exit_code"] != 0]
if failed.empty:
    print("No run failed.")
failed[["scenario", "seed", "verdict", "what", "replay"]].head(20)
