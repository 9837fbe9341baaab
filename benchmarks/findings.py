"""Speed and memory in Markdown: what was measured, beside what was published or wanted.

A benchmark that was not run is left out.
"""

import json
from collections.abc import Mapping
from typing import Any, get_args

from benchmarks.figures import figures
from benchmarks.shapes import SHAPES
from benchmarks.targets import verdicts
from hrrxml.config import paths
from hrrxml.config.schema import BenchmarkName
from hrrxml.report.markdown import markdown_table
from papers.published import PUBLISHED

Found = Mapping[str, Any]  # what each benchmark wrote, by its name

CONTRADICTION = (
    "Parameters of FC and HRR-FC with 2 × 512 hidden units, biases included. The published "
    "figures of {} for the whole network contradict Table 6: with its features and labels they "
    "come out as here. The paper leaves out the datasets on which d' exceeds the labels."
)


def read() -> dict[str, Any]:
    """Every benchmark that was run, shapes in the order of Table 6."""
    found = {name: paths.benchmark(name) for name in get_args(BenchmarkName)}
    return {
        name: _in_order(json.loads(path.read_text()))
        for name, path in found.items()
        if path.exists()
    }


def _in_order(rows: dict[str, Any]) -> dict[str, Any]:
    return {name: rows[name] for name in SHAPES if name in rows} | rows


def markdown(found: Found) -> str:
    sections = {
        "sizes": ("Table 2: parameters saved, percent", _sizes),
        "step": ("Table 3: one training step", _step),
        "loss": ("The HRR loss, forward and backward", _loss),
        "search": ("Exact search for the best 5 of all labels", _search),
        "inference": ("Inference: FC's output layer and HRR's", _inference),
        "growth": ("Growth with the labels and with d'", _growth),
        "input": ("The sparse input layer", _input),
        "encoders": ("Table 7: text encoders, seconds per epoch", _encoders),
        "neighbours": ("One query among stored label vectors", _neighbours),
    }
    parts = ["## Speed and memory"]
    for name, (title, describe) in sections.items():
        if name in found:
            parts += [f"### {title}", describe(found[name])]
    if targets := verdicts(found):
        rows = [[v.what, v.wanted, f"{v.measured:,.3g}", "yes" if v.met else "no"] for v in targets]
        parts += ["### Targets", markdown_table([["what", "wanted", "measured", "met"], *rows])]
    parts += [f"![{name}](../{paths.figure('benchmark', name)})" for name in figures(found)]
    return "\n\n".join(parts) + "\n" if len(parts) > 1 else ""


def _sizes(found: Any) -> str:
    heads = ["output (paper)", "network (paper)", "FC network", "HRR-FC network"]
    rows = [["dataset", "d'", *heads]]
    for name, row in found.items():
        saved = [
            f"{row[f'{part}_saved']:.2f} ({_or_dash(row[f'published_{part}_saved'])})"
            for part in ("output", "network")
        ]
        totals = [f"{row[f'{model}_network']:,}" for model in ("fc", "hrr")]
        rows.append([name, str(row["dim"]), *saved, *totals])
    remark = CONTRADICTION.format(", ".join(contradicting(found)))
    return f"{remark}\n\n{markdown_table(rows)}"


def contradicting(found: Found) -> list[str]:
    """Datasets of which Table 2 does not follow from Table 6, by more than a rounding."""
    pairs = {n: (row["network_saved"], row["published_network_saved"]) for n, row in found.items()}
    return [
        name for name, (ours, paper) in pairs.items() if paper is not None and abs(ours - paper) > 1
    ]


def _step(found: Any) -> str:
    models = ("fc", "hrr", "holographic", "input")
    heads = [f"{name}, ms" for name in models]
    rows = [["shape", "batch", "d'", *heads, "HRR faster", "published", "holographic faster"]]
    for name, row in found.items():
        times = [_short(row[f"{model}_ms"]) for model in models]
        ratios = [row[f"{key}_speed_up"] for key in ("hrr", "published", "holographic")]
        sizes = [str(row["batch"]), str(row["dim"])]
        rows.append([name, *sizes, *times, *(f"{ratio:.2f}×" for ratio in ratios)])
    remark = (
        "Forward, loss, backward and update on synthetic data of each shape; `input` is the "
        "encoder's first layer, a part of all three."
    )
    return f"{remark} {_conditions(next(iter(found.values())))}\n\n{markdown_table(rows)}"


def _loss(found: Any) -> str:
    rows = [["shape", "d'", "ours, ms", "appendix, ms", "eq. 6–7 as printed, ms", "faster"]]
    for name, row in found.items():
        times = [_short(row[f"{key}_ms"]) for key in ("ours", "appendix", "literal")]
        faster = f"{row['speed_up']:.1f}× and {row['literal_speed_up']:.1f}×"
        rows.append([name, str(row["dim"]), *times, faster])
    return f"{_conditions(next(iter(found.values())))}\n\n{markdown_table(rows)}"


def _search(found: Any) -> str:
    methods = ("ours", "topk", "matmul", "faiss", "hnsw")
    heads = [*(f"{method}, ms" for method in methods), "HNSW recall", "label memory", "stored"]
    rows = [["labels", "d'", *heads]]
    for row in found["grid"]:
        times = [_short(row[f"{method}_ms"]) for method in methods]
        recall = _or_dash(row["hnsw_recall"])
        memory = [_megabytes(row[key]) for key in ("ours_bytes", "matmul_bytes")]
        rows.append([f"{row['labels']:,}", str(row["dim"]), *times, recall, *memory])
    alone = found["alone"]
    remark = (
        f"Per batch of {alone['queries']} queries; topk ranks scores that are there already, all "
        "but HNSW are exact, and HNSW is left out where building it takes minutes."
    )
    last = (
        f"{alone['labels']:,} labels at d' = {alone['dim']}, ours alone in a process: "
        f"{_short(alone['ours_ms'])} ms, {_megabytes(alone['peak_bytes'])} at the peak."
    )
    conditions = _conditions(found["grid"][0])
    return f"{remark} {conditions}\n\n{markdown_table(rows)}\n\n{last}"


