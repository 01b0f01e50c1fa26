"""A certificate as one HTML page to read, to keep and to print: no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from deniable.audit.claims import HEADINGS, Claim
from deniable.audit.truth import said_of
from deniable.engines.file_certificate import FileCertificate

STYLE = """\
:root { color-scheme: light dark; --rule: light-dark(#c9ccd1, #4a4e55); --bad: light-dark(#a5120d, #ff8a80); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.2; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--rule); padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; }
.fails { color: var(--bad); font-weight: 600; }
.signed { display: none; margin-top: 4rem; }
@media print {
  .signed { display: block; }
  body { font-size: 10.5pt; margin: 0; max-width: none; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
}
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
"""
HOW = (
    "A claim is proven from the exact chance of every report, in whole numbers: of any two answers that it protects, "
    "one makes a report at most e to the power of epsilon times likelier than the other. To repeat the audit, run "
    "<code>deniable audit</code> on the same file; the SHA-256 above says whether it is the same."
)


def certificate_page(certificate: FileCertificate) -> str:
    """The whole page."""
    title = escape(f"Certificate for {certificate.subject}")
    claims = "\n".join(map(_row, certificate.claims))
    headings = "".join(f'<th scope="col">{heading}</th>' for heading in HEADINGS)
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<dl>
{_facts(certificate.facts[1:])}
</dl>
<h2>Claims</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Claims">
<table>
<thead><tr>{headings}</tr></thead>
<tbody>
{claims}
</tbody>
</table>
</div>
<p>{HOW}</p>
<h2>What the person asked is told</h2>
<ul>
{_items(certificate.sentences)}
</ul>
<p>{escape(said_of(certificate.statements))}</p>
<p class="signed">Place, date, signature</p>
</main>
</body>
</html>
"""


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts)


def _items(sentences: Iterable[str]) -> str:
    return "\n".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)


def _row(claim: Claim) -> str:
    verdict = "" if claim.holds else ' class="fails"'
    levels = f"<td>{claim.claimed:.12g}</td><td>{claim.realised:.12g}</td>"
    what = f"<td>{escape(claim.about)}</td><td>{escape(claim.promise)}</td>"
    return f"<tr>{what}{levels}<td{verdict}>{claim.verdict}</td><td>{escape(claim.method)}</td></tr>"
