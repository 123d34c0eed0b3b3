"""What a person or body has to do with a work, as MARC 21 and UNIMARC say it: whether that makes an author."""

from typing import Final

from bibfold.records.formats.marc import Field

_CODES: Final = frozenset(
    # MARC 21: publishers, makers, owners, givers, those for whom and before whom a work was made
    "auc bkd bkp bnd bpd brd bsl cns con cov dbp dgg dgs dln dnr dpc dpt dst dte evp fmo fnd fpy hst his "
    "insc jud jug len mfp mfr opn own pbd pbl ppm prm prt pup rce rcp rpy sgn spn tcd ths typ uvp wit "
    # UNIMARC: publisher, printer, distributor, donor, owner, dedicatee, adviser, grantor, sponsor, bookseller
    "650 610 310 320 390 280 727 295 723 160".split()
)
_TERMS: Final = frozenset(
    "binder,bookseller,censor,collector,dedicatee,degree granting institution,degree grantor,degree supervisor,"
    "depositor,distributor,donor,former owner,funder,host institution,inscriber,manufacturer,opponent,owner,printer,"
    "publisher,signer,sponsor,sponsoring body,thesis advisor,thesis adviser,university place".split(",")
)


def is_author(field: Field) -> bool:
    """Whether a name stands for one who made the work's content: so long as nothing else is said of all its roles."""
    codes = [value.strip().rpartition("/")[2].lower() for value in field.all("4")]
    if codes:
        return not all(code in _CODES for code in codes)
    terms = [value.strip(" .,;").lower() for value in field.all("e")] if field.tag not in ("111", "711") else []
    return not terms or not all(term in _TERMS for term in terms)
