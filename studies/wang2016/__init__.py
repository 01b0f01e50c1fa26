"""A reproduction of wang2016 on mutual information and subset mechanisms."""
