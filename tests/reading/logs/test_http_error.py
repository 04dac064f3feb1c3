from bot.reading.read import read

BODY = (
    '{"object":"error","message":"This model\'s maximum context length is 4096 tokens. However, you requested 6096 tokens '
    '(5584 in the messages, 512 in the completion).","type":"BadRequestError","param":null,"code":400}'
)


def test_a_body_is_a_failure_of_its_type() -> None:
    assert "BadRequestError" == read(BODY).failures[0].kind


def test_a_refused_request_tells_its_length_and_the_limit() -> None:
    evidence = read(BODY)

    assert (6096, 4096) == (evidence.value("longest_request"), evidence.value("max_model_len"))
