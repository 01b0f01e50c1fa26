"""Whole columns on a Spark cluster: ``dn.spark``. It needs ``pip install 'deniable[spark]'`` and Java.

``privatize_dataframe`` makes a column of reports, ``tally_dataframe`` counts one, and ``tally_paths`` counts the files
in a cluster's store; ``spark_session`` is a session whose batches suit counting. ``SparkWorkers`` of a session do the
work of ``dn.files.count_into``.

Starting Java takes some ten seconds:

```python
session = dn.spark.spark_session("local[2]")
answers = session.createDataFrame([("yes",)] * 500, ["answer"])
m = dn.RandomizedResponse(["yes", "no"], epsilon=1.0)
print(dn.spark.tally_dataframe(m, dn.spark.privatize_dataframe(m, answers, "answer")))
```
"""

from deniable.engines.spark import privatize_dataframe, spark_session, tally_dataframe, tally_paths
from deniable.engines.spark_workers import SparkWorkers

__all__ = ["SparkWorkers", "privatize_dataframe", "spark_session", "tally_dataframe", "tally_paths"]
__dir__ = __all__.copy
