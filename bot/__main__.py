"""`python -m bot` is `vllm-triage`."""

from bot.cli.main import main

if __name__ == "__main__":
    main()
