# Built in two steps so that the image holds no compiler, no pip cache and no tests.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements.txt ./
RUN python -m venv /opt/triage && /opt/triage/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
RUN /opt/triage/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --create-home --uid 10001 triage
COPY --from=build /opt/triage /opt/triage
ENV PATH=/opt/triage/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
ENTRYPOINT ["vllm-triage"]
CMD ["serve"]
