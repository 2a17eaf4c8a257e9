#!/usr/bin/env python3
"""Sizes of the fabric by unit, and of the links beside it, for machines of 4, 16 and 64 tiles, and how they grow.

fabric.py SOURCE BUILD WORK    (./run synth prints the same, with the tile's)

A row is a unit with all its instances, without what stands in other rows: generic gates (two inputs; as for the tile) and
flip-flops, for each machine; the bits of memory (FIFOs of exchange blocks, queues of links) stand below the table. `growth` is what four times the tiles make of the gates and flip-flops (mk2-16 to mk2-64). Longest paths, in
levels of mapped gates between registers and ports, are those of mk2-64, of the parts that decide in one cycle.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

from synth import DEEP, GENERIC, is_flop, split, synthesise, yosys

MACHINES = {"fabric": ["mk2-4", "mk2-16", "mk2-64"], "link_edge": ["mk2-4", "mk2-16"]}  # channels of links: 10 and 10, of mk2-64 30
# Parts whose paths are told, flattened.
PARTS = {"fabric": ["sync_gather", "sync_root", "packet_arbiter", "packet_check", "exchange_block", "port_turns", "host_registers", "host_access", "exchange_mux"],
         "link_edge": ["link_aim", "link_queue", "link_turns"]}
# What may grow faster than tiles: the multiplexers, and registers along the exchange's ways, which become longer (exchange.md, Structure).
FASTER = {"exchange_mux": "a multiplexer for every tile over all tiles", "exchange_wire": "ways become longer",
          "packet_arbiter": "stamps and names of tiles have more bits"}
MOST = 4.4  # times, for four times the tiles


def sources(source, build, machine):
    package = f"{build}/rtl/chip/machine_pkg.sv" if machine == "mk2-4" else f"{build}/rtl/chip/machine_pkg_{machine}/machine_pkg.sv"
    kept = subprocess.run(["git", "-C", source, "ls-files", "rtl/exchange/*.sv", "rtl/sync/*.sv", "rtl/edge/*.sv", "rtl/link/*.sv", "rtl/chip/fabric.sv"],
                          capture_output=True, text=True, check=True).stdout.split()
    packages = [p for p in kept if p.endswith("_pkg.sv")]
    return [package, f"{build}/rtl/spec/words_pkg.sv"] + [os.path.join(source, p) for p in packages + [p for p in kept if p not in packages]]


def unit(name):
    """The RTL's name of a module that Yosys renamed for its parameters: `$paramod\\NAME\\...` or `$paramod$HASH\\NAME`."""
    return name.split("\\")[1] if "\\" in name else name


def sizes(files, top, work, pool):
    """Gates and flip-flops by unit below a top."""
    os.makedirs(work, exist_ok=True)
    paths = split(files, work, top)
    modules = {}
    for made in pool.map(lambda item: synthesise(*item, "generic", GENERIC, work), paths.items()):
        modules.update(made)
    instances = {}

    def count(name):
        instances[name] = instances.get(name, 0) + 1
        for cell in modules[name]["cells"].values():
            if cell["type"] in modules:
                count(cell["type"])
    count(top)
    rows = {}
    for name, times in instances.items():
        row = rows.setdefault(unit(name) if top == "fabric" or unit(name).startswith("link_") else unit(name) + "_of_links", {"instances": 0, "gates": 0, "flops": 0, "bits": 0})
        row["instances"] += times
        for cell in modules[name]["cells"].values():
            if cell["type"].startswith("$mem"):
                row["bits"] += times * int(cell["parameters"]["SIZE"], 2) * int(cell["parameters"]["WIDTH"], 2)
            elif is_flop(cell["type"]):
                row["flops"] += times
            elif cell["type"] not in modules and cell["type"].startswith("$"):
                row["gates"] += times
    return rows


