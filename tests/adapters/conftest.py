"""A project for the tests that run one."""

from tests.runner.conftest import project

__all__ = ["project"]
