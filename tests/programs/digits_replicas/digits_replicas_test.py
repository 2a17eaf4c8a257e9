#!/usr/bin/env python3
"""digits_replicas_test.py PROGRAM MACHINE EPOCHS TRAIN: digits on four replicas against one chip with the same batches.

The loss of each epoch is that of one chip within a millionth; RTL and model print the same.
"""
import re
import subprocess
import sys

program, machine, epochs, train = sys.argv[1:5]


def run(on, replicas):
    done = subprocess.run([program, "--on", on, "--machine", machine, "--replicas", str(replicas), "--epochs", epochs, "--train", train],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{replicas} replicas on {on}: status {done.returncode}")
    return done.stdout


def losses(text):
    return [float(loss) for loss in re.findall(r"loss (\S+)", text)]


one, four, rtl = run("model", 1), run("model", 4), run("rtl", 4)
print(f"one chip, model:\n{one}four replicas, model:\n{four}four replicas, RTL:\n{rtl}", end="")
worst = max(abs(a - b) / b for a, b in zip(losses(four), losses(one)))
if len(losses(four)) != int(epochs) or len(losses(one)) != int(epochs):
    sys.exit("an epoch is missing")
print(f"worst difference of an epoch's loss: {worst:.3g}")
if worst > 1e-6:
    sys.exit("the loss differs by more than a millionth")
if rtl != four:
    sys.exit("RTL and model differ")
print("RTL equals model: losses, weights, memory, cycles")
