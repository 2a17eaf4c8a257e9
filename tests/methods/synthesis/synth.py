#!/usr/bin/env python3
"""Sizes of the tile and of the fabric by unit, as Yosys makes them, compared with the reviewed baselines.

synth.py SOURCE BUILD WORK [--gates] [--update] [--check]

Every module of rtl/tile and rtl/float below the top `tile` is synthesised, hierarchy kept, for three targets: Yosys' generic cells
(two-input gates, multiplexers, flip-flops), the same for the shortest paths, and the LUTs of Lattice ECP5. The storage of memory elements (sram) is a black box; other memories
(register files, tables) count as bits and not as gates. A row is a module with all that stands below it, so `tile` is the whole.

    gates    generic cells but flip-flops and memories
    flops    flip-flops; `gated`: per cent of them behind a clock gate or with an enable
    bits     of memory
    levels   of mapped gates on the longest path between registers, memories and ports of the unit and what stands below it (paths.py)
    luts     LUT4; `carry`: CCU2C cells; `dsp`: MULT18X18D; `ram`: distributed and block RAMs

Prints the whole table, the ten ends of the tile with the longest paths, and what differs from baseline.txt beside this script, in the columns that both have. --gates leaves the LUTs
out, which take most of the time. The fabric's rows, of three machines, and its longest paths: fabric.py. --update rewrites the baselines; --check fails on a unit
whose gates, flops, bits, levels or luts differ by more than a tenth, or that only one of the two sides has.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

GATE_COLUMNS = ["instances", "gates", "flops", "gated", "bits", "levels"]
LUT_COLUMNS = ["luts", "carry", "dsp", "ram"]
COLUMNS = GATE_COLUMNS + LUT_COLUMNS
HERE = os.path.dirname(os.path.abspath(__file__))
BASELINE = os.path.join(HERE, "baseline.txt")
FABRIC_BASELINE = os.path.join(HERE, "fabric_baseline.txt")


def sources(source, build):
    generated = [f"{build}/rtl/spec/isa_pkg.sv", f"{build}/rtl/spec/words_pkg.sv", f"{build}/rtl/tile/memory_pkg.sv", f"{build}/rtl/float/fp_pkg.sv", f"{build}/rtl/float/special_pkg.sv"]
    for path in generated + [f"{build}/rtl/float/special_table.sv"]:
        if not os.path.exists(path):
            sys.exit(f"{path} is missing: ./run build makes it")
    kept = subprocess.run(["git", "-C", source, "ls-files", "rtl/float/*.sv", "rtl/tile/*.sv"], capture_output=True, text=True, check=True).stdout.split()
    packages, modules = [], []
    for path in kept:
        with open(os.path.join(source, path)) as file:
            is_package = any(line.startswith("package ") for line in file)
        (packages if is_package else modules).append(os.path.join(source, path))
    return generated + packages + modules + [f"{build}/rtl/float/special_table.sv"]


# Each module is synthesised alone, what it instantiates being black boxes: Yosys' time grows faster than the design.
GENERIC = "synth -top {top} -run coarse:fine; opt -fast -full; opt -undriven -fine; techmap; opt -fast; abc -fast; opt -fast; clean"
# Logic is built again from its sums of products, for depth: without, what a path costs is how the source happens to be written.
DEEP = GENERIC.replace("abc -fast", "abc -script +strash;if,-g;dch;map")
FPGA = "synth_ecp5 -top {top} -run begin:check"


def yosys(script):
    done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"yosys failed:\n{done.stdout}{done.stderr}"[-3000:])


def split(files, work, top="tile"):
    """Reads the design below `top` and writes each module to a file of its own: name -> path; and all of them as black boxes: black_boxes.il."""
    read = f"read_verilog -sv {' '.join(files)}; {'blackbox sram; ' if top == 'tile' else ''}hierarchy -check -top {top}; proc; opt_clean"
    whole = os.path.join(work, "whole.il")
    yosys(f"{read}; setattr -mod -unset src; setattr -unset src; write_rtlil {whole}; select =*; blackbox =*; write_rtlil {os.path.join(work, 'black_boxes.il')}")
    paths = {}
    with open(whole) as file:
        texts = re.split(r"^(?=(?:attribute .*\n)*module )", file.read(), flags=re.M)
    attributes = ""
    for text in texts:
        found = re.search(r"^module (\S+)", text, flags=re.M)
        if not found:
            attributes = text if "module" not in text else ""
            continue
        if "attribute \\blackbox" in text.split("module ")[0] or found[1] == "\\sram":
            continue
        # Attributes of the module after this one stand at its end.
        paths[found[1]] = os.path.join(work, f"module_{len(paths)}.il")
        with open(paths[found[1]], "w") as file:
            file.write(text[:text.rindex("\nend\n") + 5])
    return paths


def synthesise(name, path, kind, steps, work):
    """One module for one target; the result is kept under a hash of what went in, so that only what changed runs again.

    Yosys sees nothing but the module and the ports of its children: its choices go by the order in which names come to it, and names of
    modules elsewhere moved `csr` by a quarter of its LUTs."""
    with open(path) as file, open(os.path.join(work, "black_boxes.il")) as black_boxes:
        text = renumbered(file.read())
        children = sorted(set(re.findall(r"^  cell (\\\S+|\$paramod\S+)", text, flags=re.M)))
        ports = [renumbered(t) + "\nend\n" for t in black_boxes.read().split("\nend\n") if any(f"module {c}\n" in t for c in children)]
    ports = "".join(ports)
    digest = hashlib.sha256("\n".join([ports, text, steps]).encode()).hexdigest()[:24]
    out = os.path.join(work, f"{kind}_{digest}.json")
    if not os.path.exists(out):
        alone = os.path.join(work, f"{kind}_{digest}.il")
        with open(alone, "w") as file:
            file.write(ports + text)
        yosys(f"read_rtlil {alone}; hierarchy -top {name}; {steps.format(top=name)}; json -o {out}.part {name}")
        os.rename(out + ".part", out)
        os.remove(alone)
    with open(out) as file:
        return json.load(file)["modules"]


def renumbered(text):
    """Yosys numbers what has no name by what it has read before. A number in front of a name is a hash of parameters."""
    numbers = {}
    return re.sub(r"\$(\d+)(?![\w\\])", lambda found: f"${numbers.setdefault(found[1], len(numbers))}", text)


def is_flop(cell_type):
    return cell_type.startswith(("$_DFF", "$_SDFF", "$_ALDFF", "$_DLATCH", "$_DFFSR"))


class Sizes:
    """Adds up cells of a design whose hierarchy is kept."""

    def __init__(self, modules):
        self.modules = modules
        self.memo = {}
        self.instances = {}

    def of(self, name, gated_ports=frozenset()):
        """Totals of a module and all below it; gated_ports: its inputs that are gated clocks."""
        key = (name, gated_ports)
        if key in self.memo:
            return self.memo[key]
        module = self.modules[name]
        gated = set()
        for port in gated_ports:
            gated.update(module["ports"][port]["bits"])
        for cell in module["cells"].values():
            if cell["type"] in ("clock_gate", "unit_clock"):
                gated.update(cell["connections"]["gclk_o"])
        total = dict.fromkeys(COLUMNS, 0)
        for cell in module["cells"].values():
            kind = cell["type"]
            if kind == "sram":
                total["bits"] += 2048 * 72
            elif kind in self.modules and "blackbox" not in self.modules[kind].get("attributes", {}):
                ports = self.modules[kind]["ports"]
                into = frozenset(p for p, bits in cell["connections"].items() if p in ports and ports[p]["direction"] == "input" and bits and bits[0] in gated)
                for column, value in self.of(kind, into).items():
                    total[column] += value
            elif kind.startswith("$mem"):
                total["bits"] += int(cell["parameters"]["SIZE"], 2) * int(cell["parameters"]["WIDTH"], 2)
            elif is_flop(kind):
                total["flops"] += 1
                enabled = kind.startswith(("$_DFFE_", "$_SDFFE_", "$_SDFFCE_", "$_ALDFFE_"))
                total["gated"] += enabled or cell["connections"].get("C", [None])[0] in gated
            elif kind == "LUT4":
                total["luts"] += 1
            elif kind == "CCU2C":
                total["carry"] += 1
            elif kind == "MULT18X18D":
                total["dsp"] += 1
            elif kind in ("TRELLIS_DPR16X4", "DP16KD", "PDPW16KD"):
                total["ram"] += 1
            else:
                total["gates"] += kind.startswith("$")
        self.memo[key] = total
        return total

    def count_instances(self, name, times=1):
        self.instances[name] = self.instances.get(name, 0) + times
        for cell in self.modules[name]["cells"].values():
            if cell["type"] in self.modules and cell["type"] != "sram":
                self.count_instances(cell["type"], times)


def unit(name):
    """The RTL's name of a module that Yosys renamed for its parameters."""
    return name.split("\\")[-2] if name.startswith("$paramod") and name.count("\\") > 1 else name.lstrip("\\")


