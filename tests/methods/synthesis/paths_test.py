#!/usr/bin/env python3
"""Longest paths of small netlists, counted by hand."""
import unittest

from paths import longest, worst_ends


def gate(out, *taken):
    return {"type": "$_AND_", "connections": {"Y": [out], **{pin: [net] for pin, net in zip("AB", taken)}}}


def flop(q, d):
    return {"type": "$_DFF_P_", "connections": {"C": [99], "Q": [q], "D": [d]}}


def module(ports, cells, names=None):
    return {"ports": {name: {"direction": way, "bits": bits} for name, (way, bits) in ports.items()}, "cells": cells,
            "netnames": {name: {"bits": bits} for name, bits in (names or {}).items()}}


class Paths(unittest.TestCase):
    def test_from_a_register_through_gates_to_another(self):
        top = module({"clk_i": ("input", [99]), "a_i": ("input", [1]), "y_o": ("output", [5])},
                     {"$1": flop(2, 1), "g1": gate(3, 2, 1), "g2": gate(4, 3, 2), "$2": flop(5, 4)}, {"first_q": [2], "last_q": [5]})
        self.assertEqual(longest({"top": top}, "top"), 2)
        self.assertEqual(worst_ends({"top": top}, "top", 3), [(2, "first_q", "last_q"), (0, "input a_i", "first_q"), (0, "last_q", "output y_o")])

    def test_through_a_child_that_hands_a_net_on(self):
        child = module({"a_i": ("input", [7]), "same_o": ("output", [7]), "y_o": ("output", [8])}, {"g": gate(8, 7, 7)})
        top = module({"a_i": ("input", [1]), "y_o": ("output", [5])},
                     {"u_one": {"type": "child", "connections": {"a_i": [1], "same_o": [2], "y_o": [3]}},
                      "u_two": {"type": "child", "connections": {"a_i": [3], "same_o": [4], "y_o": [6]}},
                      "g": gate(5, 4, 2)})
        self.assertEqual(longest({"top": top, "child": child}, "top"), 2)

    def test_through_the_address_of_a_memory_without_a_clock(self):
        memory = {"type": "$mem_v2", "parameters": {"RD_PORTS": "1", "ABITS": "10", "WIDTH": "1", "RD_CLK_ENABLE": "0"},
                  "connections": {"RD_ADDR": [1, 2], "RD_DATA": [3], "WR_ADDR": [], "WR_DATA": [], "WR_EN": []}}
        top = module({"a_i": ("input", [1, 2]), "y_o": ("output", [4])}, {"m": memory, "g": gate(4, 3, 3)})
        self.assertEqual(longest({"top": top}, "top"), 3)
        memory["parameters"]["RD_CLK_ENABLE"] = "1"
        self.assertEqual(longest({"top": top}, "top"), 1)

    def test_a_loop_of_gates_is_told(self):
        top = module({"y_o": ("output", [2])}, {"g": gate(1, 2, 2), "h": gate(2, 1, 1)})
        with self.assertRaisesRegex(RuntimeError, "a loop of gates below top"):
            longest({"top": top}, "top")


if __name__ == "__main__":
    unittest.main()
