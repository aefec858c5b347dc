# docker build -t hiermeasures . && docker run --rm -p 8501:8501 --memory 4g hiermeasures      (docs/deploy.md)
FROM python:3.13-slim
COPY . /source
RUN pip install --no-cache-dir "/source[app,fast]" && rm -rf /source && useradd --create-home explorer
USER explorer
WORKDIR /home/explorer
# The array kernels are compiled while the image is built, for any processor of its kind, and kept in the user's folder for caches.
ENV NUMBA_CPU_NAME=generic
RUN ["python", "-c", "from hiermeasures.evaluation.warm import make_kernels_ready; make_kernels_ready(wait=True)"]
ENV PORT=8501
EXPOSE $PORT
HEALTHCHECK CMD ["python", "-c", "import os, urllib.request as web; web.urlopen('http://localhost:' + os.environ['PORT'] + '/_stcore/health', timeout=5)"]
CMD ["sh", "-c", "exec hiermeasures app --address 0.0.0.0 --port $PORT"]
