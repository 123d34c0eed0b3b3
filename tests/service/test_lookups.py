"""Many who ask at once are answered together, in a bounded queue, by one thread."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bibfold.errors import BibfoldError
from bibfold.records.model import Record
from lookup.answers import Answer
from service.lookups import Busy, Lookups


def asked(number: int) -> Record:
    return Record(source="q", id=str(number), title="Screening for cervical cancer by cytology")


def decision(answer: Answer) -> str:
    return f"{answer.record.id} {answer.decision}"


def test_each_asker_gets_their_own_answers(catalogue: Path) -> None:
    lookups = Lookups(catalogue, (), 1_000)
    with ThreadPoolExecutor(8) as threads:
        futures = list(
            threads.map(lambda number: lookups.ask([asked(number), asked(number + 100)], decision), range(40))
        )
    found = [future.result(timeout=30) for future in futures]
    lookups.close()
    assert found == [[f"{number} same", f"{number + 100} same"] for number in range(40)]
    assert lookups.waiting == 0


def test_a_full_queue_says_so_but_one_large_request_is_taken(catalogue: Path) -> None:
    lookups = Lookups(catalogue, (), 10)
    large = lookups.ask([asked(number) for number in range(50)], decision)
    with pytest.raises(Busy, match="try again"):
        [lookups.ask([asked(number)] * 6, decision) for number in range(1_000)]
    assert len(large.result(timeout=30)) == 50
    lookups.close()


def test_a_failure_is_told_and_the_next_one_is_served(catalogue: Path) -> None:
    def failing(answer: Answer) -> str:
        raise BibfoldError("no")

    lookups = Lookups(catalogue, (), 1_000)
    with pytest.raises(BibfoldError, match="no"):
        lookups.ask([asked(1)], failing).result(timeout=30)
    assert lookups.ask([asked(2)], decision).result(timeout=30) == ["2 same"]
    lookups.close()


def test_what_was_given_up_is_not_looked_up(catalogue: Path) -> None:
    lookups = Lookups(catalogue, (), 1_000)
    lookups.ask([asked(number) for number in range(100)], decision)
    given_up = lookups.ask([asked(1)], decision)
    assert given_up.cancel()
    assert lookups.ask([asked(2)], decision).result(timeout=30) == ["2 same"]
    lookups.close()
