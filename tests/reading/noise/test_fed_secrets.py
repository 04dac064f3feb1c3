"""What is fed into a command that reads a secret."""

from __future__ import annotations

import pytest

from bot.reading.noise.scrub import scrub

# Each holds "letmein", which must go.
FED = (
    "echo letmein | base64", "echo -n letmein | base64 -w0", "printf letmein | base64", "echo bGxldG1laW4letmein== | base64 -d", "base64 <<< letmein", "echo letmein|docker login --password-stdin", "echo -n letmein | gcloud secrets create x --data-file=-",
    "echo letmein | docker secret create hf -", "echo letmein | vault kv put secret/x token=-", "wrangler secret put X <<< letmein", "hf auth login <<<letmein", 'huggingface-cli login <<< "letmein x"', "python -c 'login()' <<< letmein", "sudo -S reboot <<< letmein",
    "docker login --password-stdin <<EOF\nletmein\nEOF", "docker login --password-stdin r <<'EOF'\nletmein\nEOF\n", "cat <<EOF | kubectl create secret generic hf --from-file=token=/dev/stdin\nletmein\nEOF", "cat <<-EOF | gh auth login --with-token\n\tletmein\n\tEOF",
    "wandb login <<END\nletmein\nEND", "chpasswd <<EOF\nann:secret\nbob:letmein\nEOF", "huggingface-cli login --token $(cat <<EOF\nletmein\nEOF\n)", "docker login --password-stdin <<EOF\nletmein", "cat > ~/.cache/huggingface/token <<EOF\nletmein\nEOF", "cat > ~/.pgpass <<EOF\nh:letmein\nEOF",
    "cat > run.sh <<EOF\ndocker login --password-stdin <<X\nletmein\nX\nEOF", "echo letmein > ~/.cache/huggingface/token", "echo 'letmein' > ~/.vault-token", "echo letmein > /run/secrets/hf", "printf letmein > hf_token.txt", "echo letmein | tee -a ~/.huggingface/token", "cat > ~/.cache/huggingface/token <<< letmein",
)  # fmt: skip
KEPT = (
    "echo done | tee log.txt", "cat <<EOF > start.sh\nvllm serve m\nEOF", "python - <<EOF\nprint(1)\nEOF", "cat > token_count.py <<EOF\nprint(1)\nEOF", "echo hello > tokenizer.json", "cat <<< hello", "echo $HF_TOKEN | docker login --password-stdin", "echo 1 << 2\nnext",
    "docker login --password-stdin <<EOF\n$TOKEN\nEOF", "hf auth login <<< $HF_TOKEN", "ostream << EOF\nlogin", "kubectl apply -f - <<EOF\nkind: Pod\nEOF",
)  # fmt: skip


@pytest.mark.parametrize("text", FED)
def test_what_a_command_is_fed_goes(text: str) -> None:
    once = scrub(text)

    assert ("letmein" in once, text.count("\n"), scrub(once)) == (False, once.count("\n"), once)


@pytest.mark.parametrize("text", KEPT)
def test_what_other_commands_are_fed_stays(text: str) -> None:
    assert text == scrub(text)


def test_the_lines_below_what_a_command_is_fed_stay() -> None:
    assert "docker login --password-stdin <<E\n<secret>\nE\nvllm serve m" == scrub(
        "docker login --password-stdin <<E\nletmein\nE\nvllm serve m"
    )


def test_of_lines_that_nothing_ends_only_the_first_is_surely_fed() -> None:
    assert "docker login --password-stdin <<E\n<secret>\nvllm serve m\nit fails" == scrub(
        "docker login --password-stdin <<E\nletmein\nvllm serve m\nit fails"
    )
