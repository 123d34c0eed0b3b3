"""Prints quality and speed: `make bench`."""

from benchmarks import engines, quality, speed

if __name__ == "__main__":
    quality.main()
    speed.main()
    engines.main()
