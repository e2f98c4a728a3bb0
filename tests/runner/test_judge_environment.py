"""The variables that name a judge, and what they must not hold."""

from __future__ import annotations

import pytest

from agenteval.errors import InputError
from agenteval.runner.judges import judge_settings

KEY = "sk-live-zyxwvutsrqponmlkjihgfedc"


def test_a_key_in_place_of_a_variables_name_is_refused_and_not_shown() -> None:
    with pytest.raises(InputError, match="AGENTEVAL_JUDGE_API_KEY_ENV: must be the name of an environment variable, never a key") as caught:
        judge_settings({"model": "m"}, environ={"AGENTEVAL_JUDGE_API_KEY_ENV": KEY})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("address", ["localhost:8000/v1", "https://", "ftp://host/v1", "http://host/v 1"])
def test_an_address_that_is_none_is_refused_before_anything_is_asked(address: str) -> None:
    with pytest.raises(InputError, match="AGENTEVAL_JUDGE_BASE_URL: must be an address such as https://host/v1"):
        judge_settings({"model": "m"}, environ={"AGENTEVAL_JUDGE_BASE_URL": address})


@pytest.mark.parametrize("nothing", ["", "  "])
def test_an_empty_variable_names_nothing(nothing: str) -> None:
    environ = dict.fromkeys(("AGENTEVAL_JUDGE_MODEL", "AGENTEVAL_JUDGE_BASE_URL", "AGENTEVAL_JUDGE_API_KEY_ENV"), nothing)
    found = judge_settings({"model": "of the suite", "base_url": "http://suite/v1"}, environ=environ)
    assert found is not None
    assert (found.model, found.base_url, found.api_key_env) == ("of the suite", "http://suite/v1", "OPENAI_API_KEY")
