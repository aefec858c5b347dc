"""Instances on the HTML page with their drawings: the worst ones of each system."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from markupsafe import Markup

from hiermeasures.draw.notebook_repr import drawing_of_explanation
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.svg import svg
from hiermeasures.draw.text import as_text
from hiermeasures.evaluation.averages import basis_of
from hiermeasures.evaluation.html_report.page import PageDrawing, PagePart
from hiermeasures.evaluation.html_report.wording import name_class
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from hiermeasures.evaluation import Report

HIGHEST = 480.0  # pixels of a drawing
WORST_IN_ALL, MOST_WORST = 12, 3  # drawn instances on the page, and of one system


def describe_worst(reports: Mapping[str, "Report"]) -> Iterable[PagePart]:
    """Yield the worst instances of each system with their drawings."""
    first = next(iter(reports.values()))
    keys = [m.key for m in first.declared if basis_of(m, "samples") == "instances"]
    if not keys:
        return
    key = "hF" if "hF" in keys else keys[0]
    number = max(1, min(MOST_WORST, WORST_IN_ALL // len(reports)))
    parts = []
    for name, report in reports.items():
        places = report.worst_first(key)[:number].tolist()
        drawings = [draw_instance(report, place, key) for place in places]
        parts.append(PagePart(str(name), drawings=drawings))
    about = (
        f"The instances with the worst {called(key)}, in the order of the data if they are equal. "
        "True classes are circled and predicted classes boxed."
    )
    if len(reports) == 1:
        yield PagePart("Worst instances", [about], drawings=parts[0].drawings, open=True)
    else:
        yield PagePart("Worst instances", [about], parts=parts, open=True)


def draw_instance(report: "Report", place: int, key: str, system: str = "") -> PageDrawing:
    """Draw an instance with its labels and values. The measure decides the structure to draw."""
    x = report.explain_instance(place)
    scene = drawing_of_explanation(x, measure=key, small=True).scene
    ids = report.kept.ids
    name = f"row {place + 1}" if isinstance(ids, range) else shown_label(str(ids[place]))
    values = report.take([place]).instance_values()
    cells = (f"{called(m.key)} {as_text(float(values[m.key][0]))}" for m in report.declared)
    sides = f"True: {_list_labels(report, x.true)}. Predicted: {_list_labels(report, x.predicted)}."
    image = Markup(svg(scene, ground="own").html(HIGHEST))
    return PageDrawing(image, f"{name}, {system}" if system else name, [sides, " · ".join(cells)])


def _list_labels(report: "Report", labels: Iterable[str]) -> str:
    return ", ".join(name_class(report.hierarchy, label) for label in sorted(labels)) or "none"
