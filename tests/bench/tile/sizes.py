#!/usr/bin/env python3
"""Lines of the tile's top, of the longest file and of the longest list of ports under rtl/, and assertions in rtl/tile: sizes.py SOURCE"""
import glob
import json
import os
import re
import sys


def figure(name, value, unit, goal, ok, **context):
    print(json.dumps({"name": name, "value": value, "unit": unit, "goal": goal, "ok": ok, "context": context}))
    return ok


def main():
    source = sys.argv[1]
    lines, ports, assertions = {}, {}, 0
    for path in sorted(glob.glob(f"{source}/rtl/**/*.sv", recursive=True)):
        with open(path) as file:
            text = file.read()
        name = os.path.relpath(path, source)
        lines[name] = text.count("\n")
        for module, listed in re.findall(r"^module (\w+)[^;]*?\(\n(.*?)^\);", text, re.M | re.S):
            ports[module] = listed.count("\n")
        if name.startswith("rtl/tile/"):
            assertions += len(re.findall(r": assert\b", text))
    longest, most = max(lines, key=lines.get), max(ports, key=ports.get)
    top = lines["rtl/tile/tile.sv"]
    ok = figure("tile_top", top, "lines of tile.sv", "<= 250", top <= 250)
    ok &= figure("tile_longest_file", lines[longest], "lines", "<= 400", lines[longest] <= 400, file=longest)
    ok &= figure("tile_longest_port_list", ports[most], "lines", "<= 40", ports[most] <= 40, module=most,
                 above={name: count for name, count in ports.items() if count > 40})
    ok &= figure("tile_assertions", assertions, "assertions in rtl/tile", ">= 40", assertions >= 40)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
