"""Tokens that their own letters give away."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.reading.noise.scrub import scrub

LONG = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zC4"
HEX = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
# of each provider a token, without the part that must go
BEGUN = (
    "hf_{}", "sk-ant-api03-{}", "sk-proj-{}_x", "ghr_{}", "github_pat_{}", "glrt-{}", "gldt-{}", "glcbt-64_{}", "dckr_oat_{}", "xoxe.xoxp-1-{}", "xoxe-1-{}", "xapp-1-A01-123-{}", "xoxd-{}%2F", "GOCSPX-{}", "1//0g{}",
    "whsec_{}", "sq0csp-{}", "EAAAE{}", "IQoJb3JpZ2luX2Vj{}", "FwoGZXIvYXdzE{}", "ABSKQmVkcm9j{}", "pcsk_{}", "fw_{}", "tvly-dev-{}", "glsa_{}_12345678", "glc_eyJ{}", "sntrys_eyJ{}", "x.atlasv1.{}", "fo1_{}", "fm2_{}", "vcp_{}",
    "HRKU-AA{}", "NRAK-{}", "ATATT3xFfGF0{0}{0}", "ATBB{:.32}", "abc8Q~{:.34}", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.{}", "eyJhbGciOiJSU0EifQ.{0}.{0}.{0}.{0}", ".dockerconfigjson: eyJhdXRocyI6eyJo{}", "ak-{:.22}",
    "cfut_{}", "sb_secret_{:.22}_abcd1234", "glffct-{:.20}", "LTAI5t{:.18}", "rzp_live_{:.20}", "y0_AgAAAAA{}", "sgp_{:.40}", "dp.pt.{}", "s.{:.24}", "https://hooks.zapier.com/hooks/catch/12345/{:.16}/", "https://maker.ifttt.com/trigger/x/with/key/{:.22}",
    "AKIAIOSFODNN7EXAMPLQ\n{}/aB+x", "AKIAIOSFODNN7EXAMPLQ, secret access key: {}/aB+x", "argon2 $argon2id$v=19$m=10240,t=10,p=8${:.22}$abc", "authtoken: 2{}_5abc", "bce-v3/ALTAK-{:.21}/x", "secret_me_9f8e7d6c5b4a39281706f5e4d3c2b1a0.{}",
    "bob:$apr1$abcdefgh${:.22}", "root:$6$abcdefgh${}:19000:", "ngrok config add-authtoken 2{}", "the key {} works", "ecdsa-sha2-nistp256 AAAAE2Vj{}",
)  # fmt: skip
IN_HEX = (
    "v1.0-9f8e7d6c5b4a39281706f5e4-{0}{0}{0}{0}abcd", "cloudflare {}-1234_x", "Cloudflare API token: {}01234567", '"cloudflare_token": "{}"', "datadog app key {}01234567", "csk-{}", "esecret_{}", "secret_gpu_{}", "sk_{}0123456789abcdef", "napi_{0}{0}", "sbp_{}01234567", "hcxik_{}",
    "CCIPAT_x_{}01234567", "bkua_{}01234567", "sgp_local_{}01234567", "PMAK-9f8e7d6c5b4a39281706f5e4-{}00", "xkeysib-{0}{0}-abc", "FLWSECK-{}-X", "signkey-prod-{0}{0}", "sntryu_{0}{0}", "patabcdefGHIJKL12.{0}{0}", "access_token$production$abcdef$9{:.31}", "st.9f8e7d6c-1111-2222-3333-444455556666.{0}.{0}",
    'kaggle.json {{"username":"bob","key":"{}"}}', "token-abcde:{0}{0}", "app key: {}", "psk={0}{0}", "bce-v3/ALTAK-abcdefghij1/{}01234567",
    "SK{}", "AC{0}:{0}", "Client('AC{0}', '{0}')", "curl -u AC{0}:{0} https://api.example", "dapi{}", "dose{}", "dapi{}-2", "key-{}", "{}-us12", "pul-{}01234567", "local-{}01234567", "K10{0}{0}::server:{0}", "https://{}@o1.ingest.example/4",
    "wandb: {}01234567", "machine api.wandb.ai login user password {}01234567", "wandb: Paste an API key from your profile and hit enter: {}01234567", "https://acme.webhook.office.com/webhookb2/a@b/IncomingWebhook/{}/x",
)  # fmt: skip
KEPT = (
    "napi_create_external_arraybuffer", "secret_manager_client_version_2", "api-server-9f8e7d6c", "patterns.abc", "s.abcdefghijklmnopqrstuvwx", "self.s.aB3dE5fG7hJ9kL1mN3pQ5rS7", "the cloudflare tunnel is up", "hooks/pre_commit_of_this_repository.py", "local/hooks/pre-commit-2-installed.sample", "sk_learn_version_1",
    "cloudflare meta-llama/Llama-3.3-70B-Instruct", "rpa_vllm", "hcaik", "token abcdef.", "datadog 9f8e7d6c", "the API key: see above", "x.y(token-abc:12)",
    "commit 4f2a9c1b7d8e6f5a4b3c2d1e0f9a8b7c6d5e4f3a", "--revision 4f2a9c1b7d8e6f5a4b3c2d1e0f9a8b7c6d5e4f3a", f"docker logs {HEX}{HEX}", f"vllm/vllm-openai@sha256:{HEX}{HEX}", "GPU-00000000-0000-0000-0000-000000000001",
    "hub/models--a--b/snapshots/4f2a9c1b7d8e6f5a4b3c2d1e0f9a8b7c6d5e4f3a/model.safetensors", "0.11.0rc2.dev12+g4f2a9c1b7", f"chatcmpl-{HEX}", f"cmpl-{HEX}-0", f"md5 {HEX}  x", "vllm-6c9d8f7b5-x2x9k",
    f"torch_compile_cache/{HEX}/rank_0_0", "9f8e7d6c-1111-2222-3333-444455556666", "Root=1-67f7a1b2-3c4d5e6f7a8b9c0d1e2f3a4b", "/root/.triton/cache/K5ZTQN6JWB3QFXHH2TDOYQXRVJ4CPPYB2ZWMDGAIX7SLK3QOJHYQ/x.so",
    "CustomModelForCausalLanguageModeling2", "my-CustomModelQwen25InstructAwq4bit", "_ZN2at4_ops10layer_norm4callERKNS_6TensorEN3c108ArrayRefINS5_6SymIntEEE", "AcmeDecoderForConditionalGeneration",
)  # fmt: skip


@pytest.mark.parametrize(
    "before",
    [
        "sdk-",
        "api-",
        "ms-",
        "pat-na1-",
        "access-sandbox-",
        "pk-lf-",
        "GenieKey ",
        "https://open.feishu.cn/open-apis/bot/v2/hook/",
    ],
)
def test_a_token_that_is_a_name_of_the_world_goes_by_its_beginning(before: str) -> None:
    assert "1111-2222" not in scrub(f"{before}9f8e7d6c-1111-2222-3333-444455556666")


def test_what_lets_a_node_join_goes() -> None:
    assert "kubeadm join h:6443 --token <secret>, or token <secret>." == scrub(
        "kubeadm join h:6443 --token abcdef.0123456789abcdef, or token abcdef.0123456789abcdef."
    )


@pytest.mark.parametrize("text", BEGUN)
def test_a_token_goes_whoever_gave_it(text: str) -> None:
    assert LONG[:16] not in scrub(text.format(LONG))


@pytest.mark.parametrize("text", IN_HEX)
def test_a_token_in_hexadecimal_digits_goes_by_what_stands_around_it(text: str) -> None:
    assert HEX not in scrub(text.format(HEX))


@pytest.mark.parametrize("text", KEPT)
def test_hashes_ids_and_names_stay(text: str) -> None:
    assert text == scrub(text)


@given(st.text("0123456789abcdef", min_size=7, max_size=64))
def test_no_hash_is_taken_for_a_token(text: str) -> None:
    assert f"commit {text}" == scrub(f"commit {text}")


@given(st.lists(st.text(string.ascii_lowercase, min_size=3, max_size=9).map(str.title), min_size=2, max_size=8))
def test_no_name_of_words_is_taken_for_a_token(words: list[str]) -> None:
    assert "".join(words) == scrub("".join(words))


@pytest.mark.parametrize("cut", range(1, 33))
def test_a_token_that_a_line_cuts_goes_from_both_lines(cut: int) -> None:
    token = "abcdefghijklmnopqrstuvwxyzABCDEFGH"

    assert "HF_TOKEN=<token>\n<token>\nvllm serve m" == scrub(f"HF_TOKEN=hf_{token[:cut]}\n{token[cut:]}\nvllm serve m")


def test_a_token_that_is_cut_twice_or_by_a_blank_goes_whole() -> None:
    assert "<token>\n<token>\n<token>\nnext" == scrub("hf_AbCdEfGhIj\nKlMnOpQrSt\nUvWxYzAbCdEfGh\nnext")
    assert "<token> <token> is mine" == scrub("hf_AbCdEfGhIjKlMnOpQrSt UvWxYzAbCdEfGh is mine")


def test_a_beginning_that_no_further_line_completes_stays() -> None:
    assert "hf_AbCd\nEfGh\nnext" == scrub("hf_AbCd\nEfGh\nnext")


def test_the_next_word_of_the_line_is_no_part_of_a_token_that_is_as_much_too_short() -> None:
    assert "HF_TOKEN=<token> vllm serve m" == scrub("HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123 vllm serve m")


@pytest.mark.parametrize("before", ["VLLM_API_KEY=", "sk-proj-", "--api-key "])
def test_what_a_terminal_wrapped_of_a_token_goes_from_every_line(before: str) -> None:
    scrubbed = scrub(f"{before}{LONG}\n{LONG[2:]}\n  {LONG[:12]}\nRuntimeError: x")

    assert ([], "RuntimeError: x") == (
        [part for part in (LONG[4:12], LONG[20:]) if part in scrubbed],
        scrubbed.split("\n")[3],
    )


@pytest.mark.parametrize("behind", ["vllm serve m", "RuntimeError", "TorchDynamo", "9f8e7d6c5b4a39281706", "INFO x"])
def test_the_line_below_a_token_stays(behind: str) -> None:
    assert f"HF_TOKEN=<secret>\n{behind}" == scrub(f"HF_TOKEN=letmein\n{behind}")
