PMON = """# gpu         pid   type     sm    mem    enc    dec    command
# Idx           #    C/G      %      %      %      %    name
    0         77     C     90     40      -      -    python3 -m x
    1          -     -      -      -      -      -    -
    0         77     C     91     41      -      -    python3 -m x
    1          -     -      -      -      -      -    -"""


def test_each_process_of_a_monitor_counts_once(monitors):
    seen = monitors.read(PMON)

    assert [(0, 77, "python3 -m x", None)] == [(p.gpu, p.pid, p.name, p.memory_mib) for p in seen.processes]


def test_a_process_monitor_lists_no_gpu(monitors):
    assert () == monitors.read(PMON).gpus


def test_memory_is_the_frame_buffer_and_not_the_controllers_load(monitors):
    text = "# gpu   pid  type    fb  command\n# Idx     #   C/G    MB  name\n    0    77     C  1200  python3"

    assert [1200] == [p.memory_mib for p in monitors.read(text).processes]


def test_a_process_that_ended_is_not_in_the_newest_sample(monitors):
    text = PMON + "\n    0         99     C     91     41      -      -    bash"
    text += "\n    1          -     -      -      -      -      -    -\n    0         99     C      -      -      -      -    bash"
    text += "\n    1          -     -      -      -      -      -    -"

    assert [99] == [p.pid for p in monitors.read(text).processes]


def test_a_device_monitor_lists_gpus_without_total(monitors):
    text = """# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk
# Idx      W      C      C      %      %      %      %    MHz    MHz
    0    631     63     57    100     10      0      0   2619   1980
    1     97     38      -      8      3      0      0   2619   1980
    0    640     64     57     99     10      0      0   2619   1980"""

    assert [(0, None, None, 99, 640.0), (1, None, None, 8, 97.0)] == [
        (g.index, g.memory_used_mib, g.memory_total_mib, g.utilization_pct, g.power_w) for g in monitors.read(text).gpus
    ]


def test_a_device_monitor_of_memory_says_what_is_used(monitors):
    text = "#Date       Time        gpu    fb   bar1\n#YYYYMMDD   HH:MM:SS    Idx    MB     MB\n 20261130   07:58:12      1  5417      5"

    assert [(1, 5417)] == [(g.index, g.memory_used_mib) for g in monitors.read(text).gpus]
