"""Parse one dataset's archive into train, validation and test points.

python -m stages.prepare wordnet    → data/prepared/wordnet-{train,validation,test}.safetensors
"""

from hrrxml import params, paths, stage
from hrrxml.data import layouts, points, sources
from hrrxml.data.prepare import prepare


def main(dataset: str) -> None:
    entry, settings = params.load_dataset(dataset)
    archive = paths.archive(dataset)
    sources.verify(archive, entry.source.sha256)
    corpus = layouts.read(archive, entry.layout, entry.expect)
    splits = prepare(
        corpus,
        validation=settings.split.validation,
        test=settings.split.test,
        min_documents=settings.text.min_documents,
    )
    for split, part in splits.items():
        points.save(part, paths.points(dataset, split))
    sizes = " + ".join(f"{len(part)} {split}" for split, part in splits.items())
    train = splits["train"]
    print(
        f"prepare: {paths.points(dataset, '*')}: {sizes} points, "
        f"{train.n_features} words, {train.n_labels} labels"
    )


if __name__ == "__main__":
    stage.run(main)
