"""What browsers get from a collector: so far the files in `static`, with which a page asks a survey."""
