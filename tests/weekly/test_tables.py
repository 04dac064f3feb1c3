from __future__ import annotations

from bot.weekly.figures import Names
from bot.weekly.tables import CAUSE, CHANNEL, GPU, MODEL, PRIVATE, TEAM, tables, top_causes
from tests.weekly.makers import a_count, a_week, an_incident, table


def test_a_value_is_counted_against_the_week_before() -> None:
    week = a_week(
        an_incident(gpu="NVIDIA L4"), an_incident(gpu="L4"), an_incident(gpu="H100"), before=(a_count(gpu="L4"),)
    )

    assert {"L4": ("2", "1", "+1"), "H100": ("1", "0", "+1")} == table([*tables(week, [GPU])], "GPU")


def test_an_axis_that_nobody_knows_anything_of_is_left_out() -> None:
    assert ["GPU"] == [found.headers[0] for found in tables(a_week(an_incident(gpu="L4")), [CAUSE, MODEL, GPU])]


def test_what_does_not_fit_is_counted_together() -> None:
    week = a_week(*(an_incident(gpu=f"card {n}") for n in range(12)))

    assert ("4", "0", "+4") == table([*tables(week, [GPU])], "GPU")["4 others"]


def test_what_is_not_known_comes_last_however_often() -> None:
    cases = (an_incident(), an_incident(), *(an_incident(gpu=f"card {n}") for n in range(9)))

    assert ["card 0", "1 others", "not known"] == [[*table(tables(a_week(*cases), [GPU]), "GPU")][n] for n in (0, 8, 9)]


def test_a_private_channel_is_counted_and_neither_named_nor_are_its_models() -> None:
    week = a_week(an_incident(model="org/known"), an_incident(channel="G1", model="org/secret-model"))

    told = [*tables(week, [MODEL, CHANNEL])]

    assert {"known", PRIVATE} == set(table(told, "Model"))
    assert {"#help", PRIVATE} == set(table(told, "Channel"))


def test_the_platform_is_counted_by_team() -> None:
    week = a_week(an_incident(team="ml"), an_incident(team="T1"))

    assert {"ml", "no team"} == set(table([*tables(week, [TEAM])], "Team"))


def test_the_top_causes_are_drawn_beside_the_week_before() -> None:
    cases = an_incident(cause="a"), an_incident(cause="a"), an_incident(problem="p", cause="b-c")
    titles = Names(causes={"p/b-c": "By and by"})

    (chart,) = top_causes(a_week(*cases, before=(a_count(problem="p", cause="b-c"),), names=titles))

    assert ("a", "b c") == chart.short
    assert (("A", "By and by"), [(2.0, 1.0), (0.0, 1.0)]) == (chart.labels, [series.values for series in chart.series])


def test_causes_that_are_as_frequent_stand_by_name() -> None:
    (chart,) = top_causes(a_week(*(an_incident(cause=cause) for cause in ("c", "a", "b", "c"))))

    assert ("C", "A", "B") == chart.labels
