# Debian 12 with TeX Live 2022 as of one day (amd64 and arm64).
ARG BASE=debian:bookworm-20250811-slim
ARG ARCHIVE=http://snapshot.debian.org/archive
ARG DAY=20250811T000000Z
FROM ${BASE}
ARG ARCHIVE
ARG DAY
# Formats are made anew with a pinned clock, for they hold the day on which they were made.
RUN rm -f /etc/apt/sources.list.d/* \
 && for suite in "debian/${DAY} bookworm" "debian/${DAY} bookworm-updates" "debian-security/${DAY} bookworm-security"; do \
      echo "deb [check-valid-until=no] ${ARCHIVE}/${suite} main"; done > /etc/apt/sources.list \
 && apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    texlive-latex-base texlive-latex-recommended texlive-latex-extra \
    texlive-fonts-recommended texlive-bibtex-extra texlive-science texlive-publishers texlive-pictures \
    texlive-plain-generic lmodern cm-super latexmk biber poppler-utils bubblewrap python3 \
 && SOURCE_DATE_EPOCH=1700000000 FORCE_SOURCE_DATE=1 fmtutil-sys --byfmt pdflatex > /dev/null \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*
