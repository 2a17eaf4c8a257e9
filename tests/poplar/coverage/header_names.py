"""Names that our public headers declare: what clang's syntax tree says of namespaces poplar and gcl, and the words of the device headers."""
import json
import pathlib
import re
import subprocess

CLASSES = ("CXXRecordDecl",)
FUNCTIONS = ("FunctionDecl", "CXXMethodDecl", "CXXConversionDecl")
PLAIN = ("VarDecl", "FieldDecl", "EnumDecl", "TypeAliasDecl", "TypedefDecl", "TypeAliasTemplateDecl")


def parameters(node):
    text = node.get("type", {}).get("qualType", "")
    return text[text.find("(") + 1:text.rfind(")")]


def of_operator(node):
    """A free operator is named with the class that it is for: operator<<(Type)."""
    name = node["name"]
    types = [re.sub(r"\b(const|poplar|std|detail|program)\b|::|<.*>|[&*]", "", p).strip() for p in parameters(node).split(",")]
    mine = [t for t in types if t and t not in ("ostream", "istream", "T", "half op T")]
    return f"{name}({mine[0]})" if mine else name


def special(node, record):
    """Copies, moves and assignments, which every class of values has."""
    if node["kind"] == "CXXConstructorDecl":
        return re.fullmatch(rf"(const )?(\w+::)*{record}(<\w+>)? &&?", parameters(node)) is not None
    return node.get("name") == "operator=" and re.search(rf"\b{record}\b", parameters(node)) is not None


class Names:
    def __init__(self):
        self.found = set()

    def add(self, path, name):
        if path or name:
            self.found.add("::".join([*path, name]))

    def visit(self, node, path, record=None):
        kind, name = node.get("kind"), node.get("name")
        if kind == "NamespaceDecl":
            if name == "detail":
                return
            inside = path if name == "poplar" and not path else [*path, name]
            for child in node.get("inner", []):
                self.visit(child, inside)
        elif kind in ("ClassTemplateDecl", "FunctionTemplateDecl"):
            wanted = CLASSES if kind == "ClassTemplateDecl" else (*FUNCTIONS, "CXXConstructorDecl")
            for child in node.get("inner", []):
                if child.get("kind") in wanted:
                    self.visit(child, path, record)
                    return  # the rest are its specialisations
        elif kind in CLASSES:
            self.visit_class(node, path)
        elif kind == "ClassTemplateSpecializationDecl" and node.get("completeDefinition") and record is None:
            self.add(path, name)  # of a template that is nothing but its specialisations
        elif kind in (*FUNCTIONS, "CXXConstructorDecl"):
            if node.get("isImplicit") or node.get("explicitlyDeleted") or (record and special(node, record)):
                return
            if record is None and node.get("parentDeclContextId"):
                return  # a specialisation of what stands in its class
            if record is None and name.startswith("operator"):
                name = of_operator(node)
            self.add(path, name.removesuffix("<T>"))
        elif kind in PLAIN and name and not node.get("isImplicit"):
            if node.get("parentDeclContextId") and record is None:
                return
            self.add(path, name)  # an enumeration's is for its values

    def visit_class(self, node, path):
        name = node.get("name")
        if not name or not node.get("completeDefinition") or node.get("isImplicit"):
            return
        before = len(self.found)
        inside, public = [*path, name], node.get("tagUsed") == "struct"
        for child in node.get("inner", []):
            if child.get("kind") == "AccessSpecDecl":
                public = child.get("access") == "public"
            elif public and child.get("kind") != "FriendDecl":
                self.visit(child, inside, name)
        if len(self.found) == before:
            self.add(path, name)  # nothing of its own: it is the name


def declared_in(clang, include, namespace):
    headers = sorted((include / namespace).glob("*.hpp"))
    source = "".join(f"#include <{namespace}/{header.name}>\n" for header in headers)
    command = [clang, "-std=c++17", "-fsyntax-only", "-I", str(include), "-x", "c++", "-", "-Xclang", "-ast-dump=json",
               "-Xclang", f"-ast-dump-filter={namespace}"]
    run = subprocess.run(command, input=source, capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{clang} does not read the headers:\n{run.stderr}")
    names, decoder, at = Names(), json.JSONDecoder(), 0
    while (at := run.stdout.find("{", at)) >= 0:
        node, at = decoder.raw_decode(run.stdout, at)
        if node.get("kind") == "NamespaceDecl" and node.get("name") == namespace:
            names.visit(node, [])
    return names.found


def declared(clang, root):
    """Of poplar without, of gcl with its namespace."""
    include = root / "sw/include"
    return declared_in(clang, include, "poplar") | declared_in(clang, include, "gcl")


def device_words(root):
    """Codelets' headers are C++ for the tile: their words, and those of what reads the attributes."""
    words = set()
    for header in [*(root / "sw/device/include").rglob("*"), root / "compiler/codelet/constraints.cpp"]:
        if header.is_file():
            words.update(re.findall(r"\w+", header.read_text()))
    return words


if __name__ == "__main__":
    import sys
    print("\n".join(sorted(declared(sys.argv[1], pathlib.Path(sys.argv[2])))))
