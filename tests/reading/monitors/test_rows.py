import pytest

OUTPUTS = {
    "sheet": "index, name, memory.used [MiB], memory.total [MiB]\n0, NVIDIA L4, 5 MiB, 23034 MiB\n1, NVIDIA L4, 6 MiB, 23034 MiB",
    "bare sheet": "0, NVIDIA L4, 5 MiB, 23034 MiB\n1, NVIDIA L4, 6 MiB, 23034 MiB",
    "list": "GPU 0: NVIDIA L4 (UUID: GPU-0a1b2c3d-1111-2222)\nGPU 1: NVIDIA L4 (UUID: GPU-0a1b2c3d-1111-3333)",
    "report": "GPU 00000000:01:00.0\n    FB Memory Usage\n        Total : 9 MiB\nGPU 00000000:02:00.0\n    FB Memory Usage\n        Total : 8 MiB",
    "pmon": "# gpu   pid  type    fb  command\n# Idx     #   C/G    MB  name\n    0    77     C  1200  python3\n    1    78     C     3  bash",
    "topo": "\tGPU0\tGPU1\nGPU0\t X \tNV4\nGPU1\tNV4\t X ",
    "gpustat": "[0] NVIDIA L4 | 41C, 9 % | 17 / 23034 MB | a(12M)\n[1] NVIDIA L4 | 41C, 9 % | 18 / 23034 MB |",
    "rocm-smi": "GPU[0]\t: VRAM Total Memory (B): 1048576\nGPU[1]\t: VRAM Total Memory (B): 2097152",
    "amd-smi": "GPU: 0\n    MEM_USAGE:\n        TOTAL_VRAM: 9 MB\nGPU: 1\n    MEM_USAGE:\n        TOTAL_VRAM: 8 MB",
}
PREFIXES = (
    "node-03: ", "# ", "// ", " * ", "- ", "+", "> ", "[12:00:0{n}] ", "INFO:root:", "out> ", "{n:>4}  ", "{n}: ", "9{n} | ", "{n}\t", "        ",
    "2026-11-30 07:58:12,123 - __main__ - INFO - ", '    "stdout: ', "2026-11-30T08:12:01.10{n}Z stdout F ",
    "Nov 30 08:12:01 host gpu[43]: ", "(EngineCore pid=21) INFO 11-30 07:58:12 [smi.py:31] ",
)  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("output", OUTPUTS)
def test_what_stands_before_each_line_is_none_of_the_output(monitors, output, prefix):
    text = OUTPUTS[output]
    noisy = "\n".join(prefix.format(n=n) + line for n, line in enumerate(text.split("\n"), 1))

    assert monitors.state_of(monitors.read(text)) == monitors.state_of(monitors.read(noisy))


@pytest.mark.parametrize("output", OUTPUTS)
def test_outputs_without_prefix_show_their_gpus(monitors, output):
    seen = monitors.read(OUTPUTS[output])

    assert 2 == len(seen.processes if "pmon" == output else seen.gpus)


def test_paths_with_backslashes_are_no_line_ends(monitors):
    row = "|    0   N/A  N/A      11    C+G   C:\\new\\nvidia\\notes.exe      12MiB |"

    assert [(11, 12)] == [(p.pid, p.memory_mib) for p in monitors.read(row).processes]
