"""Parse one dataset into train, validation and test points, and count it.

python -m stages.prepare wordnet    → data/prepared/wordnet-{train,validation,test}.safetensors
                                      data/prepared/wordnet-vectors.safetensors
                                      results/datasets/wordnet.json
"""

from hrrxml import params, paths, stage
from hrrxml.data import layouts, points, sources, statistics
from hrrxml.data.prepare import prepare
from hrrxml.files import write_json, write_tensors


def main(dataset: str) -> None:
    entry, settings = params.load_dataset(dataset)
    folder = paths.download(dataset)
    sources.verify(folder)
    corpus = layouts.read(folder, entry)
    prepared = prepare(corpus, settings.split, settings.text)
    for split, part in prepared.splits.items():
        points.save(part, paths.points(dataset, split))
    write_tensors(paths.vectors(dataset), {"vectors": prepared.vectors})
    train = prepared.splits["train"]
    counted = statistics.describe(corpus) | {
        "features": train.n_features,
        "commonest_labels": statistics.commonest_labels(corpus),
        "word_vectors": statistics.describe_vectors(prepared.vectors),
    }
    write_json(paths.statistics(dataset), counted)
    sizes = " + ".join(f"{len(part)} {split}" for split, part in prepared.splits.items())
    print(
        f"prepare: {paths.points(dataset, '*')}: {sizes} points, "
        f"{train.n_features} features, {train.n_labels} labels"
    )


if __name__ == "__main__":
    stage.run(main)
