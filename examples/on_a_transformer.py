"""A holographic output layer on a Hugging Face encoder: train and ask, in a few lines.

    pip install -e ".[transformer]"
    python -m examples.on_a_transformer FOLDER questions.tsv "how do I clean a cast iron pan"

FOLDER has an encoder in Hugging Face's layout (config, tokenizer, safetensors). Each line of the
file is a text, a tab, and its tags, separated by commas. Nothing is downloaded.
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

import hrrxml


def main(folder: str, data: str, *questions: str) -> None:
    rows = [line.split("\t") for line in Path(data).read_text(encoding="utf-8").splitlines()]
    texts = [text for text, _ in rows]
    tags = [[tag.strip() for tag in column.split(",")] for _, column in rows]
    names = sorted({tag for row in tags for tag in row})
    labels = [[names.index(tag) for tag in row] for row in tags]

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    encoder = AutoModel.from_pretrained(folder, local_files_only=True, use_safetensors=True)
    head = hrrxml.HolographicHead(encoder.config.hidden_size, len(names), dim=64)

    def encode(batch: list[str]) -> torch.Tensor:
        tokens = tokenizer(batch, padding=True, truncation=True, return_tensors="pt")
        words = encoder(**tokens).last_hidden_state  # (texts, tokens, width)
        mask = tokens["attention_mask"][..., None]
        return (words * mask).sum(1) / mask.sum(1)  # the mean over words: (texts, width)

    optimiser = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=1e-3)
    encoder.train()
    for _ in range(10):
        for part in torch.randperm(len(texts)).split(16):
            loss = head.loss(encode([texts[i] for i in part]), [labels[i] for i in part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()

    encoder.eval()
    with torch.no_grad():
        ids, scores = head.topk(encode(list(questions)), k=3)
    for question, row, values in zip(questions, ids.tolist(), scores.sigmoid(), strict=True):
        best = (f"{names[i]} {p:.2f}" for i, p in zip(row, values.tolist(), strict=True))
        print(f"{question}: {', '.join(best)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
