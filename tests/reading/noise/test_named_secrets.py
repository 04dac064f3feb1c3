"""What a name calls secret."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.reading.noise.scrub import scrub

# Each holds "letmein", which must go.
SPELLINGS = (
    # environments and their files
    "HF_TOKEN=letmein", "export HF_TOKEN='letmein'", 'VLLM_API_KEY="letmein please"', "SLACK_SIGNING_SECRET=letmein", "AZURE_CLIENT_SECRET=letmein~x",
    "DJANGO_SECRET_KEY='letmein now'", "SECRET_KEY_BASE=letmein1", "PGPASSWORD=letmein psql", "MYSQL_PWD=letmein", "DB_PASS=letmein", "PASSPHRASE=letmein", "NGC_API_KEY=letmein",
    "AWS_SECRET_ACCESS_KEY=letmein/x", "aws_session_token = letmein9", "hf_token=letmein", "refresh_token=letmein", "id_token=letmein", "webhook_secret=letmein", "GH_PAT=letmein",
    # YAML and manifests
    "hf_token: letmein", "token: letmein", "secret: letmein", "password: letmein", "passphrase: letmein", "apikey: letmein", "client_secret: letmein", "  - {name: HF_TOKEN, value: letmein}",
    "- name: HF_TOKEN\n  value: letmein", '- name: HF_TOKEN\n  value: "letmein"', "stringData:\n  HF_TOKEN: letmein", "data:\n  token: letmein=",
    # JSON and Python
    '{"token": "letmein"}', '{"hf_token":"letmein"}', '{"secret": "letmein in"}', '{"name": "HF_TOKEN", "value": "letmein"}', r'{\"token\": \"letmein\"}', '"private_key_id": "letmein1"',
    'os.environ["HF_TOKEN"] = "letmein"', "os.environ['OPENAI_API_KEY']='letmein'", 'LLM(model="m", hf_token="letmein")', 'OpenAI(api_key="letmein")', "api_key=['letmein']",
    # command lines
    "--api-key letmein", "--api-key=letmein", "--api-key 'letmein in'", "['--api-key', 'letmein']", "--hf-token letmein", "--docker-password=letmein", "docker run -e HF_TOKEN=letmein i",
    "docker run --env HF_TOKEN='letmein in' i", "ENV HF_TOKEN letmein", "kubectl create secret generic x --from-literal=key=letmein", "machine h login bob password letmein",
    "curl -ubob:letmein http://x", "curl -H 'X-API-Key: letmein' x", "curl -H 'X-Auth-Token: letmein' x", "curl -b 'sid=letmein' x", "echo letmein | docker login --password-stdin r",
    # over several lines, in tables, after signs of other keyboards
    "vllm serve m --api-key \\\n    letmein \\\n  --port 1", "args:\n- --api-key\n- letmein", 'args:\n  - "--api-key"\n  - "letmein"', '"--api-key",\n    "letmein"', "HF_TOKEN:" + " " * 40 + "letmein",
    "| HF_TOKEN | letmein99 |", "HF_TOKEN\tletmein99", "--api-key\u00a0letmein", "HF_TOKEN＝letmein", "HF_TOKEN： letmein", "HF_TOKEN%3Dletmein", "https://h/x?a=1&amp;sig=letmein",
    "<password>letmein</password>", "<apiKey>letmein</apiKey>", "<ns:hf_token>letmein</ns:hf_token>", "<secret>letmein</secret>",
    # several keys of one server
    "api_key=['other', 'letmein']", "{'api_key': ['a', 'b', 'letmein'], 'model': 'm'}", "--api-key first letmein4567890123 --port 1", "wandb login letmein4567890123456",
    # short names, other languages' quotes, calls, elements, blocks
    "pw=letmein", "pw: letmein", "pwd: letmein", "pass=letmein", "pass: letmein", "user=bob pass=letmein", "'pass': 'letmein'", "Pass=letmein", "the pw is letmein", "privateKey: letmein", "bot_token=letmein",
    "password = '''letmein'''", 'password = """letmein"""', "password=f'letmein'", '{"password": "a\\"letmein"}', 'token=SecretStr("letmein")', "os.putenv('HF_TOKEN', 'letmein')", "os.environ.setdefault('HF_TOKEN', 'letmein')",
    "password: |\n  letmein", "password: >-\n  letmein", '<entry key="db.password">letmein</entry>', "<td>password</td><td>letmein</td>", '<input name="password" type="password" value="letmein">',
    "wandb.login(key='letmein')", "wandb login --relogin letmein4567890123456", "password  letmein9x",
    # words that a backslash cuts
    "HF_TOKEN=x\\\nletmein", "--api-key x\\\nletmein --port 1", "DB_PASSWORD='x\\\nletmein'", "curl -u bob:x\\\nletmein http://x",
    # sentences
    "my password is letmein", "the password was: letmein", "api key = letmein", "API key: letmein", "token is letmein99", "signing secret: letmein", "access token: letmein", "passwd letmein99",
    "mein Passwort ist letmein9x", "mon mot de passe est letmein9x", "mi contraseña es letmein9x", "мой пароль letmein9x", "我的密码是letmein9x", "パスワードはletmein9x", "Passwort letmein9x",
    "Passwort: letmein", "密码：letmein", "口令: letmein", "mots de passe : letmein", "contraseña: letmein", "senha=letmein", "Пароль: letmein", "パスワード: letmein", "비밀번호: letmein",
    '<add key="Password" value="letmein"/>', "npm config set //r/:_authToken letmein99x",
    "CI_JOB_TOKEN letmein1x", "AccountKey=letmein==;x",
)  # fmt: skip

KEPT = (
    "see more here: some-plain-page-name-of-a-manual",
    "the token is invalid", "api key is missing", "password authentication failed", "the password is wrong", "secret is mounted at /x", "token: str, password: Optional[str]",
    "token=<your token>", "token: null", "set HF_TOKEN=$HF_TOKEN", "--api-key $KEY", "HF_TOKEN is not set", "secret: not found", "token: 128009", "token budget: 8192", "tokens: 131,072",
    "eos_token: </s>", "pad_token='x'", "first token: 3.2 s", "time per output token: 20ms", "the secret is to lower the share", "forward_pass: 12", "key: value", "invalid token", "Bearer token required",
    "| Token | Time |", "--api-key <secret> meta-llama/Llama-3.3-70B-Instruct", "['--api-key', '<secret>', '--model', 'm']", "--api-key \\\n  --port 8000", "- --api-key\n- --port",
    "--max-num-batched-tokens 2048", "token meta-llama/Llama-3.3-70B-Instruct", "--tokenizer-mode mistral", "num_key_value_heads: 8", "special_token_policy: ignore", "Passwort: falsch", "密码：错误", "contraseña: incorrecta", "das Passwort fehlt", "mein Passwort ist falsch", "le mot de passe est requis", "пароль неверный", "密码是错误的", "Passwort vergessen?", "draft tokens: 12", "tokens/s: 12.5",
    "PWD=/root/vllm", "pass: 12, fail: 0", "optimization pass: NoOpElimination", "PASS: test_x", "pass --api-key or VLLM_API_KEY", "use --api-key to set one", "a\\\nb", "C:\\models\\\nnext",
    "pad_token_id=0", "hf_overrides={'max_position_embeddings': 8192}", "hf_token=None, tokenizer='Qwen/Qwen3-8B', skip_tokenizer_init=False", "GPU KV cache size: 90,000 tokens", '"stop_token_ids": [1]', "['token', 'text']",
    "token = tokenizer.decode(ids)", 'api_key=os.environ["OPENAI_API_KEY"]', "from_pretrained(model, token=token)", "--api-key YOUR_SECRET", "bot token: Slack says invalid_auth", 'assert ["token"] == [x]', "secretKeyRef:\n  name: hf-token\n  key: token",
    "--ssl-keyfile /etc/key.pem", "<td>tokens</td><td>128</td>", "wandb: Run data is saved locally in wandb/run-20250101_000000-abcd1234",
)  # fmt: skip


@pytest.mark.parametrize("text", SPELLINGS)
def test_what_a_name_calls_secret_goes(text: str):
    assert "letmein" not in scrub(text)


@pytest.mark.parametrize("text", KEPT)
def test_what_is_said_of_a_secret_and_what_is_counted_stay(text: str):
    assert text == scrub(text)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from([*SPELLINGS, *KEPT, "token", "'", '"', ": ", "=", "password is ", "value:"]), max_size=6)
)
def test_whatever_stands_together_twice_is_once_and_keeps_its_lines(parts: list[str]):
    text = " ".join(parts)
    once = scrub(text)

    assert (once, text.count("\n")) == (scrub(once), once.count("\n"))