def levels(files, part, work):
    """Gates on the longest path of a part between registers, inputs and outputs."""
    out = os.path.join(work, f"path_{part}.txt")
    yosys(f"read_verilog -sv {' '.join(files)}; hierarchy -check -top {part}; proc; flatten; opt; {DEEP.format(top=part)}; tee -o {out} ltp -noff")
    with open(out) as file:
        found = re.search(r"length=(\d+)", file.read())
    return int(found[1])


def measure(source, build, work, pool):
    """The tables of the fabric and of the links, and what grows too fast."""
    text, fast = "", []
    for top in PARTS:
        rows, paths = measure_below(top, source, build, os.path.join(work, top), pool)
        text += table(top, rows, paths)
        if top == "fabric":  # links grow with their channels, not with tiles
            fast += too_fast(rows)
    return text, fast


def measure_below(top, source, build, work, pool):
    """(rows: unit -> machine -> sizes; paths: part -> levels)"""
    machines = MACHINES[top]
    by_machine = {m: sizes(sources(source, build, m), top, os.path.join(work, m), pool) for m in machines}
    rows = {name: {m: by_machine[m].get(name, {"instances": 0, "gates": 0, "flops": 0, "bits": 0}) for m in machines}
            for name in sorted(set().union(*by_machine.values()))}
    files = sources(source, build, machines[-1])
    paths = dict(zip(PARTS[top], pool.map(lambda part: levels(files, part, work), PARTS[top])))
    return rows, paths


def growth(row):
    before, after = (row[m]["gates"] + row[m]["flops"] for m in list(row)[-2:])
    return after / before if before else 0.0


def table(top, rows, paths):
    of, machines = {"fabric": "fabric", "link_edge": "links"}[top], MACHINES[top]
    lines = [f"{'unit of the ' + of:24}" + "".join(f"{m + ' gates':>15}{'flops':>10}" for m in machines) + f"{'growth':>10}"]
    total = {m: {"gates": 0, "flops": 0} for m in machines}
    for name, row in sorted(rows.items(), key=lambda item: -item[1][machines[-1]]["flops"] - item[1][machines[-1]]["gates"]):
        lines.append(f"{name:24}" + "".join(f"{row[m]['gates']:15}{row[m]['flops']:10}" for m in machines) + f"{growth(row):10.2f}")
        for m in machines:
            for column in ("gates", "flops"):
                total[m][column] += row[m][column]
    lines.append(f"{'total' if top == 'fabric' else 'total_of_links':24}" + "".join(f"{total[m]['gates']:15}{total[m]['flops']:10}" for m in machines) + f"{growth(total):10.2f}")
    lines.append("bits of memory: " + ", ".join(f"{m} {sum(row[m]['bits'] for row in rows.values())}" for m in machines))
    lines.append(f"longest paths of {machines[-1]}, in levels: " + ", ".join(f"{part} {path}" for part, path in paths.items()))
    return "\n".join(lines) + "\n"


def too_fast(rows):
    return [f"{name} grows {growth(row):.2f} times for four times the tiles" for name, row in rows.items() if growth(row) > MOST and name not in FASTER]


def differences(text, baseline):
    """(line, whether it is more than a tenth) for each unit that differs from the reviewed table."""
    def read(lines):
        return {line.split()[0]: line.split()[1:-1] for line in lines if re.match(r"[a-z_]+ +\d", line)}
    before = {}
    if os.path.exists(baseline):
        with open(baseline) as file:
            before = read(file)
    now, found = read(text.splitlines()), []
    for name in sorted(set(now) | set(before)):
        if name not in now or name not in before:
            found.append((f"{name}: {'new' if name in now else 'gone'}", True))
        elif now[name] != before[name]:
            much = any(abs(int(n) - int(b)) * 10 > int(b) for n, b in zip(now[name], before[name]))
            found.append((f"{name}: {' '.join(before[name])} -> {' '.join(now[name])}", much))
    return found


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        text, fast = measure(*sys.argv[1:3], os.path.join(sys.argv[3], "fabric"), pool)
    print(text)
    if fast:
        sys.exit("\n".join(fast))
