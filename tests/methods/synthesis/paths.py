"""Longest paths of a synthesised design, in levels of mapped gates.

A path begins at a register, a word of memory or an input, and ends at a register (its data, enable or synchronous reset), at a memory or at
an output. Each gate is a level. What is read from a memory without a clock is as many levels behind its address as that has bits: a tree of
multiplexers. Clocks are no paths; the enable of a clock gate is an end.
"""
import re

from synth import is_flop

CLOCKS = {"C", "RD_CLK", "WR_CLK", "clk_i"}


class Netlist:
    """A top and all below it, flat: nets are numbers, and each knows the gate that drives it."""

    def __init__(self, modules, top):
        self.modules, self.top = modules, top
        self.inputs_of = []  # by net: nets that its gate takes, or None for what begins a path
        self.levels_of = []  # by net: levels from those to it
        self.ends = []       # (net, instance path, module, cell)
        self.starts = {}     # net -> (instance path, module, cell)
        self.constant = self.net()
        ports = modules[top]["ports"]
        bits = {bit: self.net() for port in ports.values() for bit in port["bits"] if isinstance(bit, int)}
        self.names = {}
        self.flatten(top, "", bits)
        for name, port in ports.items():
            for bit in port["bits"]:
                if not isinstance(bit, int):
                    continue
                if port["direction"] == "input":
                    self.starts[bits[bit]] = ("", top, "input " + name)
                else:
                    self.ends.append((bits[bit], "", top, "output " + name))

    def net(self):
        self.inputs_of.append(None)
        self.levels_of.append(0)
        return len(self.inputs_of) - 1

    def flatten(self, name, path, bits):
        module = self.modules[name]

        def of(bit):
            if not isinstance(bit, int):
                return self.constant
            if bit not in bits:
                bits[bit] = self.net()
            return bits[bit]
        for cell_name, cell in module["cells"].items():
            kind, connections = cell["type"], cell["connections"]
            if kind in self.modules and "blackbox" not in self.modules[kind].get("attributes", {}):
                inner, joined = {}, []
                child = self.modules[kind]["ports"]
                for port in sorted(connections, key=lambda port: child[port]["direction"] != "input"):
                    for bit, own in zip(connections[port], child[port]["bits"]):
                        if not isinstance(own, int):
                            continue
                        if own in inner:  # an output that is another port's net too
                            joined.append((of(bit), inner[own]))
                        else:
                            inner[own] = of(bit)
                self.flatten(kind, f"{path}{cell_name}.", inner)
                for net, driver in joined:
                    self.drive(net, [driver], 0)
            elif is_flop(kind):
                for bit in connections["Q"]:
                    self.starts[of(bit)] = (path, name, cell_name)
                for pin, taken in connections.items():
                    if pin not in ("Q", "C") and not (kind.startswith("$_DLATCH") and pin == "E"):
                        self.end(of, taken, path, name, cell_name)
            elif kind.startswith("$mem"):
                self.memory(cell, of, path, name, cell_name)
            elif kind.startswith("$_"):
                taken = [of(bit) for pin, nets in connections.items() if pin != "Y" for bit in nets if isinstance(bit, int)]
                self.drive(of(connections["Y"][0]), taken, 1)
            else:  # a black box: registers at its inputs and outputs
                directions = cell.get("port_directions") or {p: v["direction"] for p, v in self.modules[kind]["ports"].items()}
                for pin, nets in connections.items():
                    if pin in CLOCKS:
                        continue
                    if directions[pin] == "input":
                        self.end(of, nets, path, name, cell_name)
                    else:
                        for bit in nets:
                            self.starts[of(bit)] = (path, name, cell_name)

    def memory(self, cell, of, path, name, cell_name):
        connections, parameters = cell["connections"], cell["parameters"]
        number = lambda key: int(parameters[key], 2)
        ports, address_bits, width = number("RD_PORTS"), number("ABITS"), number("WIDTH")
        for port in range(ports):
            address = connections["RD_ADDR"][port * address_bits:(port + 1) * address_bits]
            data = connections["RD_DATA"][port * width:(port + 1) * width]
            if number("RD_CLK_ENABLE") >> port & 1:
                self.end(of, address, path, name, cell_name)
                for bit in data:
                    self.starts[of(bit)] = (path, name, cell_name)
                continue
            read = self.net()
            cells = self.net()  # what the memory holds
            self.starts[cells] = (path, name, cell_name)
            self.drive(read, [of(bit) for bit in address if isinstance(bit, int)] + [cells], address_bits)
            for bit in data:
                self.drive(of(bit), [read], 0)
        for pin in ("WR_ADDR", "WR_DATA", "WR_EN"):
            self.end(of, connections[pin], path, name, cell_name)

    def end(self, of, nets, path, name, cell_name):
        for bit in nets:
            if isinstance(bit, int):
                self.ends.append((of(bit), path, name, cell_name))

    def drive(self, net, taken, levels):
        self.inputs_of[net] = taken
        self.levels_of[net] = levels

    def arrivals(self):
        """(levels by net, the input on its longest path by net)."""
        inputs, levels = self.inputs_of, self.levels_of
        at, before = [-1] * len(inputs), [-1] * len(inputs)
        under_way = bytearray(len(inputs))
        for root in range(len(inputs)):
            if at[root] >= 0:
                continue
            stack = [root]
            while stack:
                net = stack[-1]
                if at[net] >= 0:
                    stack.pop()
                    continue
                if inputs[net] is None:
                    at[net] = 0
                    stack.pop()
                    continue
                waits = [] if under_way[net] else [i for i in inputs[net] if at[i] < 0]
                under_way[net] = 1
                if waits:
                    for i in waits:
                        if under_way[i]:
                            raise RuntimeError(f"a loop of gates below {self.top}")
                    stack.extend(waits)
                    continue
                latest = max(inputs[net], key=at.__getitem__, default=-1)
                at[net] = levels[net] + (at[latest] if latest >= 0 else 0)
                before[net] = latest
                stack.pop()
        return at, before

    def start_name(self, net):
        return self.name_of(*self.starts[net]) if net in self.starts else "a constant"

    def name_of(self, path, module, cell_name):
        """Of a register by its signal, of others by their instance; without the bit."""
        if module not in self.names:
            names = {}
            for name, net in self.modules[module]["netnames"].items():
                if not net.get("hide_name"):
                    for bit in net["bits"]:
                        names.setdefault(bit, name)
            self.names[module] = names
        cell = self.modules[module]["cells"].get(cell_name)
        if cell is not None and is_flop(cell["type"]):
            cell_name = self.names[module].get(cell["connections"]["Q"][0], cell_name)
        return re.sub(r"\$paramod[^.]*\\", "", f"{path}{cell_name}")


def longest(modules, top):
    """Levels of the longest path of a top and all below it."""
    netlist = Netlist(modules, top)
    at, _ = netlist.arrivals()
    return max((at[end[0]] for end in netlist.ends), default=0)


def worst_ends(modules, top, number):
    """(levels, where the path begins, where it ends) of the registers and ports with the longest paths, each once."""
    netlist = Netlist(modules, top)
    at, before = netlist.arrivals()
    found = {}
    for net, *place in sorted(netlist.ends, key=lambda end: -at[end[0]]):
        name = netlist.name_of(*place)
        if name in found:
            continue
        start = net
        while before[start] >= 0:
            start = before[start]
        found[name] = (at[net], netlist.start_name(start), name)
        if len(found) == number:
            break
    return list(found.values())
