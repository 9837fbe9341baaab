"""Parse one dataset into train, validation and test points, and write its statistics.

What a layout leaves out is counted by reason, in the statistics and on the last line.

python -m stages.prepare wordnet    → data/prepared/wordnet-{train,validation,test}.safetensors
                                      data/prepared/wordnet-names.json
                                      results/datasets/wordnet.json
"""

from hrrxml.config import params, paths
from hrrxml.data import points
from hrrxml.datasets import layouts, names, sources, statistics
from hrrxml.datasets.prepare import prepare
from hrrxml.runtime import command
from hrrxml.runtime.files import write_json


def main(dataset: str) -> None:
    entry, settings = params.load_dataset(dataset)
    folder = paths.download(dataset)
    sources.verify(folder)
    corpus = layouts.read(folder, entry)
    splits, known = prepare(corpus, settings.split, settings.text)
    for split, part in splits.items():
        points.save(part, paths.points(dataset, split))
    names.save(known, paths.names(dataset))
    train = splits["train"]
    counts = statistics.describe(corpus) | {
        "features": train.n_features,
        "commonest_labels": statistics.commonest_labels(corpus),
    }
    write_json(paths.statistics(dataset), counts)
    sizes = " + ".join(f"{len(part)} {split}" for split, part in splits.items())
    skipped = ", ".join(f"{number} {reason}" for reason, number in corpus.skipped.items())
    print(
        f"prepare: {paths.points(dataset, '*')}: {sizes} points, "
        f"{train.n_features} features, {train.n_labels} labels"
        + (f"; skipped: {skipped}" if skipped else "")
    )


if __name__ == "__main__":
    command.run(main)
