"""A reproduction of jiang2018 on localized information privacy."""
