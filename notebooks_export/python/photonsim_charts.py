"""The report's own charts in a notebook: its Vega-Lite specifications, drawn by Altair (Debian: python3-altair).

`photonsim_charts.json` beside this file holds them, as the report's page has them. JupyterLab and VS Code draw what
`chart` returns without a network.
"""
import json
import math
from pathlib import Path

SPECIFICATIONS = json.loads(Path(__file__).with_name("photonsim_charts.json").read_text(encoding="utf-8"))
# Of the report on white paper.
COLOURS = {"registry": "#1d6cb0", "pipeline": "#0b8467", "fault": "#c9761a", "environment": "#6f7680",
           "violation": "#c2261d", "ink": "#191b1f", "ink-soft": "#565b64", "ink-faint": "#8b909a"}
CATEGORIES = ["#1d6cb0", "#0b8467", "#c9761a", "#7a5bb5", "#b0447a", "#6f7680", "#7d7a1e", "#c2261d"]


def _filled(part):
    """In a specification "@registry" stands for a colour, "@seconds" for an axis with times."""
    if isinstance(part, dict):
        return {name: _filled(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_filled(each) for each in part]
    if isinstance(part, str) and part.startswith("@"):
        return SPECIFICATIONS["axes"].get(part[1:]) or COLOURS[part[1:]]
    return part


def _plain(value):
    """What JSON can hold."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def names():
    """The charts that there are."""
    return list(SPECIFICATIONS["charts"])


def specification(name, rows, width=620):
    """Vega-Lite as a dictionary: the chart `name` over `rows`, dictionaries with the columns that it names."""
    values = [{column: _plain(value) for column, value in row.items()} for row in rows]
    return {"$schema": "https://vega.github.io/schema/vega-lite/v4.17.0.json", "width": width,
            "data": {"values": values},
            "config": {"view": {"stroke": None}, "range": {"category": CATEGORIES}, "bar": {"color": CATEGORIES[0]},
                       "legend": {"orient": "top", "labelLimit": 400}, "axis": {"labelLimit": 400}},
            **_filled(SPECIFICATIONS["charts"][name])}


def chart(name, rows, width=620):
    """An Altair chart; None, and a word on the reason, where Altair is not installed."""
    try:
        import altair
    except ImportError:
        print("The report's chart needs Altair: apt-get install python3-altair, or pip install 'altair<5'.")
        return None
    altair.renderers.enable("mimetype")
    return altair.Chart.from_dict(specification(name, rows, width))
