import pytest

from bot.reading.read import read


@pytest.mark.parametrize(
    ("text", "gpu", "count", "nodes"),
    [
        ("#SBATCH --gres=gpu:a100:4", "A100", 4, None),
        ("#SBATCH --nodes=2\n#SBATCH --gres=gpu:a100:4", "A100", 8, 2),
        ("#SBATCH --gpus=8\n#SBATCH --nodes=2", None, 8, 2),
        ("srun -N 2 --gpus-per-node=h100:8 python serve.py", "H100", 16, 2),
        ("#SBATCH --time=1:00", None, None, None),
    ],
)
def test_a_job_asks_for_gpus(text: str, gpu: str | None, count: int | None, nodes: int | None) -> None:
    found = read(text)

    assert (gpu, count, nodes) == (found.value("gpu"), found.value("gpu_count"), found.value("nodes"))
