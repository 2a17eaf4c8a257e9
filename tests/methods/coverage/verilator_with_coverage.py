#!/usr/bin/env python3
"""Verilator for a coverage build: the same command line, with line and toggle coverage.

A bench makes many objects of one verilated class and destroys them before it ends; Verilator's counts live in the object
and start again with each. Here the counts of a class outlive its objects: the generated code is changed between
verilating and compiling, so that all objects count into one array, which coverage_writer.cpp writes at the end.
"""
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERILATOR = os.environ.get("TESSERA_VERILATOR", "verilator")
# Coverage is counted in functions that are seldom worth optimising; compiling is what takes the time.
FLAGS = ["OPT_FAST=-O1", "OPT_SLOW=-O0"]


def option(arguments, name, default=None):
    return arguments[arguments.index(name) + 1] if name in arguments else default


def replace(text, pattern, by, where):
    changed, count = re.subn(pattern, by, text)
    if count == 0:
        sys.exit(f"verilator_with_coverage: {where}: nothing matches {pattern}")
    return changed


def keep_counts(folder, prefix):
    """One array of plain counts for all objects of the class, registered once, never set back."""
    symbols = folder / f"{prefix}__Syms.h"
    text = symbols.read_text()
    if "__Vcoverage[" not in text:
        return
    symbols.write_text(replace(text, r"std::atomic<uint32_t> __Vcoverage\[", "static inline uint32_t __Vcoverage[", symbols))
    for file in list(folder.glob(f"{prefix}*.h")) + list(folder.glob(f"{prefix}*.cpp")):
        text = old = file.read_text()
        text = text.replace("std::atomic<uint32_t>* countp", "uint32_t* countp")
        text = re.sub(r"(__Vcoverage\[\d+\])\.fetch_add\(1, std::memory_order_relaxed\)", r"++vlSymsp->\1", text)
        text = text.replace("vlSymsp->++vlSymsp->", "++vlSymsp->")
        if "VL_COVER_INSERT(" in text:
            text = replace(text, r"\n *\*count32p = 0;", "", file)
            text = replace(text, r"reinterpret_cast<uint32_t\*>\(countp\)", "countp", file)
            text = replace(text, r"VL_COVER_INSERT\(vlSymsp->_vm_contextp__->coveragep\(\)",
                           "tessera_register_coverage();\n    VL_COVER_INSERT(Verilated::defaultContextp()->coveragep()", file)
            text = "void tessera_register_coverage();\n" + text
        text = re.sub(r"(_configure_coverage\([^;{]*\) \{)",
                      r"\1\n    static bool registered = false;\n    if (registered) return;\n    registered = true;", text)
        if text != old:
            file.write_text(text)


def main():
    arguments = sys.argv[1:]
    if "--cc" not in arguments:
        os.execvp(VERILATOR, [VERILATOR] + arguments)
    kept, skip = [], 0
    for position, argument in enumerate(arguments):
        if skip:
            skip -= 1
        elif argument in ("--build", "--savable"):  # Verilator takes no coverage with snapshots
            pass
        elif argument in ("-j", "-MAKEFLAGS"):
            skip = 1
        else:
            kept.append(argument)
    folder = Path(option(arguments, "--Mdir", "obj_dir"))
    prefix = option(arguments, "--prefix") or "V" + option(arguments, "--top-module")
    for old in folder.glob(f"{prefix}*"):
        old.unlink()
    subprocess.run([VERILATOR, "--coverage-line", "--coverage-toggle"] + kept, check=True)
    keep_counts(folder, prefix)
    given = [flag for flag in shlex.split(option(arguments, "-MAKEFLAGS", "")) if not flag.startswith(("OPT_", "-"))]
    archive = f"{prefix}__ALL.a"
    subprocess.run(["make", "-s", "-j2", "-C", str(folder), "-f", f"{prefix}.mk"] + given + FLAGS + [archive], check=True)
    # The archive brings the counts' own code along, so that no bench has to know of it.
    root = subprocess.run([VERILATOR, "--getenv", "VERILATOR_ROOT"], check=True, capture_output=True, text=True).stdout.strip()
    compiler = option([part for flag in given for part in flag.split("=", 1)], "CXX", "g++")
    cache = os.environ.get("OBJCACHE", "").split()
    for source in (HERE / "coverage_writer.cpp", Path(root) / "include/verilated_cov.cpp"):
        subprocess.run(cache + [compiler, "-std=c++17", "-O1", "-w", "-c", str(source), "-o", source.stem + ".o",
                                f"-I{root}/include", f"-I{root}/include/vltstd"], check=True, cwd=folder)
        subprocess.run(["ar", "r", archive, source.stem + ".o"], check=True, cwd=folder, stderr=subprocess.DEVNULL)


main()
