#!/usr/bin/env python3
"""Longest path, area and float registers of the tile, as `./run synth` finds them: synthesis.py SOURCE BUILD WORK"""
import json
import os
import sys

# Of the baseline in 1ea80577, which the goals are shares of.
LEVELS_BEFORE = 221
GATES_BEFORE = 667000
FLOAT_LUTS_BEFORE = 149368
# Check bits: made and looked at where the ports are (parity_check, and the sums in tile_memory).
PARITY_GATES = 4000


def figure(name, value, unit, most, **context):
    ok = value <= most
    print(json.dumps({"name": name, "value": value, "unit": unit, "goal": f"<= {most}", "ok": ok, "context": context}))
    return ok


def main():
    source, build, work = sys.argv[1:]
    sys.path.insert(0, os.path.join(source, "tests", "methods", "synthesis"))
    import synth
    os.makedirs(work, exist_ok=True)
    rows, ends = synth.measure(source, build, work, True)
    levels, start, end = ends[0]
    floats = rows["register_file_float"]
    ok = figure("tile_levels", rows["tile"]["levels"], "mapped levels of the longest path", LEVELS_BEFORE // 2, before=LEVELS_BEFORE, begins=start, ends=end)
    ok &= figure("tile_gates", rows["tile"]["gates"], "generic gates", GATES_BEFORE + PARITY_GATES, of_parity_check=rows["parity_check"]["gates"])
    ok &= figure("tile_float_registers", floats["luts"], "LUTs of the float register file", FLOAT_LUTS_BEFORE // 2, before=FLOAT_LUTS_BEFORE, ram=floats["ram"])
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
