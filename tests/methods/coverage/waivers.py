"""What need not be hit, because it cannot be: the table waivers.toml, checked and printed."""
import tomllib


class Waivers:
    """Lines and branches are named by their text, so that a waiver stays with its line; each must say what shows it."""

    def __init__(self, path, root):
        with open(path, "rb") as file:
            table = tomllib.load(file)
        self.lines = table.get("line", [])
        self.branches = table.get("branch", [])
        self.points = table.get("point", [])
        self.wrong = []
        proofs = root / "tests/methods/formal/proofs.toml"
        known = tomllib.loads(proofs.read_text()) if proofs.exists() else {}
        names = set(known) | {p.get("name") for p in known.get("proof", []) if isinstance(p, dict)}
        for waiver in self.lines + self.branches + self.points:
            waiver["used"] = False
            kind, _, what = waiver.get("shown_by", "").partition(" ")
            if kind not in ("proof", "constant") or not what or not waiver.get("reason"):
                self.wrong.append(f"waiver without a reason or what shows it: {waiver}")
            elif kind == "proof" and what not in names:
                self.wrong.append(f"waiver by a proof that tests/methods/formal does not have: {what}")

    def _find(self, table, **names):
        for waiver in table:
            if all(waiver.get(key) == value for key, value in names.items()):
                return waiver
        return None

    def _take(self, table, **names):
        waiver = self._find(table, **names)
        if waiver:
            waiver["used"] = True
        return waiver is not None

    def names_line(self, file, text):
        return self._find(self.lines, file=file, text=text) is not None

    def takes_line(self, file, text):
        return self._take(self.lines, file=file, text=text)

    def takes_branch(self, file, text, kind):
        return self._take(self.branches, file=file, text=text, branch=kind) or self._take(self.lines, file=file, text=text)

    def names_point(self, name):
        return self._find(self.points, name=name) is not None

    def takes_point(self, name):
        return self._take(self.points, name=name)

    def print_all(self):
        print("==> waived: cannot be reached")
        for waiver in self.lines + self.branches + self.points:
            where = waiver.get("name") or f"{waiver.get('file')}: {waiver.get('text')}"
            print(f"  {where}\n      {waiver.get('reason')} ({waiver.get('shown_by')})")
            if not waiver["used"] and not any(where in wrong for wrong in self.wrong):
                self.wrong.append(f"waiver of something that is not there, or is hit: {where}")
        for wrong in self.wrong:
            print(f"  WRONG {wrong}")
