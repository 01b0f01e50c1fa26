"""Report files and their tallies, for one machine: ``dn.files``.

Columns of labels become report files (``open_labels``, ``privatize_file``), reports of one's own are written down
(``write_reports``), and files and folders of them become one tally (``tally_files``; or ``open_dataset`` and
``count_into``, which skip bad files and take up a long count again), or a row for each pattern of public columns and
report (``counted_rows``), for regression. A survey's answers go to a folder (``answer_batches``, ``write_answers``),
and folders to its tally (``tally_survey_files``). ``open_any`` says what any of these is, and ``audit_file`` makes its
certificate. ``host_files`` are what a questionnaire that is not ours needs to ask a survey.

>>> import deniable as dn
>>> import tempfile
>>> m = dn.Subset(16, epsilon=1.0)
>>> with tempfile.TemporaryDirectory() as folder:
...     with dn.files.write_reports(f"{folder}/one.parquet", m.spec(), m.layout) as writer:
...         writer.write(m.privatize_many([3, 5, 7]))
...     dn.files.tally_files([folder]).n
3
"""

from deniable.engines.answer_tables import answer_batches
from deniable.engines.counted_rows import CountedRows, counted_rows
from deniable.engines.counting import Counted, count_dataset, count_into
from deniable.engines.dataset import Dataset, Refused, open_dataset
from deniable.engines.file_certificate import FileCertificate, audit_file
from deniable.engines.files import Privatized, privatize_file, tally_files
from deniable.engines.labels import LabelColumn, open_labels
from deniable.engines.open_any import open_any, read_document
from deniable.engines.opened_file import OpenedFile
from deniable.engines.survey_files import tally_survey_files, write_answers, write_document
from deniable.pages.handing.host_files import host_files
from deniable.reports.report_file import ReportWriter, write_reports

__all__ = [
    "Counted",
    "CountedRows",
    "Dataset",
    "FileCertificate",
    "LabelColumn",
    "OpenedFile",
    "Privatized",
    "Refused",
    "ReportWriter",
    "answer_batches",
    "audit_file",
    "count_dataset",
    "count_into",
    "counted_rows",
    "host_files",
    "open_any",
    "open_dataset",
    "open_labels",
    "privatize_file",
    "read_document",
    "tally_files",
    "tally_survey_files",
    "write_answers",
    "write_document",
    "write_reports",
]
__dir__ = __all__.copy
