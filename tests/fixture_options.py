"""Command line options of the golden tests and of the choice of tests, for conftest.py to register."""

import zlib

import pytest

# Of how many tests of a function the quick run takes one; of what is not named here it takes all.
SAMPLED = {
    "test_rule_gives_what_numpy_gives": 4,
    "test_rule_cut_to_its_call_gives_what_numpy_gives": 12,
    "test_translated_call_does_as_numpy": 6,
    "test_traced_call_does_as_numpy": 12,
    "test_known_difference_is_still_there": 4,
    "test_gradient_of_rule_is_the_slope_of_numpy": 8,
    "test_gradient_of_direct_name_is_the_slope_of_numpy": 8,
    "test_rule_compiles": 8,
    "test_direct_name_compiles": 8,
    "test_program_is_not_silently_wrong": 4,
    "test_program_is_not_silently_wrong_in_a_graph": 8,
    "test_results_do_not_depend_on_stores_that_others_see": 4,
    "test_results_are_bit_identical": 4,
    "test_output_needs_no_tensorflow": 4,
    "test_trap_is_not_silently_wrong": 3,
    "test_results_are_numpys": 3,
    "test_walk_gives_the_nodes_in_the_order_of_ast": 4,
    "test_page_can_be_followed": 1000,  # commands that import TensorFlow: for the long run
    "test_translation_of_the_tool_is_verified": 1000,  # minutes of replays: for the long run
    "test_faults_are_found_at_their_functions_and_cost_no_other_one": 1000,  # minutes of replays: for the long run
    "test_recording_of_a_hostile_hand_runs_nothing": 1000,  # minutes of replays: for the long run
}


def add_options(parser: pytest.Parser) -> None:
    """Add `--accept`; `--device` is the option that the rules' tests have."""
    parser.addoption(
        "--accept", action="store_true", help="rewrite the golden files under fixtures/ with what came out"
    )
    parser.addoption("--quick", action="store_true", help="of the long suites run some tests only, always the same")


def is_quick(item: pytest.Item) -> bool:
    """Whether the quick run takes a test: by its name, so that a new one changes nothing for the others."""
    name, _, _ = item.name.partition("[")
    return zlib.crc32(item.name.encode()) % SAMPLED.get(name, 1) == 0


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what `--quick` leaves out."""
    if not config.getoption("--quick"):
        return
    config.hook.pytest_deselected(items=[one for one in items if not is_quick(one)])
    items[:] = filter(is_quick, items)
