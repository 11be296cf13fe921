# TeX Live 2025, frozen (amd64 only), with pdftotext and bubblewrap.
FROM texlive/texlive:TL2025-historic@sha256:f25ee2dcd00f58198f918064f4a1c8562410b33e84155bd55b02b419d73d9391
RUN apt-get update \
 && apt-get install -y --no-install-recommends poppler-utils bubblewrap python3 \
 && rm -rf /var/lib/apt/lists/*
