"""Names as formats write them: people turned round, organisations left alone."""

import pytest

from bibfold.records.formats.names import Name, inverted, name_of


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("Anna Müller", "Müller, Anna"),
        ("Müller, Anna", "Müller, Anna"),
        ("Anna Maria Müller", "Müller, Anna Maria"),
        ("Jan van der Berg", "van der Berg, Jan"),
        ("van der Berg, Jan", "van der Berg, Jan"),
        ("Smith JA", "Smith, JA"),
        ("van Berg J.-P.", "van Berg, J.-P."),
        ("J. A. Smith", "Smith, J. A."),
        ("John Smith Jr.", "Smith, John, Jr."),
        ("Smith, Jr., John", "Smith, John, Jr."),
        ("Smith, John, III", "Smith, John, III"),
        ("Plato", "Plato"),
        ("王小明", "王小明"),
        ("World Health Organization", "World Health Organization"),
        ("Catalogue Study Group", "Catalogue Study Group"),
        ("Library and Archive Group", "Library and Archive Group"),
        ("World Bank, Washington", "World Bank, Washington"),
        ("Bank, Jonas", "Bank, Jonas"),
        ("UNESCO", "UNESCO"),
        ("European Commission,", "European Commission"),
        ("  Anna \n Müller ", "Müller, Anna"),
        ("", ""),
    ],
)
def test_names_are_written_family_first(given: str, written: str) -> None:
    assert inverted(given) == written
    assert inverted(written) == written


def test_the_parts_of_a_name() -> None:
    assert name_of("Jan van der Berg Jr.") == Name("van der Berg", "Jan", "Jr.")
    assert name_of("UNESCO") == Name(organisation="UNESCO")
    assert name_of("Plato") == Name("Plato")
