"""The paper jiang2018, run again."""
