import re

import pytest

from bot.reading.noise.scrub import scrub

LONG = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z"
# what is pasted, and the part of it that must go
KINDS = {
    "a hub's token": (f"hf_{LONG}", LONG),
    "an API key": (f"sk-proj-{LONG}", LONG),
    "a forge's token": (f"ghp_{LONG}", LONG),
    "a chat's token": (f"xoxb-1234-5678-{LONG}", LONG),
    "a cloud's key": ("AKIAIOSFODNN7EXAMPLQ", "IOSFODNN7"),
    "a web token": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc123DEF456_ghi", "eyJzdWIi"),
    "a key in colours": (f"hf_{LONG[:8]}\x1b[0m{LONG[8:]}", LONG[8:]),
    "a key with marks of no width": (f"ghp_{LONG[:8]}\u200b{LONG[8:]}", LONG[8:]),
    "a key in half a UTF-16": ("\x00".join(f"hf_{LONG}"), LONG[-3:]),
    "a payment's key": (f"sk_live_{LONG}", LONG),
    "a vault's token": (f"hvs.{LONG}", LONG),
    "a warehouse's token": ("dapi0123456789abcdef0123456789abcdef", "0123456789abcdef"),
    "a droplet's token": (f"dop_v1_{LONG}", LONG),
    "a bot's token": (f"https://api.telegram.org/bot123456789:{LONG}/send", LONG),
    "a mail sender's key": (f"SG.{LONG}.{LONG}", LONG),
    "a webhook": (f"https://hooks.slack.com/services/T0123/B0123/{LONG}", LONG),
    "a link's credentials": ("postgres://bob:pw12345@db:5432/x", "pw12345"),
    "a signed link": ("https://x.blob.core.windows.net/c/m?sv=2022&sig=abCdEf123456%3D", "abCdEf"),
    "a mail address": ("ann.lee@acme.example", "ann.lee"),
    "an address": ("10.20.30.41", "20.30"),
    "a long address": ("2001:db8:85a3:8d3:1319:8a2e:370:7348", "85a3"),
    "a short long address": ("fd12:3456:789a::1", "3456"),
    "a cloud's host": ("ip-10-0-12-34.ec2.internal", "10-0-12-34"),
    "a cluster's host": ("vllm.prod.svc.cluster.local", "prod"),
    "a home": ("/home/annlee/models/m-8b", "annlee"),
    "a home of Windows": ("C:\\Users\\annlee\\models", "annlee"),
    "a bucket": ("s3://acme-bucket/llm/m-8b", "acme-bucket"),
    "a bucket's address": ("https://acme-bucket.s3.us-east-1.amazonaws.com/llm/m", "acme-bucket"),
    "a storage account": ("https://acmeacct.blob.core.windows.net/c/m", "acmeacct"),
    "a token in a sentence": ("token 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432", "9f8e7d6c5b"),
    "a key in a sentence": (f"api key is {LONG}", LONG),
    "a prompt": ("annlee@gpu-box-07:~/work$", "annlee"),
}
PLACES = (
    "{}", "use {} now", '"{}"', "'{}'", "`{}`", "({})", "[{}]", "KEY={}", "key: {}", '"key": "{}"', "--foo {} --bar", "--foo={}", "{},", "{}.", "{};",
    "-e K={}", "INFO 01-01 10:00:00 [x.py:1] got {} from it", "line\n{}\nline", "\t{}", "{}：", "=>{}", "*{}*",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_goes_wherever_it_stands(kind: str) -> None:
    text, secret = KINDS[kind]
    scrubbed = {place: scrub(place.replace("{}", text)) for place in PLACES}

    assert {} == {place: shown for place, shown in scrubbed.items() if secret in shown}


@pytest.mark.parametrize("kind", KINDS)
def test_scrubbing_twice_is_scrubbing_once(kind: str) -> None:
    once = [scrub(place.replace("{}", KINDS[kind][0])) for place in PLACES]

    assert once == [scrub(text) for text in once]


@pytest.mark.parametrize(
    "text",
    [
        "HF_TOKEN=letmein",
        "VLLM_API_KEY: letmein",
        "DB_PASSWORD=letmein",
        "password: letmein",
        '"password": "letmein"',
        'api_key="letmein"',
        "--api-key letmein",
        "--api-key=letmein",
        "x-api-key: letmein",
        "args: Namespace(api_key=['letmein'])",
        "{'api_key': ['letmein']}",
        "Authorization: Bearer letmein",
        "Authorization: Token letmein",
        "Cookie: session=letmein",
        "curl -u ann:letmein http://x",
        "docker login -u ann -p letmein registry",
        '"auth": "letmein="',
        "client-key-data: letmein=",
        "- name: HF_TOKEN\n  value: letmein",
        'env:\n- name: VLLM_API_KEY\n  value: "letmein"',
        "ENV HF_TOKEN letmein",
    ],
)
def test_what_a_name_calls_secret_goes_whatever_it_looks_like(text: str) -> None:
    assert None is re.search("letmein", scrub(text))


@pytest.mark.parametrize(
    "text",
    [
        "https://huggingface.co/acme/model-8b",
        "https://github.com/vllm-project/vllm/issues/1",
        "docker.io/vllm/vllm-openai:v0.9.1",
        "nvcr.io/nvidia/vllm:25.09-py3",
        "max_tokens: 4096, MAX_TOKENS=4096, token_budget=2048",
        '"eos_token": "<|im_end|>"',
        "tcp://127.0.0.1:51234",
        "torch 2.8.0.1, cudnn 9.1.0.70, driver 535.104.05.01",
        "nvidia-nccl-cu12==2.27.3.1",
        "GPU 00000000:65:00.0, 0000:05:00.0",
        "/usr/local/lib/python3.12/dist-packages/vllm/v1/engine/core.py",
        "/root/.cache/huggingface/hub/models--acme--model-8b",
        "c10::Error, torch::Tensor, std::bad_alloc, a::b",
        "it took 12:34:56",
        "api_key=None, token=$HF_TOKEN",
        "KeyError: 'model.layers.0.weight'",
        "--tokenizer acme/model-8b --max-num-batched-tokens 8192",
        "Token usage: 0.95, the key: value",
        "bytes per token meta-llama/Llama-3.3-70B-Instruct, per token Qwen2.5-72B-Instruct-GPTQ-Int4",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert text == scrub(text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_goes_out_of_a_log(kind: str) -> None:
    pasted, secret = KINDS[kind]
    chatter = "\n".join(f"GET /{number} took {number * 7} ms" for number in range(300))

    assert secret not in scrub(f"{chatter}\n{pasted}\n{chatter}")


@pytest.mark.parametrize(
    "before",
    ["HF_TOKEN=", "--api-key ", "hf_", "Authorization: Bearer ", "Cookie: a=", "curl -u bob:", "docker login -p ", "://bob:", "?sig=", "client-key-data: ", "AKIA", "eyJ", "echo "],
)  # fmt: skip
def test_a_secret_goes_to_its_last_letter_however_long_it_is(before: str) -> None:
    assert "LAST" not in scrub(f"{before}{LONG * 300}LAST@h | docker login --password-stdin")
