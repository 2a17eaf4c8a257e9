#!/usr/bin/env python3
"""Netlist against source in random simulation: every leaf module of rtl/ (one that instantiates nothing), and of exchange, sync,
edge and chip's fabric every other module with all that stands below it.

compare.py SOURCE BUILD WORK [CYCLES] [PACKAGE]

With the memory_pkg.sv of another tile (build/rtl/tile/memory_pkg_<id>): the leaves that depend on it, alone. With the machine_pkg.sv
of another machine than mk2-4 (build/rtl/chip/machine_pkg_<name>): the edge, alone.
Yosys turns each of them into a netlist; one Verilator model holds all of them twice, source and netlist, driven by the same random
inputs, of few ones or of many; outputs are compared in every cycle. Prints a line per module that differs and ends with the number
of modules compared.
"""
import glob
import json
import os
import random
import re
import subprocess
import sys
import time


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)[:200]}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def sources(source, build, package):
    packages = sorted(p for p in glob.glob(f"{build}/rtl/**/*_pkg.sv", recursive=True) if "machine_pkg_" not in p and "memory_pkg_" not in p)
    if package:
        packages = [package if os.path.basename(path) == os.path.basename(package) else path for path in packages]
    kept = run(["git", "-C", source, "ls-files", "rtl/*.sv"]).split()
    kept = [os.path.join(source, path) for path in kept]
    is_package = {}
    for path in kept:
        with open(path) as file:
            is_package[path] = any(line.startswith("package ") for line in file)
    packages += [path for path in kept if is_package[path]]
    generated = sorted(p for p in glob.glob(f"{build}/rtl/**/*.sv", recursive=True) if not p.endswith("_pkg.sv"))
    return packages, [path for path in kept if not is_package[path]] + generated


def on_memory(path):
    with open(path) as file:
        return re.search(r"memory_pkg::|tile_pkg::(locate|in_memory|executable)", file.read()) is not None


def leaf_modules(packages, modules, work):
    """Leaves with their ports: name -> [(port, direction, width)]. Leaves all modules of the design in WORK/modules.il."""
    listing = f"{work}/modules.json"
    run(["yosys", "-q", "-p", f"read_verilog -sv {' '.join(packages + modules)}; proc; write_json {listing}; write_rtlil {work}/modules.il"])
    with open(listing) as file:
        design = json.load(file)["modules"]
    leaves = {}
    names = {os.path.splitext(os.path.basename(path))[0] for path in modules}
    for name, module in sorted(design.items()):
        short = name.lstrip("\\")
        instances = [cell for cell in module["cells"].values() if not cell["type"].startswith("$")]
        if short in names and not instances:
            leaves[short] = [(port, data["direction"], len(data["bits"])) for port, data in module["ports"].items()]
    return leaves


def whole_modules(packages, modules, leaves, work):
    """Modules of the fabric that instantiate others, as netlists without hierarchy: name -> ports as of leaves, and the files. Their nets
    are single bits: bits of one vector that depend on each other look like a circle to Verilator, and 5.006 then shows old values."""
    wholes, files = {}, []
    below = ("/rtl/exchange/", "/rtl/sync/", "/rtl/edge/", "/rtl/link/")
    for path in modules:
        name = os.path.splitext(os.path.basename(path))[0]
        if name in leaves or not (any(folder in path for folder in below) or name in ("fabric", "fabric_links")):
            continue
        of_fabric = [p for p in packages + modules if "/rtl/tile/" not in p and "/rtl/float/" not in p and not p.endswith("/chip.sv")]
        listing, netlist = f"{work}/{name}.json", f"{work}/{name}_netlist.v"
        run(["yosys", "-q", "-p", f"read_verilog -sv {' '.join(of_fabric)}; hierarchy -check -top {name}; proc; flatten; opt; splitnets; write_json {listing}; "
             f"rename -top {name}_netlist; write_verilog -noattr {netlist}"])
        with open(listing) as file:
            module = next(m for m in json.load(file)["modules"].values() if int(m["attributes"].get("top", "0"), 2))
        wholes[name] = [(port, data["direction"], len(data["bits"])) for port, data in module["ports"].items()]
        files.append(netlist)
    return wholes, files


def write_netlists(leaves, work):
    """The leaves of WORK/modules.il as one file of netlists, NAME_netlist each."""
    path = f"{work}/netlists.v"
    others = " ".join(f"{name} %d" for name in leaves)
    script = [f"read_rtlil {work}/modules.il", f"select -set others =* {others}", "delete @others", "hierarchy -check", "opt"]
    script += [f"rename {name} {name}_netlist" for name in leaves]
    run(["yosys", "-q", "-p", "; ".join([*script, f"write_verilog -noattr {path}"])])
    return path


