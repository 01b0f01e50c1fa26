"""The paper kairouz2016, run again."""
