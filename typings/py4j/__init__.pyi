"""What deniable uses of the bridge between Python and Spark."""
