"""Whole columns on a Spark cluster: ``dn.spark``. It needs ``pip install 'deniable[spark]'`` and Java.

``privatize_dataframe`` makes a column of reports, ``tally_dataframe`` counts one, and ``tally_paths`` counts the files
in a cluster's store; ``spark_session`` is a session whose batches suit counting.
"""

from deniable.engines.spark import privatize_dataframe, spark_session, tally_dataframe, tally_paths

__all__ = ["privatize_dataframe", "spark_session", "tally_dataframe", "tally_paths"]
