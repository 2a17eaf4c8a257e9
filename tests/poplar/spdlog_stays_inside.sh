#!/usr/bin/env bash
# spdlog_stays_inside.sh LIBRARY: no symbol of spdlog is seen from outside, so that a program may link its own version.
set -euo pipefail
names=$(nm -DC "$1")
if grep spdlog <<<"$names"; then
  echo "$1 shows symbols of spdlog" >&2
  exit 1
fi