def measure(source, build, work, with_luts):
    from paths import longest, worst_ends  # which takes what is above from this module
    paths = split(sources(source, build), work)
    generic, deep, fpga = {}, {}, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, kind, steps in ((generic, "generic", GENERIC), (deep, "deep", DEEP), (fpga, "fpga", FPGA))[:2 + with_luts]:
            for modules in pool.map(lambda item: synthesise(*item, kind, steps, work), paths.items()):
                target.update(modules)
    gates, luts = Sizes(generic), Sizes(fpga)
    gates.count_instances("tile")
    rows = {}
    for name, instances in gates.instances.items():
        total = dict(gates.of(name))
        # What is below: the clock comes from the instance above, gated where all instances get it so.
        contexts = [value for (module, ports), value in gates.memo.items() if module == name and ports]
        if contexts:
            total["gated"] = max(total["gated"], *(c["gated"] for c in contexts))
        for column in LUT_COLUMNS:
            total[column] = luts.of(name)[column] if with_luts else None
        total["instances"] = instances
        total["levels"] = longest(deep, name)
        total["gated"] = round(100 * total["gated"] / total["flops"]) if total["flops"] else 0
        rows[unit(name)] = total
    return rows, worst_ends(deep, "tile", 10)


def table(rows):
    columns = [column for column in COLUMNS if rows["tile"][column] is not None]
    lines = [f"{'unit':24}" + "".join(f"{column:>10}" for column in columns)]
    for name in sorted(rows, key=lambda n: (-rows[n]["gates"], n)):
        lines.append(f"{name:24}" + "".join(f"{rows[name][column]:10}" for column in columns))
    return "\n".join(lines) + "\n"


