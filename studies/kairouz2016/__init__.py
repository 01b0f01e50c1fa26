"""A reproduction of kairouz2016 on decoders and hashed mechanisms."""
