"""Where programs keep a user's files, as Numba has it."""

class AppDirs:
    user_cache_dir: str
    def __init__(self, appname: str, appauthor: bool) -> None: ...
