"""The REST API. `/openapi.json` describes it."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import StreamingResponse

from hrrxml.serve import algebra, highlight, limits, messages, uploads
from hrrxml.serve.errors import MEANINGS, Refused
from hrrxml.serve.messages import Count, Label, ModelName
from hrrxml.serve.served import Served
from hrrxml.serve.uploads import Format
from hrrxml.serve.worker import Worker


@dataclass(frozen=True)
class Desk:
    """What answers requests: the models, and the thread that computes."""

    models: dict[str, Served]
    worker: Worker

    def find(self, name: str) -> Served:
        if name not in self.models:
            names = ", ".join(self.models)
            raise Refused(404, f"no model {name[:60]!r}; this server has {names or 'none'}")
        self.models[name].check_files()
        return self.models[name]


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


OurDesk = Annotated[Desk, Depends(_desk)]
PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": messages.Problem, "description": meaning} for code, meaning in MEANINGS.items()
}
TEXTS = {"schema": {"type": "string", "minLength": 1}}
router = APIRouter(prefix="/api", responses=PROBLEMS)


@router.get("/models")
async def list_models(desk: OurDesk) -> messages.Models:
    """The models of this server, and how much it takes at a time."""
    facts = [messages.ModelFacts(**served.facts()) for served in desk.models.values()]
    return messages.Models(models=facts, limits=messages.Limits())


@router.post("/predict")
async def predict(asked: messages.Text, desk: OurDesk) -> messages.Guesses:
    """The best labels of a text."""
    served = desk.find(asked.model)
    ranked, bars = await desk.worker.run(served.rank, asked.text, asked.k, asked.among)
    guesses = [
        messages.Guess(label=label, value=value, bar=bar)
        for (label, value), bar in zip(ranked, bars, strict=True)
    ]
    return messages.Guesses(guesses=guesses)


@router.post("/explain")
async def explain(asked: messages.Why, desk: OurDesk) -> messages.Explanation:
    """The words of a text that spoke for a label, or against it."""
    served = desk.find(asked.model)
    effects = await desk.worker.run(served.explain, asked.text, asked.label)
    return messages.Explanation(parts=highlight.parts(asked.text, effects))


@router.post("/neighbours")
async def neighbours(asked: messages.Like, desk: OurDesk) -> messages.Neighbours:
    """The labels that a model takes to be like a label."""
    served = desk.find(asked.model)
    found = await desk.worker.run(served.neighbours, asked.label, asked.n)
    return messages.Neighbours(
        neighbours=[messages.Neighbour(label=name, likeness=value) for name, value in found]
    )


@router.get("/labels")
async def find_labels(
    desk: OurDesk,
    model: ModelName,
    contains: Annotated[str, Query(max_length=limits.LABEL)] = "",
    n: Count = 12,
) -> messages.LabelNames:
    """Labels of a model whose names contain some letters."""
    served = desk.find(model)
    return messages.LabelNames(labels=await desk.worker.run(served.find_labels, contains, n))


@router.post(
    "/file",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "one line for each text, or for each of its labels",
            "content": {kind: {"schema": {"type": "string"}} for kind in uploads.TYPES.values()},
        }
    },
    openapi_extra={"requestBody": {"required": True, "content": {"text/plain": TEXTS}}},
)
async def answer_file(
    request: Request,
    desk: OurDesk,
    model: ModelName,
    k: Count = 5,
    form: Annotated[Format, Query(alias="format")] = "tsv",
    among: Annotated[list[Label], Query(max_length=limits.LABELS)] = [],  # noqa: B006
) -> StreamingResponse:
    """Labels for each text of a file: one text a line, or JSON Lines."""
    served = desk.find(model)
    for label in among:
        served.label(label)  # an error is told before the answer begins
    texts = await desk.worker.run(uploads.read, await request.body())
    rows = uploads.answer(desk.worker, served, texts, k, among, form)
    return StreamingResponse(rows, media_type=uploads.TYPES[form])


@router.post("/algebra")
async def ask_statement(asked: messages.Statement, desk: OurDesk) -> messages.Answers:
    """Bind and bundle symbols, and ask what is bound to one of them."""
    answers: messages.Answers = await desk.worker.run(algebra.answer, asked)
    return answers
