"""Where a run came from."""

import os
import subprocess
from pathlib import Path

import pytest

from agenteval._time import parse
from agenteval.artifacts.paths import new_run_id
from agenteval.artifacts.provenance import GitProbe, GitState, ci_url, command_line, project_provenance

ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.org",
}


def git(folder, *arguments):
    done = subprocess.run(["git", "-C", str(folder), *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def project(tmp_path):
    git(tmp_path, "init", "-q")
    (tmp_path / "agent.py").write_text("one")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def test_commit_and_dirtiness_are_the_tested_projects(project):
    commit = git(project, "rev-parse", "HEAD")
    (project / "sub").mkdir()
    clean = GitProbe(project / "sub").finish()

    (project / "agent.py").write_text("two")

    assert clean == GitState(commit, False)
    assert GitProbe(project).finish() == GitState(commit, True)


def test_untracked_files_such_as_runs_do_not_make_it_dirty(project):
    (project / "runs").mkdir()
    (project / "runs" / "x.json").write_text("{}")

    assert GitProbe(project).finish().dirty is False


def test_packed_references_detached_heads_and_worktrees_are_read(project, tmp_path_factory):
    commit = git(project, "rev-parse", "HEAD")
    git(project, "pack-refs", "--all")
    packed = GitProbe(project).finish()
    git(project, "checkout", "-q", "--detach")
    detached = GitProbe(project).finish()
    elsewhere = tmp_path_factory.mktemp("w") / "tree"
    git(project, "worktree", "add", "-q", "-b", "other", str(elsewhere))

    assert [packed.commit, detached.commit, GitProbe(elsewhere).finish().commit] == [commit] * 3


def test_without_git_or_commits_nothing_is_claimed(tmp_path):
    nothing = GitProbe(tmp_path).finish()
    git(tmp_path, "init", "-q")

    assert nothing == GitState(None, None)
    assert GitProbe(tmp_path).finish().commit is None


@pytest.mark.parametrize(
    ("commit", "dirty", "middle"),
    [("0123456789abcdef", False, "0123456"), ("0123456789abcdef", True, "0123456-dirty"), (None, None, "nogit")],
)
def test_run_ids_hold_time_commit_and_dirtiness(commit, dirty, middle):
    moment = parse("2026-11-30T22:28:02.230Z")

    name = new_run_id(moment, commit, dirty)

    assert name.rpartition("-")[0] == f"20261130T222802Z-{middle}"
    assert len(name.rpartition("-")[2]) == 6
    assert len({new_run_id(moment, commit, dirty) for _ in range(50)}) > 45


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        (
            {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "7"},
            "https://github.com/o/r/actions/runs/7",
        ),
        ({"CI_JOB_URL": "https://gitlab.example/o/r/-/jobs/1"}, "https://gitlab.example/o/r/-/jobs/1"),
        ({"BUILD_URL": "https://user:pw@jenkins.example/job/1/"}, "https://jenkins.example/job/1/"),
        ({"BUILD_URL": "file:///etc/passwd"}, None),
        ({}, None),
    ],
)
def test_the_ci_runs_address(environ, url):
    assert ci_url(environ) == url


def test_the_command_line_holds_no_absolute_path_of_the_project_and_no_home(tmp_path):
    argv = ["/usr/bin/agenteval", "run", f"{tmp_path}/suites/a.yaml", f"{Path.home()}/x.json"]

    assert command_line(argv, tmp_path) == ["agenteval", "run", "suites/a.yaml", "~/x.json"]


def test_provenance_is_relative_and_names_no_host(tmp_path):
    record = project_provenance(
        tmp_path,
        git=GitState("c" * 40, False),
        suite={"path": tmp_path / "suites" / "a.yaml", "hash": "h"},
        adapter="click.testing:CliRunner",
        registry=None,
        argv=["agenteval"],
        environ={},
    )

    assert record["git"] == {"commit": "c" * 40, "dirty": False}
    assert record["suite"] == {"path": "suites/a.yaml", "hash": "h"}
    assert set(record["packages"]) == {"agenteval", "click"}
    assert record["ci_url"] is None
    assert os.uname().nodename not in str(record).split()
