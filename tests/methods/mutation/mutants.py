"""Finds what can be changed in a SystemVerilog source so that it is another design: operators, constants, conditions, dropped terms.

Only what is computed in every cycle counts: right-hand sides of `assign` and of assignments in always blocks, and conditions there.
What is worked out when the design is built (parameters, ranges, indices, generate conditions, functions) and what stands between
`ifndef SYNTHESIS and `endif is left alone.
"""
import dataclasses
import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<number>\d[\d_]*\s*'s?[bdhoBDHO]\s*[0-9a-fA-FxXzZ?_]+|'[01](?![\w'])|\d[\d_]*)
  | (?P<name>[`$]?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)
  | (?P<op><<<|>>>|===|!==|<<=|>>=|&&|\|\||==|!=|<=|>=|<<|>>|\+:|-:|\+=|-=|\|=|&=|\^=|\*\*|~\^|\^~|'\(|'\{|.)
""", re.VERBOSE | re.DOTALL)

PRECEDENCE = {"**": 12, "*": 11, "/": 11, "%": 11, "+": 10, "-": 10, "<<": 9, ">>": 9, "<<<": 9, ">>>": 9, "<": 8, "<=": 8, ">": 8,
              ">=": 8, "==": 7, "!=": 7, "&": 6, "^": 5, "~^": 5, "^~": 5, "|": 4, "&&": 3, "||": 2}
SWAPPED = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "&&": ["||"], "||": ["&&"],
           "&": ["|"], "|": ["&"], "^": ["|"], "+": ["-"], "-": ["+"], "<<": [">>"], ">>": ["<<"]}
DROPPED = ("&&", "||", "&", "|", "^")
OPEN, CLOSE = ("(", "[", "{", "'(", "'{"), (")", "]", "}")


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Expression:
    start: int
    end: int
    condition: bool  # of an `if`


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    what: str
    expression: Expression
    start: int  # what is replaced
    end: int
    text: str   # by this


def tokens_of(text):
    tokens, hidden = [], 0
    for match in TOKEN.finditer(text):
        word = match.group()
        if word in ("`ifdef", "`ifndef"):
            hidden += 1
        elif word == "`endif":
            hidden -= 1
        elif hidden == 0 and match.lastgroup != "space":
            tokens.append(Token(match.lastgroup, word, match.start(), match.end()))
    return tokens


class Scan:
    """The expressions of a source, in their order."""

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.expressions = []
        at = 0
        while at < len(self.tokens):
            at = self.item(at)

    def text(self, at):
        return self.tokens[at].text if at < len(self.tokens) else ""

    def behind_group(self, at):
        """Behind the bracket that closes the one at `at`."""
        depth = 0
        while True:
            depth += (self.text(at) in OPEN) - (self.text(at) in CLOSE)
            at += 1
            if depth == 0:
                return at

    def find(self, at, words):
        """The first of these words outside of brackets."""
        while self.text(at) not in words:
            at = self.behind_group(at) if self.text(at) in OPEN else at + 1
        return at

    def add(self, first, behind, condition=False):
        if first < behind:
            self.expressions.append(Expression(self.tokens[first].start, self.tokens[behind - 1].end, condition))

    def item(self, at):
        word = self.text(at)
        if word == "assign":
            if self.text(at + 1) == "unused":  # names what nobody needs
                return self.find(at, (";",)) + 1
            return self.assignment(at + 1)
        if word in ("always_comb", "always_ff"):
            at += 1
            if self.text(at) == "@":
                at = self.behind_group(at + 1)
            return self.statement(at)
        if word == "function":
            while self.text(at) != "endfunction":
                at += 1
        if word in ("localparam", "parameter", "typedef", "import"):
            return self.find(at, (";", ")", ",")) + 1
        return at + 1

    def assignment(self, at):
        equals = self.find(at, ("=", "<=", "|=", "&=", "^=", "+=", "-="))
        end = self.find(equals, (";",))
        self.add(equals + 1, end)
        return end + 1

    def statement(self, at):
        word = self.text(at)
        if word in ("unique", "priority"):
            return self.statement(at + 1)
        if word == "begin":
            at += 3 if self.text(at + 1) == ":" else 1
            while self.text(at) != "end":
                at = self.statement(at)
            return at + (3 if self.text(at + 1) == ":" else 1)
        if word == "if":
            behind = self.behind_group(at + 1)
            self.add(at + 2, behind - 1, condition=True)
            at = self.statement(behind)
            return self.statement(at + 1) if self.text(at) == "else" else at
        if word == "for":
            return self.statement(self.behind_group(at + 1))
        if word in ("case", "casez"):
            at = self.behind_group(at + 1)
            at += self.text(at) == "inside"
            while self.text(at) != "endcase":
                at = self.statement(self.find(at, (":",)) + 1)
            return at + 1
        end = self.find(at, (";",))
        names = 0  # a declaration has two names side by side, or a type's keyword
        while at + names < end and self.tokens[at + names].kind == "name":
            names += 1
        if names == 1 and word not in ("logic", "int", "bit", "automatic") and not word.startswith("$"):
            return self.assignment(at)
        if word == "{":
            return self.assignment(at)
        return end + 1


def bumped(number):
    """A literal of the same width with another value; "" where there is none."""
    if number in ("'0", "'1"):
        return "'1" if number == "'0" else "'0"
    match = re.fullmatch(r"(\d+)\s*'(s?)([bdhoBDHO])\s*([0-9a-fA-F_]+)", number)
    if match is None or match[2]:
        return ""
    value = int(match[4].replace("_", ""), {"b": 2, "o": 8, "d": 10, "h": 16}[match[3].lower()])
    width = int(match[1])
    return f"{width}'d{(value + 1) % (1 << width)}"


def changes_of(tokens, expression):
    """What can be done to an expression, whose tokens these are: (what, start, end, text)."""
    changes = []
    inside = []  # brackets around
    for i, token in enumerate(tokens):
        before, behind = tokens[i - 1] if i > 0 else None, tokens[i + 1] if i + 1 < len(tokens) else None
        if token.text in OPEN:
            inside.append(token.text)
            continue
        if token.text in CLOSE:
            inside.pop()
            continue
        if "[" in inside:
            continue
        if token.kind == "number":
            counts = behind is not None and behind.text in ("{", "'(")
            other = "" if counts else bumped(token.text)
            if other:
                changes.append((f"{token.text} is {other}", token.start, token.end, other))
            continue
        if token.kind != "op":
            continue
        unary = before is None or before.kind == "op" and before.text not in CLOSE or before.text == "inside"
        if unary:
            if token.text in ("!", "~"):
                changes.append((f"{token.text} is gone", token.start, token.end, ""))
            elif token.text in ("&", "|"):
                changes.append((f"{token.text} over all bits is {SWAPPED[token.text][0]}", token.start, token.end, SWAPPED[token.text][0]))
            continue
        for other in SWAPPED.get(token.text, ()):
            changes.append((f"{token.text} is {other}", token.start, token.end, other))
        if token.text in DROPPED:
            left, right = reach(tokens, i, -1), reach(tokens, i, 1)
            changes.append((f"left of {token.text} is gone", tokens[left].start, token.end, ""))
            changes.append((f"right of {token.text} is gone", token.start, tokens[right].end, ""))
        if token.text == "?":
            left = reach(tokens, i, -1)
            for value in ("1'b1", "1'b0"):
                changes.append((f"? always has {value}", tokens[left].start, tokens[i - 1].end, value))
    if expression.condition:
        for value in ("1'b1", "1'b0"):
            changes.append((f"condition is {value}", expression.start, expression.end, value))
    return changes


def reach(tokens, at, step):
    """The last token of the operand on that side of the operator at `at`."""
    binds = PRECEDENCE.get(tokens[at].text, 1)
    depth, i = 0, at + step
    last = at
    opens, closes = (OPEN, CLOSE) if step > 0 else (CLOSE, OPEN)
    while 0 <= i < len(tokens):
        text = tokens[i].text
        if text in opens:
            depth += 1
        elif text in closes:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and tokens[i].kind == "op":
            before = tokens[i - 1] if i > 0 else None
            unary = before is None or before.kind == "op" and before.text not in CLOSE
            if text in (",", ":", "?"):
                break
            if not unary and text in PRECEDENCE and (PRECEDENCE[text] < binds or step > 0 and PRECEDENCE[text] == binds):
                break
        last = i
        i += step
    return last


def mutants_of(file, text):
    found = []
    scan = Scan(text)
    for expression in scan.expressions:
        tokens = [t for t in scan.tokens if expression.start <= t.start and t.end <= expression.end]
        for what, start, end, other in changes_of(tokens, expression):
            line = text.count("\n", 0, start) + 1
            found.append(Mutant(file, line, what, expression, start, end, other))
    return found


def with_all(text, numbered):
    """The source with all these mutants of it, of which mutants_pkg::chosen says the number of the one that acts."""
    by_expression = {}
    for number, mutant in numbered:
        by_expression.setdefault(mutant.expression, []).append((number, mutant))
    for expression in sorted(by_expression, key=lambda e: e.start, reverse=True):
        plain = text[expression.start:expression.end]
        choice = ""
        for number, mutant in by_expression[expression]:
            other = plain[:mutant.start - expression.start] + mutant.text + plain[mutant.end - expression.start:]
            choice += f"mutants_pkg::chosen == 32'd{number} ? ({other}\n) : "
        text = text[:expression.start] + f"({choice}({plain}\n))" + text[expression.end:]
    return text
