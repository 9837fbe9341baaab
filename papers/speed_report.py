"""Speed and memory as tables and figures, beside what the papers print.

Benchmarks come as a dict: the name of each that was run, and what it measured.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from matplotlib.figure import Figure

from hrrxml.report.markdown import markdown_table
from papers.published import PUBLISHED

Rows = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Section:
    title: str
    remark: str
    header: str  # titles of the columns
    keys: str  # of a row, for all columns but the first, which names the rows


SECTIONS = {
    "sizes": Section(
        "Table 2: parameters saved, percent",
        "Parameters of FC and HRR-FC with 2 × 512 hidden units, biases included. The paper "
        "leaves out the datasets with fewer labels than d'.",
        "dataset | d' | output | output, paper | network | network, paper | FC network | "
        "HRR-FC network",
        "dim output_saved published_output_saved network_saved published_network_saved "
        "fc_network hrr_network",
    ),
    "step": Section(
        "Table 3: one training step",
        "Forward, loss, backward and update on synthetic data of each shape. `input` is the "
        "encoder's first layer, which all three include.",
        "shape | batch | d' | FC, ms | HRR, ms | holographic, ms | input, ms | HRR faster | "
        "paper | holographic faster",
        "batch dim fc_ms hrr_ms holographic_ms input_ms hrr_speed_up published_speed_up "
        "holographic_speed_up",
    ),
    "loss": Section(
        "The HRR loss, forward and backward",
        "Ours is a closed form of eq. 6–7.",
        "shape | d' | ours, ms | appendix, ms | eq. 6–7 as printed, ms | "
        "faster than the appendix | faster than eq. 6–7",
        "dim ours_ms appendix_ms literal_ms speed_up literal_speed_up",
    ),
    "search": Section(
        "Search for the best 5 of all labels",
        "Milliseconds per batch of queries. All but HNSW are exact. `topk` only ranks given "
        "scores. HNSW is left out where building it takes minutes.",
        "labels | d' | ours, ms | topk, ms | matmul, ms | faiss, ms | HNSW, ms | HNSW recall | "
        "our label memory | stored vectors",
        "dim ours_ms topk_ms matmul_ms faiss_ms hnsw_ms hnsw_recall ours_bytes matmul_bytes",
    ),
    "inference": Section(
        "Inference: FC's output layer and HRR's",
        "From the encoder's 512 units to the five best labels of a batch.",
        "shape | batch | labels | d' | FC, ms | HRR, stored vectors, ms | HRR, circulant, ms | "
        "stored over FC | circulant over FC",
        "batch labels dim fc_ms hrr_ms circulant_ms hrr_over_fc circulant_over_fc",
    ),
    "growth": Section(
        "Growth with the labels and with d'",
        "Slopes in log-log: exact search, the holographic loss with its gradients, a product "
        "with stored vectors where these fit, and the memory of the labels.",
        "exponent of | search | loss | matmul | memory",
        "search_ms loss_ms matmul_ms bytes",
    ),
    "input": Section(
        "The sparse input layer",
        "Forward, backward and update.",
        "shape | batch | ours, ms | EmbeddingBag + SparseAdam, ms | faster",
        "batch ours_ms sparse_adam_ms speed_up",
    ),
    "encoders": Section(
        "Table 7: text encoders, seconds per epoch",
        "Synthetic texts of the published shapes. Execution is the forward pass, optimisation "
        "the rest. The paper timed AmazonCat-12K, on other hardware: only ratios compare.",
        "dataset and encoder | execution, baseline | execution, HRR | execution, ratio | "
        "execution, ratio, paper | optimisation, baseline | optimisation, HRR | "
        "optimisation, ratio | optimisation, ratio, paper | words/s, baseline | words/s, HRR",
        "execution_baseline execution_hrr execution_speed_up execution_published_speed_up "
        "optimisation_baseline optimisation_hrr optimisation_speed_up "
        "optimisation_published_speed_up words_per_second_baseline words_per_second_hrr",
    ),
    "neighbours": Section(
        "One query among stored label vectors",
        "The best 5 labels for one query at a time, among synthetic unit vectors. All but IVF, "
        "which searches a few cells, are exact. IVF's recall is given for vectors around centres "
        "and for vectors without clusters (spread). Circulant vectors are rolls of a few bases.",
        "labels | d | matmul in blocks, ms | faiss, flat, ms | circulant, ms | faiss, IVF, ms | "
        "IVF recall | spread recall | IVF built in, s | GLaS promises, ms",
        "dim ours_ms faiss_flat_ms circulant_ms faiss_ivf_ms faiss_ivf_recall "
        "faiss_ivf_spread_recall faiss_ivf_build_seconds promised",
    ),
}


def markdown(benchmarks: Mapping[str, Any]) -> str:
    """A section for each benchmark that was run; nothing if there is none."""
    parts = []
    for name, section in SECTIONS.items():
        if name in benchmarks:
            parts += _describe(section, benchmarks[name], rows(name, benchmarks[name]))
    if not parts:
        return ""
    parts += [f"![{name.replace('_', ' ')}](figures/{name}.svg)" for name in figures(benchmarks)]
    return "\n\n".join(["## Speed and memory", *parts]) + "\n"


def _describe(section: Section, measured: Any, lines: Rows) -> list[str]:
    remark, last = section.remark, []
    conditions = next(iter(lines.values())) | measured
    if "threads" in conditions:
        remark += f" Medians of {conditions['repeats']} on {conditions['threads']} threads."
    if contradictions := contradicting(lines):
        remark += (
            f" The paper's figures for the whole network contradict Table 6 on "
            f"{', '.join(contradictions)}: its features and labels give ours."
        )
    if alone := measured.get("alone"):
        last = [
            f"{alone['labels']:,} labels at d' = {alone['dim']}, ours in a process of its own: "
            f"{_cell('ms', alone['ours_ms'])} ms for {alone['queries']} queries, "
            f"{_cell('_bytes', alone['peak_bytes'])} at the peak."
        ]
    table = [section.header.split(" | ")]
    for name, row in lines.items():
        table.append([name, *(_cell(key, row.get(key)) for key in section.keys.split())])
    return [f"### {section.title}", remark, markdown_table(table), *last]


def contradicting(lines: Rows) -> list[str]:
    """Datasets whose figure in Table 2 does not follow from Table 6, by more than rounding."""
    return [
        name
        for name, row in lines.items()
        if (printed := row.get("published_network_saved")) is not None
        and "network_saved" in row
        and abs(row["network_saved"] - printed) > 1
    ]


def rows(name: str, measured: Any) -> Rows:
    """What a benchmark measured, by the first column of its table, with the papers' figures."""
    match name:
        case "growth":
            return {"L": measured["exponents_by_labels"], "d'": measured["exponents_by_dim"]}
        case "search" | "neighbours":
            promised = {True: "< 1", False: "< 10"}
            return {
                f"{row['labels']:,}": row | {"promised": promised[row["labels"] <= 100_000]}
                for row in measured["grid"]
            }
        case "encoders":
            return {
                f"{shape}, {encoder}": _encoder(shape, encoder, measured[shape])
                for shape in _in_order(measured)
                for encoder in ("cnn", "lstm")
            }
    return {shape: measured[shape] | _published(shape) for shape in _in_order(measured)}


