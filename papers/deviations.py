"""How the setting *authors' code* still differs from the authors' code."""

from hrrxml.report.markdown import markdown_table

TITLE = "What is still different from the authors' code, and what it can change:"
# What, in their code, here, what it can change.
DEVIATIONS = (
    (
        "last batch of an epoch",
        "dropped if it is not full",
        "kept",
        "at most 63 points a training step fewer",
    ),
    (
        "metrics",
        "means over shuffled test batches; up to 63 test points dropped",
        "over the whole test split",
        "PSP most: a mean of ratios is not the ratio of means",
    ),
    (
        "Bibtex, Delicious",
        "column 0 of the repository's ten splits",
        "Mulan's single split, which the mirror's archives hold",
        "another tenth of points: about a point of P@1 on Bibtex",
    ),
    (
        "propensities",
        "counted on training points without the validation points (small datasets)",
        "counted on all training points",
        "PSP by some tenths",
    ),
    (
        "first layer's biases",
        "PyTorch's uniform start",
        "start at zero",
        "little: weights start the same way",
    ),
    (
        "seeds",
        "one (100)",
        "five, with means and deviations",
        "the printed figures have no error bars",
    ),
    (
        "CNN",
        "frozen GloVe vectors of 300 dimensions, 50 epochs; the released script has 2 epochs",
        "not run in this setting: GloVe is not here",
        "the CNN rows of Table 1 are tuned alone",
    ),
    (
        "LSTM",
        "an attention head for each output, 30 epochs in batches of 40",
        "suite table1-large, for a GPU; one short run shows that it runs",
        "the LSTM rows of Table 1 are tuned alone",
    ),
)


def shown() -> str:
    """The table for the study."""
    header = ["what", "authors' code", "here", "what it can change"]
    return markdown_table([header, *map(list, DEVIATIONS)], text=4)
