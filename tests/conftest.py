"""What all tests may ask for: the addresses of real search servers."""

pytest_plugins = ["tests.servers.fixtures"]