def read_table(path):
    rows = {}
    if os.path.exists(path):
        with open(path) as file:
            header = file.readline().split()[1:]
            for line in file:
                name, *values = line.split()
                rows[name] = dict(zip(header, map(int, values)))
    return rows


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    if len(arguments) != 3 or any(o not in ("--gates", "--update", "--check") for o in options):
        sys.exit(__doc__)
    source, build, work = arguments
    os.makedirs(work, exist_ok=True)
    rows, ends = measure(source, build, work, "--gates" not in options)
    print(table(rows))
    print("longest paths of the tile, in levels:\n" + "".join(f"{levels:6}  {start} -> {end}\n" for levels, start, end in ends))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        of_fabric, too_fast = fabric.measure(source, build, os.path.join(work, "fabric"), pool)
    print(of_fabric)
    fabric_differs = fabric.differences(of_fabric, FABRIC_BASELINE)
    before = read_table(BASELINE)
    changed, too_much = 0, 0
    for name in sorted(set(rows) | set(before)):
        if name not in rows or name not in before:
            print(f"{name}: {'new' if name in rows else 'gone'}")
            changed += 1
            too_much += 1
            continue
        differences = []
        for column in COLUMNS:
            old, new = before[name].get(column), rows[name][column]
            if None not in (old, new) and old != new:
                differences.append(f"{column} {old} -> {new} ({(new - old) * 100 / old:+.1f} %)" if old else f"{column} {old} -> {new}")
                if column in ("gates", "flops", "bits", "levels", "luts") and abs(new - old) * 10 > old:
                    too_much += 1
        if differences:
            changed += 1
            print(f"{name}: {', '.join(differences)}")
    print(f"{changed} of {len(rows)} units differ from the baseline")
    for line, much in fabric_differs:
        print(line)
        too_much += much
    print(f"{len(fabric_differs)} units of the fabric differ from the baseline")
    for line in too_fast:
        print(line)
    if "--update" in options:
        with open(BASELINE, "w") as file:
            file.write(table(rows))
        with open(FABRIC_BASELINE, "w") as file:
            file.write(of_fabric)
        print("baseline.txt and fabric_baseline.txt are rewritten: review and commit them")
    elif "--check" in options and too_much:
        sys.exit("differences of more than a tenth: look at them, then ./run synth --update")
    if too_fast:
        sys.exit("the fabric grows faster than its tiles")


if __name__ == "__main__":
    import fabric  # takes what is above from this module
    main()
