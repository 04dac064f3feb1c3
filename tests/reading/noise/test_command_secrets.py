"""What a command takes as a password without a word that says so."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub

# Each holds "letmein", which must go.
COMMANDS = (
    "mysql -u root -pletmein -h db", "mysqldump -uroot -pletmein! db > x", "mariadb -u root -pletmein", "redis-cli -h r -a letmein ping", "redis-cli -a 'letmein in' -h r", "redis-cli --pass letmein", "redis-cli -n x?a=1&b=2 -a letmein",
    "redis-server --requirepass letmein", "requirepass letmein", "masterauth letmein", "REDISCLI_AUTH=letmein redis-cli", "SSHPASS=letmein sshpass -e ssh h", "sshpass -p letmein ssh h", "sshpass -pletmein ssh h",
    "sshpass -p 'letmein in' ssh h", "docker login -u ann -pletmein r", "skopeo login r -u x -p letmein", "helm registry login r -u x -p letmein", "az login --service-principal -u a -p letmein --tenant t",
    "mongosh -u bob -p letmein h", "snowsql -a acct -u bob -p letmein", "sqlcmd -S h -U sa -P letmein", "unzip -P letmein a.zip", "7z x -pletmein a.7z", "ldapsearch -D cn=x -w letmein h",
    "curl -su bob:letmein https://x", "curl -U bob:letmein https://x", "curl -u 12345:letmein https://x", "curl -s \\\n  -u bob:letmein x", "http -a bob:letmein GET x", "smbclient //h/s -U bob%letmein",
    "lftp -u bob,letmein h", "psexec -u bob -p letmein cmd", "xfreerdp /u:bob /p:letmein /v:h", "openssl enc -pass pass:letmein -in x", "gpg --batch --passphrase letmein -d x", "echo letmein | sudo -S reboot", "printf 'letmein' | docker login --password-stdin", "echo bob:letmein | chpasswd",
    "docker login -u x --password-stdin <<< letmein", "kinit bob <<< 'letmein'", "htpasswd -bc f bob letmein", "rabbitmqctl add_user bob letmein", "mc alias set minio http://h:9000 bob letmein",
    "machine h\n  login bob\n  password letmein", "machine h password letmein", "db.acme.example:5432:app:bob:letmein", "*:*:*:bob:letmein", "requests.get(u, auth=('bob', 'letmein'))", "Server=h;Uid=bob;Pwd=letmein;",
    "_auth=letmein==", "pass = letmein", "secretKey: letmein", "AWS Secret Access Key [None]: letmein", '"identitytoken": "letmein"', "https://h/v1?auth=letmein", "Unseal Key 1: letmein==",
    "http://bob:x@letmein@proxy:3128", "AUTHORIZATION: basic letmein", "Proxy-Authorization: BASIC letmein",
    "psql -h db -U bob -W letmein", "sshpass -p letmein ssh -p 2222 h", "curl 'http://h/x?a=1&b=2' -u bob:letmein", "curl -u 'bob:letmein in' x", "echo -n letmein | docker login --password-stdin", "printf '%s' letmein | huggingface-cli login", "printf '%s\\n' \"letmein\" | hf auth login",
    "echo 'a letmein' | gh auth login --with-token", "echo letmein | kubectl create secret generic x --from-file=token=/dev/stdin", "ipmitool -H h -U a -P letmein", "useradd -p letmein bob", "ssh-keygen -N letmein -f x", "htpasswd -nb bob letmein", "vault login letmein12",
    "gh secret set HF_TOKEN --body letmein", "gh secret set HF_TOKEN -b letmein", "vault kv put secret/hf foo=letmein", "fly secrets set A=1 FOO='letmein x'", "modal secret create x FOO=letmein", "heroku config:set FOO=letmein", "aws configure set aws_secret_access_key letmein",
    "aws secretsmanager create-secret --name x --secret-string letmein", "aws ssm put-parameter --name x --value letmein --type SecureString", "runpodctl config --apiKey letmein", "poetry config http-basic.x bob letmein", "poetry config pypi-token.pypi letmein", "dvc remote modify --local x password letmein",
    "login('letmein')", 'huggingface_hub.login("letmein")', "smtp.login('bob', 'letmein')", "HTTPBasicAuth('bob', 'letmein')", "httpx.BasicAuth('bob', 'letmein')",
    "Authorization: AWS4-HMAC-SHA256 Credential=x/2020/us, Signature=letmein", "Authorization: Negotiate letmein==", "'Authorization': f'Bearer letmein'",
)  # fmt: skip

KEPT = (
    "mysql -u root -p", "mysql -h db -P 3306", "redis-cli -h r ping", "docker run -p 8000:8000 --gpus all vllm/vllm-openai", "docker run --name mongo -p 27017:27017 m", "docker run -u 1000:1000 x", "--user 1000:1000",
    "docker login -u ann --password-stdin r", "docker login r && docker run -p 8000:8000 x", "ps -p 1234 -o rss", "mkdir -p /models/x", "ssh -p 2222 h", "sshpass -e ssh h", "srun -p gpu --pty bash", "python -u train.py:main",
    "nvidia-smi -pm 1", "echo done | tee x", "cat <<< hello", "torch.distributed.run --rdzv_endpoint=h:29500", "lo:1234:a", "curl -s http://localhost:8000/v1/models -o x",
    "vault kv put secret/hf foo=@file", "kv put stores k=<v>", "login()", "login(token=token)", "login('<token>')", "def login(user): pass", "config.put x=1", "aws s3 ls", "gh issue create --body x",
    "sshpass -p <secret> ssh -p 2222 h", "echo done | tee login.txt", "login node: use sbatch -p gpu", "helper says :cookie: to that", "psql -h db -c 'select 1'", "http 200 OK -a",
)  # fmt: skip


@pytest.mark.parametrize("text", COMMANDS)
def test_what_a_command_takes_as_a_password_goes(text: str) -> None:
    assert "letmein" not in scrub(text)


@pytest.mark.parametrize("text", COMMANDS)
def test_a_command_scrubbed_twice_is_scrubbed_once(text: str) -> None:
    once = scrub(text)

    assert (once, text.count("\n")) == (scrub(once), once.count("\n"))


@pytest.mark.parametrize("text", KEPT)
def test_what_other_commands_take_stays(text: str) -> None:
    assert text == scrub(text)
