"""Which program a paste's machinery names."""

from __future__ import annotations

import pytest

from bot.diagnosis.words.owners import name_owner

PACKAGES = "/opt/venv/lib/python3.11/site-packages"


@pytest.mark.parametrize(
    ("owner", "text"),
    [
        ("acme_infer", f'  File "{PACKAGES}/acme_infer/serve.py", line 80, in lifespan'),
        (
            "acme_infer",
            f'  File "{PACKAGES}/torch/x.py", line 8, in f\n  File "{PACKAGES}/acme_infer/y.py", line 2, in g',
        ),
        ("acme_infer", "python3 -u -m acme_infer.launch --model-path org/m"),
        ("acme-infer", "$ acme-infer serve org/m --tp 2"),
        ("acme", "acme train run.yml"),
        ("acme", "acme sft --model org/m --train_type lora"),
        ("acme", "acme run one_device --config a/b.yaml"),
        ("MapBatches(Embed)", "(MapBatches(Embed) pid=100) boom"),
        ("acme_core", "2026-01-03T10:00:00.000000Z  INFO acme_core::pipeline: loading"),
        ("acme_ui", "acme_ui.main - ERROR - CUDA out of memory"),
        ("acme_ui", "2026-01-03 10:00:00,123 - acme_ui.main - ERROR - CUDA out of memory"),
        ("acme_ui", "ERROR:acme_ui:CUDA out of memory"),
        ("default:Embedder", "(ServeReplica:default:Embedder pid=34) boom\n(ServeController pid=3) it failed"),
        ("/work/run.py", 'Traceback (most recent call last):\n  File "/work/run.py", line 5, in <module>'),
        ("tools/paint.py", "Command: python tools/paint.py --steps 20\nRuntimeError: boom"),
        ("Cell In[3], line 5", "Cell In[3], line 5\n----> 5 model.cuda()"),
    ],
)
def test_a_program_is_named_by_its_machinery(owner: str, text: str):
    assert owner == name_owner(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "CUDA out of memory",
        f'  File "{PACKAGES}/transformers/hub.py", line 80, in f\n  File "{PACKAGES}/huggingface_hub/x.py", line 8, in g',
        "python -m torch.distributed.run x.py",
        "python3 -u api_server.py --model m",
        "CUDA_VISIBLE_DEVICES=1 python /usr/lib/python3/dist-packages/torch/run.py",
        "please serve org/m with --tp 2",
        "please serve org/m --tp 2",
        "docker run org/image --gpus all",
        "$ ray start --head",
        "(RayWorkerWrapper pid=7) boom\n(raylet pid=3) x",
        "(ServeReplica:app:LLMServer pid=7) boom",
        "(raylet, ip=10.1.2.3) x",
        "(raylet pid=3) x",
        "ERROR:    Application startup failed. Exiting.",
        "ERROR:root:boom",
        'Traceback (most recent call last):\n  File "/work/run.py", line 5, in <module>\n    llm = LLM(model="m")',
        f'Traceback (most recent call last):\n  File "{PACKAGES}/uvicorn/main.py", line 5, in run',
    ],
)
def test_what_vllm_stands_on_names_nobody(text: str):
    assert None is name_owner(text)


@pytest.mark.parametrize(
    ("work", "text"),
    [
        ("training", "it stops when I start the training"),
        ("training", "my SFTTrainer stops"),
        ("training", "I try to train on two cards"),
        ("training", "with gradient checkpointing it stops"),
        ("pictures", "it loads the t5xxl and stops"),
        ("pictures", "SDXL stops"),
    ],
)
def test_work_that_vllm_does_not_do_is_named(work: str, text: str):
    assert work == name_owner(text)


@pytest.mark.parametrize(
    "text", ["a model that we trained", "my training went well", "the training data", "a fine train"]
)
def test_what_was_trained_may_be_served(text: str):
    assert None is name_owner(text)