def _in_order(measured: Mapping[str, Any]) -> list[str]:
    """Shapes as Table 6 lists them."""
    return [shape for shape in PUBLISHED["table6"] if shape in measured]


def _published(shape: str) -> dict[str, float | None]:
    return {
        "published_speed_up": PUBLISHED["table3"].get(shape),
        "published_output_saved": PUBLISHED["table2"].get(shape),
        "published_network_saved": PUBLISHED["table2_network"].get(shape),
    }


def _encoder(shape: str, encoder: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """One line of Table 7, and the ratios that the paper's seconds give."""
    printed = PUBLISHED["table7"].get(shape.replace("13k", "12k"), {})
    line = {}
    for place, part in enumerate(("execution", "optimisation")):
        line[f"{part}_speed_up"] = row[f"{encoder}_{part}_speed_up"]
        if encoder in printed:
            ratio = printed[encoder][place] / printed[f"hrr-{encoder}"][place]
            line[f"{part}_published_speed_up"] = ratio
    for part in ("execution", "optimisation", "words_per_second"):
        line[f"{part}_baseline"] = row[encoder][part]
        line[f"{part}_hrr"] = row[f"hrr-{encoder}"][part]
    return line


def _cell(key: str, value: Any) -> str:
    """The key's ending says the unit."""
    if value is None or isinstance(value, str):
        return value or "–"
    if key.endswith("_bytes"):
        return f"{value / 1e6:,.3g} MB" if value < 1e9 else f"{value / 1e9:,.2f} GB"
    if key.endswith(("speed_up", "_over_fc")):
        return f"{value:.2f}×"
    if key.endswith(("_saved", "_recall")):
        return f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def figures(benchmarks: Mapping[str, Any]) -> dict[str, Callable[[], Figure]]:
    """How to draw each figure whose benchmark was run, by name."""
    drawings: dict[str, Callable[[], Figure]] = {}
    if "step" in benchmarks:
        drawings["training_speed"] = partial(training_speed, rows("step", benchmarks["step"]))
    if "growth" in benchmarks:
        times = {"search_ms": "exact search", "loss_ms": "holographic loss"}
        times |= {"matmul_ms": "matmul, topk"}
        memory = {"bytes": "rolls of bases", "matmul_bytes": "stored vectors"}
        by_labels, by_dim = (benchmarks["growth"][f"by_{axis}"] for axis in ("labels", "dim"))
        drawings |= {
            "time_by_labels": partial(growth, by_labels, "labels", times, "milliseconds"),
            "time_by_dim": partial(growth, by_dim, "dim", times, "milliseconds"),
            "memory_by_labels": partial(growth, by_labels, "labels", memory, "bytes"),
        }
    return drawings


def training_speed(step: Rows) -> Figure:
    """FC's time over that of HRR-FC and of the holographic head: Table 3's, and ours."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    axis = figure.subplots()
    bars = {"published_speed_up": "HRR, published", "hrr_speed_up": "HRR, ours"}
    bars |= {"holographic_speed_up": "holographic, ours"}
    for number, (key, label) in enumerate(bars.items()):
        places = [place + 0.27 * (number - 1) for place in range(len(step))]
        axis.bar(places, [row[key] for row in step.values()], width=0.25, label=label)
    axis.axhline(1, color="black", linewidth=0.8, linestyle="--")
    axis.set_yscale("log")
    axis.set_xticks(range(len(step)), list(step), rotation=20)
    axis.set_ylabel("FC's step time over the other's")
    axis.legend()
    return figure


def growth(points: list[dict[str, Any]], x: str, names: Mapping[str, str], unit: str) -> Figure:
    """Time or memory against L or d', in log-log."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    axis = figure.subplots()
    for name, label in names.items():
        measured = [point for point in points if point[name] is not None]
        axis.plot([p[x] for p in measured], [p[name] for p in measured], marker="o", label=label)
    symbols = {"labels": "L", "dim": "d'"}
    fixed = "dim" if x == "labels" else "labels"
    axis.set(xscale="log", yscale="log", xlabel=symbols[x], ylabel=unit)
    axis.set_title(f"{symbols[fixed]} = {points[0][fixed]:,}")
    axis.legend()
    return figure
