"""Prints quality and speed: `make bench`."""

from benchmarks import engines, quality, scale, speed

if __name__ == "__main__":
    quality.main()
    speed.main()
    scale.main()
    engines.main()