def _inference(found: Any) -> str:
    models = {"fc": "FC", "hrr": "HRR, stored vectors", "circulant": "HRR, circulant"}
    rows = [["shape", "batch", "labels", "d'", *(f"{name}, ms" for name in models.values())]]
    rows[0] += ["stored, of FC's", "circulant, of FC's"]
    for name, row in found.items():
        sizes = [str(row["batch"]), f"{row['labels']:,}", str(row["dim"])]
        times = [_short(row[f"{model}_ms"]) for model in models]
        ratios = [f"{row[f'{model}_over_fc']:.2f}×" for model in ("hrr", "circulant")]
        rows.append([name, *sizes, *times, *ratios])
    first = next(iter(found.values()))
    remark = f"The five best labels of a batch, from the encoder's {first['hidden']} units on."
    return f"{remark} {_conditions(first)}\n\n{markdown_table(rows)}"


def _growth(found: Any) -> str:
    names = {"search_ms": "search", "loss_ms": "loss", "matmul_ms": "matmul", "bytes": "memory"}
    rows = [["exponent of", *names.values()]]
    for axis, title in (("labels", "L"), ("dim", "d'")):
        slopes = found[f"exponents_by_{axis}"]
        rows.append([title, *(_or_dash(slopes.get(name)) for name in names)])
    remark = (
        "Slopes in log-log of exact search, of the holographic loss with its gradients, of a "
        "product with stored vectors where these fit, and of the memory of the labels."
    )
    return f"{remark} {_conditions(found)}\n\n{markdown_table(rows)}"


def _input(found: Any) -> str:
    rows = [["shape", "batch", "ours, ms", "EmbeddingBag + SparseAdam, ms", "faster"]]
    for name, row in found.items():
        times = [_short(row["ours_ms"]), _short(row["sparse_adam_ms"])]
        rows.append([name, str(row["batch"]), *times, f"{row['speed_up']:.1f}×"])
    return f"{_conditions(next(iter(found.values())))}\n\n{markdown_table(rows)}"


def _encoders(found: Any) -> str:
    parts = ("execution", "optimisation")
    heads = [f"{part}, {kind}" for part in parts for kind in ("baseline", "HRR", "ratio")]
    rows = [["dataset and encoder", *heads, "words/s, baseline", "words/s, HRR", "ratios, paper"]]
    for name, row in found.items():
        for encoder in ("cnn", "lstm"):
            models = row[encoder], row[f"hrr-{encoder}"]
            cells = []
            for part in parts:
                cells += [_short(model[part]) for model in models]
                cells += [f"{row[f'{encoder}_{part}_speed_up']:.2f}×"]
            speeds = [f"{model['words_per_second']:,}" for model in models]
            rows.append([f"{name}, {encoder}", *cells, *speeds, _published_table7(name, encoder)])
    remark = (
        "Synthetic texts of the published shapes; execution is the pass forward, optimisation all "
        "else. The paper timed AmazonCat-12K, on other hardware: only ratios compare."
    )
    return f"{remark}\n\n{markdown_table(rows)}"


def _published_table7(dataset: str, encoder: str) -> str:
    printed = PUBLISHED["table7"].get(dataset.replace("13k", "12k"), {})
    if encoder not in printed:
        return "–"
    pairs = zip(printed[encoder], printed[f"hrr-{encoder}"], strict=True)
    return " and ".join(f"{baseline / hrr:.2f}×" for baseline, hrr in pairs)


def _neighbours(found: Any) -> str:
    methods = ("ours", "faiss_flat", "circulant", "faiss_ivf")
    names = ["matmul in blocks", "faiss, flat", "circulant", "faiss, IVF"]
    heads = [*(f"{name}, ms" for name in names), "IVF recall", "spread", "IVF built in, s"]
    rows = [["labels", "d", *heads, "GLaS promises, ms"]]
    for row in found["grid"]:
        times = [_short(row[f"{method}_ms"]) for method in methods]
        index = [f"{row[f'faiss_ivf_{kind}']:.3f}" for kind in ("recall", "spread_recall")]
        index += [_short(row["faiss_ivf_build_seconds"])]
        promised = "< 1" if row["labels"] <= 100_000 else "< 10"
        rows.append([f"{row['labels']:,}", str(row["dim"]), *times, *index, promised])
    remark = (
        "The best 5 labels for one query at a time, synthetic vectors of unit length. All but IVF, "
        "which looks into a few cells, are exact. Its recall is given for vectors around centres "
        "and (spread) for vectors without order; circulant ones are rolls of a few bases."
    )
    return f"{remark}\n\n{markdown_table(rows)}"


def _conditions(row: Found) -> str:
    return f"Medians of {row['repeats']} on {row['threads']} threads."


def _short(number: float | None) -> str:
    return "–" if number is None else f"{number:,.3g}" if number < 1000 else f"{number:,.0f}"


def _or_dash(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.3g} MB" if size < 1e9 else f"{size / 1e9:,.2f} GB"
