"""Tokens that their own letters give away: by a provider's beginning, or cut by a line's end, or by more change than words have."""

from __future__ import annotations

import itertools
import re

from bot.reading.late import Late
from bot.reading.noise.kind import Kind, begun, behind

_JSON = re.compile(r"eyJ(?:[\w-]{8,}+\.[\w-]{8}|[A-Za-z0-9+/]{40})")


def _hide_json(found: re.Match[str]) -> str:
    """Return a run hidden that begins as JSON in base64 does, with what goes on behind it: a part would begin the next."""
    return "<token>" if _JSON.match(found[0]) else found[0]


def _hide_if_random(found: re.Match[str]) -> str:
    """Return a run hidden that looks like no word: its beginning alone says too little."""
    return "<token>" if any(map(str.isdigit, found["secret"])) and _is_random(found["secret"]) else found[0]


_WORD = r"[A-Za-z0-9_-]"
_WITH_DIGIT = rf"(?=[A-Za-z_-]{{0,40}}+\d){_WORD}{{14,}}+"  # where an identifier might begin so too
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
PROVIDERS = (
    Kind(
        "Amazon's key id, and its secret behind it",
        ("AKIA", "ASIA"),
        Late(r"""A(?:KIA|SIA)(?<![A-Za-z0-9]....)[A-Z0-9]{16}(?P<gap>[\s"',:;=|]{1,6}(?:(?:aws_)?secret(?:_access)?(?:_key)?[\s"':=]{1,4})?)[A-Za-z0-9/+]{40}(?![\w/+])"""),
        r"<token>\g<gap><token>",
    ),
    begun("Hugging Face", ("hf_", "api_org_"), rf"{_WORD}{{16,}}+"),
    begun("GitHub", ("ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_"), rf"{_WORD}{{16,}}+"),
    begun("GitLab", ("glpat-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glptt-", "glagent-", "glimt-", "gloas-"), rf"{_WORD}{{10,}}+"),
    begun("OpenAI, Anthropic, DeepSeek and others", ("sk-",), r"[A-Za-z0-9_%-]{10,}+"),
    begun("xAI, Perplexity, Groq, Tavily, Pinecone", ("xai-", "pplx-", "gsk_", "tvly-", "pcsk_"), rf"{_WORD}{{10,}}+"),
    begun("NVIDIA", ("nvapi-",), rf"{_WORD}{{10,}}+"),
    begun("Cloudflare", ("v1.0-",), r"[0-9a-f]{20,}+-[0-9a-f]{60,}+"),
    begun("Cerebras, Anyscale, Neon, Figma, Linear, Notion, Supabase", ("csk-", "esecret_", "napi_", "figd_", "lin_api_", "ntn_", "sbp_", "sb_secret_", "cfut_", "cfat_"), _WITH_DIGIT),
    begun("Sentry, Honeycomb, CircleCI, Buildkite, Sourcegraph, Postman, Doppler", ("sntrys_", "sntryu_", "hcaik_", "hcxik_", "CCIPRJ_", "CCIPAT_", "bkua_", "bkct_", "sgp_", "PMAK-", "dp.pt.", "dp.st."), _WITH_DIGIT),
    begun("Brevo, PlanetScale, Flutterwave, Razorpay, Inngest, Alibaba, GitLab's feed, Yandex", ("xkeysib-", "xsmtpsib-", "pscale_tkn_", "pscale_pw_", "FLWSECK-", "rzp_live_", "rzp_test_", "signkey-", "LTAI", "glffct-", "glwt-", "y0_"), _WITH_DIGIT),
    begun("Lambda, ElevenLabs", ("secret_", "sk_"), r"(?:\w{1,20}?_)?[0-9a-f]{32}\w*+(?:\.\w{16,}+)?"),
    begun("Baidu", ("bce-v3/ALTAK-",), r"[\w-]{10,}+/[0-9a-f]{40}"),
    begun("LaunchDarkly, ModelScope, HubSpot, Plaid, Langfuse", ("sdk-", "api-", "mob-", "ms-", "pat-na1-", "pat-eu1-", "access-sandbox-", "access-production-", "pk-lf-"), _UUID),
    begun("Airtable", ("pat",), r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    begun("PayPal", ("access_token$",), r"\w{1,20}\$\w{1,40}\$[0-9a-f]{32}"),
    begun("Infisical", ("st.",), r"[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{32}"),
    begun("Rancher", ("token-",), r"\w{5}:\w{40,}+"),
    begun("Vault, of old", ("s.",), r"[A-Za-z0-9]{24}(?![\w.(])", _hide_if_random, apart=r"\w."),
    begun("Replicate, Together, LangSmith, Runpod, Fireworks", ("r8_", "tgp_v1_", "lsv2_pt_", "lsv2_sk_", "rpa_", "fw_"), rf"{_WORD}{{16,}}+"),
    begun("Weights & Biases", ("wandb_v",), r"\d_[A-Za-z0-9_-]{16,}+"),
    begun("Weights & Biases, of one's own server", ("local-",), r"[0-9a-f]{32,40}+(?![\w-])"),
    begun("Slack", ("xox",), r"[a-z](?:\.xox[a-z])?-[A-Za-z0-9_%-]{10,}+"),
    begun("Slack, of an app", ("xapp-",), rf"{_WORD}{{10,}}+"),
    begun("Docker", ("dckr_pat_", "dckr_oat_"), rf"{_WORD}{{16,}}+"),
    begun("npm, PyPI, RubyGems", ("npm_", "pypi-", "rubygems_"), rf"{_WORD}{{10,}}+"),
    begun("Amazon's key id", ("AKIA", "ASIA", "ABIA", "ACCA"), r"[A-Z0-9]{16,}+"),
    begun("Amazon's session", ("ABSK", "IQoJb3JpZ2lu", "FwoGZXIvYXdz"), r"[A-Za-z0-9+/=]{20,}+"),
    begun("Google", ("AIza",), r"[\w-]{30,}+"),
    begun("Google's OAuth", ("ya29.", "1//0g", "GOCSPX-"), r"[\w-]{10,}+"),
    begun("Azure", ("AQ.",), r"(?=[A-Za-z_-]{0,60}+\d)[\w.-]{20,}+"),
    Kind("Azure's application", ("Q~",), Late(r"Q~[\w.~-]{30,}+"), "<token>", before=Late(r"\d\w{3}(?![A-Za-z0-9])")),
    begun("Vault, SendGrid", ("hvs.", "hvb.", "SG."), r"(?=[A-Za-z_-]{0,60}+\d)[\w.-]{20,}+"),
    begun("Databricks", ("dapi", "dose"), r"[0-9a-f]{32,}+(?:-\d)?"),
    begun("DigitalOcean", ("dop_v1_", "doo_v1_", "dor_v1_"), rf"{_WORD}{{16,}}+"),
    begun("Stripe", ("sk_live_", "sk_test_", "whsec_", "rk_live_", "rk_test_", "pk_live_", "pk_test_"), rf"{_WORD}{{16,}}+"),
    begun("Telegram", ("bot",), r"\d{6,12}:[\w-]{30,}+"),
    begun("Discord", ("M", "N", "O"), r"[A-Za-z0-9]{23,27}+\.[\w-]{6}\.[\w-]{27,}+"),
    begun("Twilio", ("SK", "AC"), r"""[0-9a-f]{32}(?:[\s'",:/]{1,8}(?:auth[ ]token[ ]?:?[ ])?[0-9a-f]{32}(?!\w))?"""),
    begun("Mailgun", ("key-",), r"[0-9a-f]{32,40}+(?![\w-])"),
    Kind("Mailchimp", ("-us",), Late(r"-us\d{1,2}(?!\w)"), "<token>", before=Late(r"[0-9a-f]{32}(?![A-Za-z0-9])")),
    begun("Pulumi", ("pul-",), r"[0-9a-f]{40}"),
    begun("k3s", ("K10",), r"[0-9a-f]{64}::(?:server|node):\w{16,}+"),
    begun("Grafana, Shopify", ("glsa_", "glc_", "shpat_", "shpss_", "shppa_", "shpca_"), rf"{_WORD}{{16,}}+"),
    begun("New Relic, Heroku, Tailscale, age", ("NRAK-", "HRKU-", "tskey-", "AGE-SECRET-KEY-"), rf"{_WORD}{{10,}}+"),
    begun("Atlassian", ("ATBB",), r"[A-Za-z0-9]{28,}+"),
    begun("Atlassian", ("ATATT3",), r"[\w=-]{60,}+"),
    begun("a JSON web token, signed or encrypted, or JSON in base64", ("eyJ",), r"[\w.+/=-]{11,}+", _hide_json),
    begun("a password's hash", ("$argon2id$", "$argon2i$", "$argon2d$"), r"v=\d{1,3}\$[\w=,]{1,60}\$[./A-Za-z0-9+$]{20,}+", apart=""),
    begun("a password's hash", ("$apr1$", "$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$"), r"[./A-Za-z0-9$,=]{20,}+", apart=""),
)  # fmt: skip

# Providers whose tokens begin with nothing of their own, and the words between their names and a token.
_NAMED = ("loudflare", "LOUDFLARE", "atadog", "lgolia", "inode", "erotier", "astai", "AST_AI")
_BESIDE = r"""(?:["']?[ ]{0,2}[:=]?[ ]{0,2}(?i:api|app|ai|application|global|auth|dns|origin|ca|my|our|the|access|key|token|secret|is|was)\b){0,5}["']?[ ]{0,2}[:=]?[ ]["']?"""
BESIDE_NAMES = behind(
    "a run beside its provider's name", _NAMED, _BESIDE, r"(?=[A-Za-z_-]{0,40}+\d)(?=[\d_-]{0,40}+[A-Za-z])[A-Za-z0-9_-]{32,80}+(?![\w./-])", "<token>"
)  # fmt: skip

# Beginnings, and how many signs follow: what is short of them at a line's end goes on on the next.
_WHOLE = {"hf_": 34, "ghp_": 36, "gho_": 36, "ghs_": 36, "ghu_": 36, "npm_": 36, "r8_": 37, "gsk_": 52, "glpat-": 20, "AKIA": 16, "ASIA": 16, "AIza": 35, "dapi": 32}  # fmt: skip
_LINE_END = r"[ \t]{0,4}\n[ \t>|]{0,16}"
_GAP = (
    rf"(?:{_LINE_END}|[ ](?![a-z]{{1,60}}(?![\w-])))"  # a word of small letters behind a blank is the line's next word
)
_PART = re.compile(rf"(?P<gap>{_GAP})(?P<piece>[\w-]{{1,60}}+)")


def _hide_cut(found: re.Match[str]) -> str:
    """Return a token that lines' ends cut hidden, on each of the lines, when its parts make a whole."""
    length, shown = len(found["head"]), "<token>"
    for part in _PART.finditer(found["rests"]):
        length += len(part["piece"])
        shown += f"{part['gap']}<token>"
        if length == _WHOLE[found["begun"]]:
            return shown + found["rests"][part.end() :]
    return found[0]


CUT = Kind(
    "a token that a line's end cut",
    tuple(_WHOLE),
    Late(
        rf"(?P<begun>{'|'.join(f'{begun}(?<![A-Za-z0-9]{begun})' for begun in _WHOLE)})(?P<head>[\w-]{{0,60}}+)(?P<rests>(?:{_GAP}[\w-]{{1,60}}+){{1,6}}+)"
    ),
    _hide_cut,
)

LONE = 28
"""Characters of a run that counts with no beginning before it; shorter ones are marks of builds, pods and machines."""

MOST_LIKE_WORDS = 0.44
"""Of a word's neighbours so many differ in kind at most; of random letters and digits 0.6 do."""

_ALIKE = re.compile(r"[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+")


def _hide_random(found: re.Match[str]) -> str:
    """Return a run of random letters and digits hidden, with its beginning; hashes, names and words stay."""
    is_long = len(found[2]) >= LONE or bool(found[1])
    return "<token>" if is_long and any(map(str.isdigit, found[2])) and _is_random(found[2]) else found[0]


def _is_random(run: str) -> bool:
    """Return whether letters of both cases, and digits, follow each other as in no word, name or hash."""
    is_mixed = run.lower() != run != run.upper()
    return is_mixed and len(_ALIKE.findall(run)) - 1 > MOST_LIKE_WORDS * (len(run) - 1)


RANDOM_RUN = Kind(
    "a random run that no other kind knows",
    ("",),
    Late(r"(?<!\w)((?:[A-Za-z0-9]{2,12}[_-]){0,3})([A-Za-z0-9]{20,}+)(?!\w)"),
    _hide_random,
    trace=Late(r"[A-Za-z]{13}"),  # without its digits, of which a random one has less than a third
)

_REST = Late(
    rf"""(<(?:token|secret)>)["']?(?=[ \t]{{0,4}}\n)(?P<rests>(?:{_LINE_END}[A-Za-z0-9+/=_.-]{{10,4096}}+(?=["'\s,;]|\Z)){{1,40}}+)"""
)
_PIECE = re.compile(rf"(?P<gap>{_LINE_END})(?P<piece>[A-Za-z0-9+/=_.-]{{10,4096}}+)")


def hide_rests(text: str) -> str:
    r"""Return the text without what follows a hidden token on the next lines, where a terminal wrapped it.

    >>> hide_rests("k=<token>\nKq3RzYp8WmXv")
    'k=<token>\n<token>'
    """
    return _REST.regex.sub(_hide_pieces, text) if "<" in text else text


def _hide_pieces(found: re.Match[str]) -> str:
    start = found.start("rests") - found.start()
    shown, rests = found[0][:start], found["rests"]
    end = 0
    for piece in itertools.takewhile(lambda piece: _is_random(piece["piece"]), _PIECE.finditer(rests)):
        shown += f"{piece['gap']}<token>"
        end = piece.end()
    return shown + rests[end:]
