# Built in two steps so that the image holds no pip, no pip cache and no tests.
FROM python:3.11-slim AS build
WORKDIR /src
COPY requirements.txt ./
RUN python -m venv /opt/triage && /opt/triage/bin/pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
RUN /opt/triage/bin/pip install --no-cache-dir --no-deps --no-build-isolation . && /opt/triage/bin/pip uninstall -y setuptools pip

FROM python:3.11-slim
RUN useradd --no-create-home --uid 10001 triage
COPY --from=build /opt/triage /opt/triage
# Nothing but /tmp has to be writable: run it with a read-only root file system.
ENV PATH=/opt/triage/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/tmp VLLM_TRIAGE_LOG_FORMAT=json
USER 10001
HEALTHCHECK --interval=15s --timeout=4s --start-period=30s \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:9090/livez', timeout=3)"]
ENTRYPOINT ["vllm-triage"]
CMD ["serve", "--metrics-port", "9090"]
