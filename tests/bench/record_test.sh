#!/usr/bin/env bash
# The page of figures: a section is written anew, others stay, and without figures nothing changes. record_test.sh SOURCES
set -uo pipefail
record=$1/tests/bench/record.py work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$work/figures.md
problem() { echo "PROBLEM: $1"; cat "$page"; exit 1; }
figure() { printf '{"name": "%s", "value": %s, "unit": "s", "goal": "<= 5", "ok": %s, "context": {}}\n' "$@"; }

printf '# Figures\n\nText above.\n' >"$page"
{ echo "a line of another kind"; figure load 0.25 true; figure start 7 false; } | "$record" "$page" inside 1234 >"$work/passed" || problem "refused"
[ "$(wc -l <"$work/passed")" = 3 ] || problem "the input is not passed on"
figure speed 123456.7 true | "$record" "$page" arithmetic 5678 >/dev/null || problem "refused"
figure load 0.5 true | "$record" "$page" inside 9abc >/dev/null || problem "refused"
grep -q 'Text above' "$page" || problem "the head is gone"
grep -q '^At 9abc, on [1-9][0-9]* cores of ' "$page" || problem "no commit or machine"
grep -q '^| `load` | 0.5 | s | <= 5 | yes |$' "$page" || problem "no new figure"
grep -q '`start`' "$page" && problem "a figure that is gone stays"
grep -q '^| `speed` | 123456 | s | <= 5 | yes |$' "$page" || problem "the other section is gone"
[ "$(grep '^## ' "$page" | tr '\n' ' ')" = '## arithmetic ## inside ' ] || problem "sections"
cp "$page" "$work/before"
echo "nothing" | "$record" "$page" inside def0 >/dev/null 2>"$work/told" && problem "no figure, and no error"
grep -q 'benchmark inside has printed no figure' "$work/told" || problem "no word of it"
cmp -s "$page" "$work/before" || problem "changed without figures"
