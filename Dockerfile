# The tool alone, without TensorFlow, which it never imports:
#
#     docker build -t tnp-migrate .
#     docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" tnp-migrate check .
#
# With `--build-arg EXTRAS="[run]"` TensorFlow and NumPy are there as well, so that translated code can be run.
FROM python:3.12-slim

ARG EXTRAS=""

# git says what is committed, and which lines have changed
RUN apt-get update \
    && apt-get install --no-install-recommends --yes git \
    && rm -rf /var/lib/apt/lists/* \
    && git config --system --add safe.directory '*'

COPY pyproject.toml README.md LICENSE /source/
COPY migrator /source/migrator
COPY rules /source/rules
RUN pip install --no-cache-dir "/source${EXTRAS}" && rm -rf /source

# notes of an unfinished run are kept here, whoever the user is
ENV XDG_CACHE_HOME=/tmp/cache
WORKDIR /work
ENTRYPOINT ["tnp-migrate"]
CMD ["--help"]
