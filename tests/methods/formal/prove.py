#!/usr/bin/env python3
"""Proves one of the properties of proofs.toml with Yosys smtbmc and z3, and shows that the proof can fail.

prove.py SOURCE BUILD WORK NAME

The harness (NAME.sv, unless the table says another) instantiates the RTL with free inputs, assumes what its surroundings promise and asserts the property. Assertions of
the RTL itself hold with it, but for those of modules in `promises_left_out`. The proof is
by temporal induction over `depth` cycles, after `run` (else `depth`) cycles from reset. Then each mutant of the table, the same RTL
with one text replaced, has to give a counterexample from reset within as many cycles.
"""
import os
import re
import subprocess
import sys
import time
import tomllib


def generated(build, name):
    """A package that the build generates, wherever it stands there."""
    for folder, _, files in sorted(os.walk(os.path.join(build, "rtl"))):
        if name in files:
            return os.path.join(folder, name)
    sys.exit(f"{name} is not in {build}: build tessera_isa_pkg, tessera_memory_pkg and tessera_fp_pkg first")


def with_free_decode(path, here, work):
    """The instruction package with free_decode.sv for its decoder."""
    with open(path) as file, open(os.path.join(here, "free_decode.sv")) as free:
        body = free.read()
        text, count = re.subn(r"  function automatic logic \[35:0\] decode\(.*?endfunction\n", lambda _: body, file.read(), flags=re.S)
    if count != 1:
        sys.exit(f"{path} has no decoder of 36 bits")
    copy = os.path.join(work, os.path.basename(path))
    with open(copy, "w") as file:
        file.write(text)
    return copy


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def lowering():
    """Newer Yosys (0.52 of Debian 13) keeps assertions as cells that write_smt2 leaves out until they are lowered; older (0.23) knows no such cells."""
    _, text = run(["yosys", "-p", "help chformal"])
    return "async2sync; chformal -lower; " if "-lower" in text else ""


def translate(proof, files, out):
    top = proof.get("harness", proof["name"])
    defines = "".join(f" -D {name}" for name in proof.get("defines", []))
    # Promises of the tile's modules rest on the whole tile, and are looked at in its simulations.
    left_out = "".join(f"chformal -assert -remove {module}; " for module in proof.get("promises_left_out", []))
    script = f"read_verilog -formal -sv{defines} {' '.join(files)}; hierarchy -top {top}; proc; {left_out}prep -flatten -top {top}; memory_map; opt -full; dffunmap; {lowering()}write_smt2 -wires {out}"
    code, text = run(["yosys", "-q", "-p", script])
    if code != 0:
        sys.exit(f"yosys cannot read {top}:\n{text}")


def holds(smt, depth, induction):
    """Whether smtbmc finds no violation; anything but a clear answer ends the test."""
    code, text = run(["yosys-smtbmc", "-s", "z3", "-t", str(depth), "--unroll", *(["-i"] if induction else []), smt])
    if re.search("Status: passed", text, re.I) and code == 0:
        return True, text
    if re.search("Status: failed", text, re.I) and "Assumptions are unsatisfiable" not in text:
        return False, text
    sys.exit(f"no answer about {smt}:\n{text[-3000:]}")


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    source, build, work, name = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "proofs.toml"), "rb") as file:
        proof = {p["name"]: p for p in tomllib.load(file)["proof"]}[name]
    os.makedirs(work, exist_ok=True)
    packages = [generated(build, package) for package in proof.get("generated", [])]
    if proof.get("free_decode"):
        packages = [with_free_decode(path, here, work) if os.path.basename(path) == "isa_pkg.sv" else path for path in packages]
    sources = [os.path.join(source, path) for path in proof["sources"]]
    harness = os.path.join(here, proof.get("harness", name) + ".sv")

    run_of = proof.get("run", proof["depth"])
    smt = os.path.join(work, name + ".smt2")
    started = time.monotonic()
    translate(proof, packages + sources + [harness], smt)
    for induction in (False, True):
        good, text = holds(smt, proof["depth"] if induction else run_of, induction)
        if not good:
            print(text[-4000:])
            sys.exit(f"{name}: {'the induction over' if induction else 'a run of'} {proof['depth']} cycles violates the property")
    print(f"{name}: proven by induction over {proof['depth']} cycles in {time.monotonic() - started:.1f} s")

    survivors = 0
    for index, mutant in enumerate(proof["mutant"]):
        path = os.path.join(source, mutant["file"])
        with open(path) as file:
            text = file.read()
        if text.count(mutant["from"]) != 1:
            sys.exit(f"{name}: mutant '{mutant['what']}': its text stands {text.count(mutant['from'])} times in {mutant['file']}")
        copy = os.path.join(work, f"mutant{index}_{os.path.basename(path)}")
        with open(copy, "w") as file:
            file.write(text.replace(mutant["from"], mutant["to"]))
        smt = os.path.join(work, f"{name}_mutant{index}.smt2")
        translate(proof, packages + [copy if path == s else s for s in sources] + [harness], smt)
        good, _ = holds(smt, run_of, False)
        print(f"{name}: mutant {mutant['what']}: {'NOT FOUND' if good else 'found'}")
        survivors += good
    if survivors or not proof["mutant"]:
        sys.exit(f"{name}: {survivors} mutants were not found")


if __name__ == "__main__":
    main()
