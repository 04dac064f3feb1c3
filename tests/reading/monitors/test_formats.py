from bot.reading.monitors.formats import NEAR, near_marks


def a_log(lines=3000):
    return [f"INFO 11-30 07:58:{n % 60:02} [core.py:{n}] Loading weights took {n}.5 seconds" for n in range(lines)]


def test_a_short_paste_is_read_whole(monitors):
    lines = monitors.lines("hello\nworld")

    assert lines == near_marks(lines)


def test_of_a_long_log_only_the_neighbourhood_of_an_output_is_read(monitors):
    table = monitors.print_table(monitors.Machine(), "580")
    near = near_marks(monitors.lines("\n".join([*a_log(), *table, *a_log()])))

    assert set(table) <= {line.text for line in near}
    assert len(near) <= len(table) + 2 * NEAR


def test_a_long_log_without_outputs_leaves_nothing(monitors):
    assert [] == list(near_marks(monitors.lines("\n".join(a_log()))))


def test_a_report_with_long_stretches_is_read_whole(monitors):
    lines = monitors.lines("\n".join([*a_log(), "    FB Memory Usage", *a_log()]))

    assert lines == near_marks(lines)