def write_top(leaves, path):
    lines = []
    offset = 0
    for index, (name, ports) in enumerate(leaves.items()):
        outputs = [(port, width) for port, direction, width in ports if direction == "output"]
        connections = {"": [], "_netlist": []}
        for port, direction, width in ports:
            if direction == "input":
                if port in ("clk_i", "gclk_i"):  # a gated clock that always runs
                    signal = "clk_i"
                elif port == "rst_ni":
                    signal = "rst_ni"
                else:
                    signal = f"random_i[{offset}+:{width}]"
                    offset += width
                for suffix in connections:
                    connections[suffix].append(f".{port}({signal})")
            else:
                for suffix in connections:
                    connections[suffix].append(f".{port}({name}_{port}{suffix})")
        for port, width in outputs:
            lines.append(f"  logic [{width - 1}:0] {name}_{port}, {name}_{port}_netlist;")
        for suffix, list_of in connections.items():
            lines.append(f"  {name}{suffix} i_{name}{suffix} ({', '.join(list_of)});")
        same = " && ".join(f"{name}_{port} == {name}_{port}_netlist" for port, _ in outputs) or "1'b1"
        lines.append(f"  assign differs_o[{index}] = !({same});")
    with open(path, "w") as file:
        file.write(f"module compare (input logic clk_i, input logic rst_ni, input logic [{offset - 1}:0] random_i,\n")
        file.write(f"  output logic [{len(leaves) - 1}:0] differs_o);\n" + "\n".join(lines) + "\nendmodule\n")
    return offset


def write_main(leaves, width, cycles, path):
    names = ", ".join(f'"{name}"' for name in leaves)
    with open(path, "w") as file:
        file.write(f"""#include "Vcompare.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <type_traits>
static bool bit(const void* words, unsigned i) {{ return static_cast<const uint8_t*>(words)[i / 8] >> (i % 8) & 1; }}
int main() {{
  const char* names[] = {{{names}}};
  bool failed[{len(leaves)}] = {{}};
  std::mt19937 random(7);
  VerilatedContext context;
  Vcompare top(&context);
  for (long cycle = 0; cycle < {cycles}; ++cycle) {{
    uint32_t words[{(width + 31) // 32}];
    const unsigned fewer = random() % 5;  // ones: a half, a quarter, an eighth, a sixteenth; three quarters
    for (auto& word : words) {{
      word = random();
      for (unsigned i = 0; i < fewer && fewer < 4; ++i) word &= random();
      if (fewer == 4) word |= random();
    }}
    std::memcpy(&top.random_i, words, sizeof top.random_i < sizeof words ? sizeof top.random_i : sizeof words);
    top.rst_ni = cycle >= 8;
    top.clk_i = 0;
    top.eval();
    for (unsigned i = 0; cycle >= 8 && i < {len(leaves)}; ++i)
      if (bit(&top.differs_o, i) && !failed[i]) {{
        failed[i] = true;
        std::printf("%s: netlist and source differ in cycle %ld\\n", names[i], cycle);
      }}
    top.clk_i = 1;
    top.eval();
  }}
  bool any = false;
  for (bool f : failed) any |= f;
  std::printf("%d modules compared over {cycles} random cycles\\n", {len(leaves)});
  return any;
}}
""")


def main():
    if len(sys.argv) not in (4, 5, 6):
        sys.exit(__doc__)
    source, build, work = sys.argv[1:4]
    cycles = int(sys.argv[4]) if len(sys.argv) >= 5 else 20000
    package = sys.argv[5] if len(sys.argv) == 6 else ""
    edge, memory = (os.path.basename(package) == name for name in ("machine_pkg.sv", "memory_pkg.sv"))
    os.makedirs(work, exist_ok=True)
    packages, modules = sources(source, build, package)
    if memory:
        modules = [path for path in modules if on_memory(path)]
    if edge:
        modules = [path for path in modules if "/rtl/edge/" in path or path.endswith("/sync_pipe.sv")]
    started = time.monotonic()
    leaves = leaf_modules(packages, modules, work)
    if not leaves:
        sys.exit("no leaf module found")
    netlists = [write_netlists(leaves, work)]
    if not memory:
        wholes, files = whole_modules(packages, modules, leaves, work)
        leaves |= wholes
        netlists += files
    print(f"netlists made in {time.monotonic() - started:.0f} s", flush=True)
    width = write_top(leaves, f"{work}/compare.sv")
    write_main(leaves, width, cycles, f"{work}/compare.cpp")
    run(["verilator", "--cc", "--exe", "--build", "-O3", "--x-initial", "0", "--x-assign", "0", "-Wno-fatal", "-Wno-lint", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0",
         "--top-module", "compare", "--Mdir", f"{work}/model", *packages, *modules, *netlists, f"{work}/compare.sv", f"{work}/compare.cpp"])
    print(f"compared model built after {time.monotonic() - started:.0f} s", flush=True)
    done = subprocess.run([f"{work}/model/Vcompare"], text=True, capture_output=True)
    print(done.stdout, end="")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
