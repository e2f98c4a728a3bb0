import pytest

from tests.runner.project import Project


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()  # the project's root is here, whatever lies above
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)
