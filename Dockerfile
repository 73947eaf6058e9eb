# The live table as a service: docs/hosting.md says how to run it.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY src src
COPY examples examples
RUN python -m venv /opt/turnwright \
    && /opt/turnwright/bin/pip install --no-cache-dir -c constraints.txt '.[postgres]'

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data turnwright && install -d -o turnwright -m 0700 /data
COPY --from=build /opt/turnwright /opt/turnwright
ENV PATH=/opt/turnwright/bin:$PATH XDG_DATA_HOME=/data PYTHONUNBUFFERED=1
USER turnwright
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/healthz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["turnwright", "table", "--no-browser", "--host", "0.0.0.0", "--port", "8765"]
