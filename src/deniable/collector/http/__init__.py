"""The collector over HTTP: a route for uploads that does nothing but take them, and Starlette for everything else."""
