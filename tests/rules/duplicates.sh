#!/usr/bin/env bash
# No text of six lines or more stands twice in the C and C++ outside tests/ and tb/. Blank lines, comments, includes and lines
# without a word do not count, white space is folded.
python3 - "$1" <<'END'
import re
import subprocess
import sys

LINES = 6

EMPTY = re.compile(r'^(#include|//|\*|/\*|#pragma once)|^\W*$')


def lines_of(path):
    kept = []
    with open(path, encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            text = ' '.join(line.split())
            if '"' not in text:
                text = text.split('//')[0].rstrip()
            if text and not EMPTY.match(text):
                kept.append((number, text))
    return kept


def main():
    root = sys.argv[1]
    listed = subprocess.run(['git', 'ls-files', '*.cpp', '*.h', '*.hpp', '*.inl', '*.c'], cwd=root, check=True,
                            capture_output=True, text=True).stdout.split()
    files = {path: lines_of(f'{root}/{path}') for path in listed if not path.startswith(('tests/', 'tb/'))}
    first_seen = {}
    shown = set()  # places where a longer run goes on
    bad = 0
    for path, lines in files.items():
        for at in range(len(lines) - LINES + 1):
            run = tuple(text for _, text in lines[at:at + LINES])
            if run not in first_seen:
                first_seen[run] = (path, at)
                continue
            other, there = first_seen[run]
            if other == path and at - there < LINES:
                continue
            shown.add((path, at, other, there))
            if (path, at - 1, other, there - 1) in shown:
                continue
            print(f'{path}:{lines[at][0]} says again what stands at {other}:{files[other][there][0]}')
            bad = 1
    return bad


sys.exit(main())
END
