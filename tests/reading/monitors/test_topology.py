MATRIX = """\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV18\tSYS\t0-51\t0
GPU1\tNV18\t X \tSYS\t0-51\t0
NIC0\tSYS\tSYS\t X
"""


def test_a_matrix_of_links_counts_gpus(monitors):
    assert [
        (0, None, None),
        (1, None, None),
    ] == [(g.index, g.name, g.memory_total_mib) for g in monitors.read(MATRIX).gpus]


def test_profiles_are_no_devices(monitors):
    text = """| GPU instance profiles:                                                      |
| GPU   Name             ID    Instances   Memory     P2P    SM    DEC   ENC  |
|                              Free/Total   GiB              CE    JPEG  OFA  |
|   0  MIG 1g.10gb       19     7/7        9.75       No     16     1     0   |
|   1  MIG 1g.10gb+me    20     1/1        9.75       No     16     1     0   |"""
    seen = monitors.read(text)

    assert ([0, 1], ()) == ([gpu.index for gpu in seen.gpus], seen.mig_devices)


def test_instances_are_listed_by_their_ids(monitors):
    text = """| GPU instances:                                        |
| GPU   Name             Profile  Instance   Placement  |
|                          ID       ID       Start:Size |
|   0  MIG 1g.10gb         19        9          0:1     |
|   0  MIG 3g.40gb          9        2          4:4     |"""

    assert [(0, 9, "1g.10gb"), (0, 2, "3g.40gb")] == [(d.gpu, d.gi, d.profile) for d in monitors.read(text).mig_devices]


def test_compute_instances_know_their_gpu_instance(monitors):
    text = """| Compute instances:                                                 |
|   0      9       MIG 1g.10gb          0         1          0:1     |"""

    assert [(0, 9, 1)] == [(d.gpu, d.gi, d.ci) for d in monitors.read(text).mig_devices]
