"""The paper wang2016, run again."""
