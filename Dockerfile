# bibfold's commands, run as an ordinary user; the health check asks whether the program can be run at all.
FROM python:3.11-slim
RUN useradd --create-home bibfold && mkdir /catalogue && chown bibfold /catalogue
WORKDIR /opt/bibfold
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY bibfold bibfold
COPY indexer indexer
COPY lookup lookup
COPY ingest ingest
COPY evaluation evaluation
COPY solr_conf solr_conf
RUN pip install --no-cache-dir --constraint constraints.txt --editable ".[solr,elasticsearch,opensearch]"
USER bibfold
VOLUME /catalogue
HEALTHCHECK CMD ["bibfold", "formats"]
ENTRYPOINT ["bibfold"]
