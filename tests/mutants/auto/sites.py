"""Which mutants a source file has: a walk over its syntax tree that collects edits of the text.

Operators: relations at their limits and turned around, forced conditions, sides of && and ||, the sign of
sums, constants one off, dropped statements, early returns (a result that claims success or failure),
negated results, the next code of an enumeration, arguments of one type swapped, min for max, begin for end and
their like, the earliest for the latest end of an interval of time, the calendar clock for true time where stamps
are made of either. Elsewhere the clocks have types that cannot be confused.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import CursorKind as Kind, TypeKind

# relation: helper, the mutant at the limit, the opposite
RELATIONS = {
    "<": ("less", "<=", ">="),
    ">": ("greater", ">=", "<="),
    "<=": ("at_most", "<", ">"),
    ">=": ("at_least", ">", "<"),
}
EQUALITIES = {"==": "!=", "!=": "=="}
SIGNS = {"+": ("plus", "-"), "-": ("minus", "+")}
OPERATORS = {*RELATIONS, *EQUALITIES, *SIGNS, "<=>"}
INTEGERS = {
    TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.USHORT, TypeKind.UINT,
    TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.UCHAR, TypeKind.SCHAR,
}
NUMBERS = INTEGERS | {TypeKind.FLOAT, TypeKind.DOUBLE}
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.FUNCTION_TEMPLATE, Kind.DESTRUCTOR}
TWINS = [("begin", "end"), ("front", "back"), ("lower_bound", "upper_bound"), ("rbegin", "rend"),
         ("earliest", "latest"), ("first", "second"), ("min", "max")]
FIELDS = ("earliest", "latest", "first", "second")
# What comes after the condition of an `if` without anything but coverage marks.
MARK = rb'PHOTON_(?:MARK|LIMIT)\("[^;]*\);'
MARKS_ALONE = re.compile(rb"\s*\)\s*(?:" + MARK + rb"|\{(?:\s*" + MARK + rb")+\s*\})(?!\s*else\b)")
OTHER = {a: b for a, b in TWINS} | {b: a for a, b in TWINS}


@dataclass
class Edit:
    """`text` stands before what begins at `at`, or behind what ends there if it closes."""

    at: int
    text: str
    order: tuple


@dataclass
class Site:
    line: int
    column: int
    offset: int
    function: str
    operator: str
    before: str
    afters: list  # one text for each mutant
    edits: list  # of Edit; {n} stands for the first number, {n1} for the second


@dataclass
class Walk:
    path: Path
    text: bytes
    sites: list = field(default_factory=list)
    covered: set = field(default_factory=set)  # spans whose opposite another mutant makes
    compared: set = field(default_factory=set)  # spans of what == and != compare

    # --- places ---------------------------------------------------------------------------------

    @staticmethod
    def span(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def source(self, cursor):
        start, end = self.span(cursor)
        return self.text[start:end].decode(errors="replace")

    def is_here(self, cursor):
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None or end.file is None or end.offset <= start.offset:
            return False
        if start.file.name != str(self.path) or end.file.name != str(self.path):
            return False
        return not self.is_macro(cursor) and self.text[start.offset - 2 : start.offset] != b"::"

    def is_macro(self, cursor):
        return re.match(rb"[A-Z][A-Z0-9_]+\(", self.text[cursor.extent.start.offset :][:60]) is not None

    def is_of_marks(self, cursor, children):
        """Coverage marks alone depend on this `if`: what it decides is no behaviour."""
        if cursor.kind != Kind.IF_STMT or len(children) != 2:
            return False
        return MARKS_ALONE.match(self.text, self.span(children[0])[1]) is not None

    def between(self, left, right):
        text = self.text[self.span(left)[1] : self.span(right)[0]].decode()
        return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S).strip()

    def add(self, cursor, operator, before, afters, edits):
        at = cursor.extent.start
        self.sites.append(Site(at.line, at.column, at.offset, self.function, operator, " ".join(before.split()),
                               [" ".join(each.split()) for each in afters], edits))

    # Outer texts open first and close last.
    @staticmethod
    def around(span, opened, closed, depth):
        return [Edit(span[0], opened, (1, depth)), Edit(span[1], closed, (0, -depth))]

    # --- the walk -------------------------------------------------------------------------------

    function = ""
    field = False  # inside a member's default

    def unit(self, unit):
        for cursor in unit.cursor.get_children():
            if cursor.location.file is not None and cursor.location.file.name == str(self.path):
                self.visit(cursor, 0, False)

    def visit(self, cursor, depth, constant):
        if cursor.kind in (Kind.STATIC_ASSERT, Kind.ENUM_DECL):
            return
        is_code = cursor.kind.is_expression() or cursor.kind.is_statement()
        if is_code and (self.is_macro(cursor) or self.source(cursor).startswith("requires")):
            return
        if cursor.kind in FUNCTIONS and re.search(r"=\s*default$", self.source(cursor)):
            return
        outer = self.function, self.field
        if cursor.kind in FUNCTIONS or cursor.kind == Kind.FIELD_DECL:
            owner = cursor.semantic_parent
            named = owner is not None and owner.kind in (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE)
            self.function = f"{owner.spelling}::{cursor.spelling}" if named else cursor.spelling
            self.field = cursor.kind == Kind.FIELD_DECL
        if cursor.kind in (Kind.VAR_DECL, Kind.UNEXPOSED_DECL):
            head = self.source(cursor).split("=")[0]
            constant = constant or "constexpr" in head or "concept " in head
        children = list(cursor.get_children())
        if self.is_of_marks(cursor, children):
            return
        if not constant:
            self.mutate(cursor, children, depth)
        for i, child in enumerate(children):
            if cursor.kind == Kind.CASE_STMT and i == 0:
                continue
            self.visit(child, depth + 1, constant)
        self.function, self.field = outer

    def mutate(self, cursor, children, depth):
        kind = cursor.kind
        if kind == Kind.BINARY_OPERATOR and len(children) == 2:
            self.binary(cursor, *children, depth)
        elif kind == Kind.CALL_EXPR:
            self.call(cursor, children, depth)
        elif kind == Kind.MEMBER_REF_EXPR:
            self.member(cursor, children, depth)
        elif kind == Kind.IF_STMT and children and not self.source(cursor).startswith("if constexpr"):
            self.condition(children[0], depth, ["condition", "true", "false"])
        elif kind == Kind.CONDITIONAL_OPERATOR and len(children) == 3:
            self.condition(children[0], depth, ["condition", "true", "false"])
        elif kind == Kind.WHILE_STMT and children:
            self.condition(children[0], depth, ["loop", "false"])
        elif kind == Kind.RETURN_STMT and len(children) == 1:
            self.returned(children[0], depth)
        elif kind == Kind.INTEGER_LITERAL:
            self.literal(cursor, depth)
        elif kind == Kind.DECL_REF_EXPR:
            self.code(cursor, depth)
        elif kind == Kind.COMPOUND_STMT:
            for child in children:
                self.statement(child, depth)
        if kind in FUNCTIONS or kind == Kind.LAMBDA_EXPR:
            self.body(cursor, children, depth)

    # --- operators ------------------------------------------------------------------------------

    def cover(self, cursor):
        """The opposite of this value, and of what it consists of alone, is made already."""
        self.covered.add(self.span(cursor))
        children = list(cursor.get_children())
        if cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR, Kind.UNARY_OPERATOR) and len(children) == 1:
            self.cover(children[0])

    def condition(self, inner, depth, mutants):
        if not inner.kind.is_expression() or not self.is_here(inner):
            return
        helper, *afters = mutants
        opened, closed = f"mutant::{helper}({{n}}, static_cast<bool>(", "))"
        self.cover(inner)
        self.add(inner, helper, self.source(inner), afters, self.around(self.span(inner), opened, closed, depth))

    def returned(self, inner, depth):
        if inner.type.get_canonical().kind != TypeKind.BOOL or not self.is_here(inner):
            return
        self.cover(inner)
        text = self.source(inner)
        self.add(inner, "result", text, [f"!({text})"],
                 self.around(self.span(inner), "mutant::negated({n}, ", ")", depth))

    def binary(self, cursor, left, right, depth):
        if not (self.is_here(left) and self.is_here(right) and self.is_here(cursor)):
            return
        operator = self.between(left, right)
        if operator in ("&&", "||"):
            for side in (left, right):
                self.cover(side)
                text = self.source(side)
                helper = "and_side" if operator == "&&" else "or_side"
                self.add(side, operator, text, [f"without {text}"],
                         self.around(self.span(side), f"mutant::{helper}({{n}}, static_cast<bool>(", "))", depth + 0.5))
        else:
            self.operation(cursor, left, right, operator, depth)

    def operation(self, cursor, left, right, operator, depth):
        span = self.span(cursor)
        text = self.source(cursor)
        covered = span in self.covered
        if operator in EQUALITIES:
            self.compared |= {self.span(left), self.span(right)}
            if not covered:
                self.add(cursor, operator, text, [f"{EQUALITIES[operator]} for {operator}"],
                         self.around(span, "mutant::negated({n}, ", ")", depth))
            return
        if operator in RELATIONS:
            helper, limit, opposite = RELATIONS[operator]
            afters = [limit] if covered else [limit, opposite]
            opened = f"mutant::{helper}<{len(afters)}>({{n}}, "
            afters = [f"{each} for {operator}" for each in afters]
        elif operator in SIGNS and self.is_number(left) and self.is_number(right):
            helper, other = SIGNS[operator]
            opened, afters = f"mutant::{helper}({{n}}, ", [f"{other} for {operator}"]
        else:
            return
        gap, rest = self.span(left)[1], self.span(right)[0]
        between = self.text[gap:rest].decode()
        if "//" in between or "/*" in between:
            return
        edits = self.around(span, opened, ")", depth)
        edits.append(Edit(gap, ", " + " /*", (0, 1)))
        edits.append(Edit(rest, "*/ ", (0, 2)))
        self.add(cursor, operator, text, afters, edits)

    @staticmethod
    def is_number(cursor):
        kind = cursor.type.get_canonical()
        return kind.kind in NUMBERS or "std::chrono::" in kind.spelling

    def call(self, cursor, children, depth):
        name = cursor.spelling
        if name.startswith("operator"):
            operator = name[8:]
            if operator in RELATIONS or operator in EQUALITIES or operator in SIGNS:
                self.overloaded(cursor, children, depth)
            return
        arguments = [each for each in cursor.get_arguments() if each is not None]
        if name in OTHER and name not in FIELDS and self.is_here(cursor):
            self.twin(cursor, name, depth)
        if name == "stamp_from" and self.is_here(cursor):
            self.clock(cursor, depth)
        if name in ("min", "max"):
            return
        for first, second in zip(arguments, arguments[1:]):
            self.swap(first, second, depth)

    def overloaded(self, cursor, children, depth):
        # C++20: `a < b` by way of `<=>` is `(a <=> b) < 0`, and of both calls the inner one has the text's extent;
        # `a != b` by way of `==` is `!(a == b)`.
        inner = [each for each in children if each.kind == Kind.CALL_EXPR and each.spelling == "operator<=>"]
        if inner:
            cursor, children = inner[0], list(inner[0].get_children())
        if not self.is_here(cursor):
            return
        operands = [each for each in children if each.kind.is_expression() and self.source(each) not in OPERATORS]
        operands.sort(key=lambda each: self.span(each)[0])
        if len(operands) == 2 and all(self.is_here(each) for each in operands):
            self.operation(cursor, *operands, self.between(*operands), depth)

    def member(self, cursor, children, depth):
        if cursor.spelling in FIELDS and self.is_here(cursor):
            owner = children[0].type.get_canonical().spelling if children else ""
            if "std::pair<" in owner or "TrueTimeInterval" in owner:
                self.twin(cursor, cursor.spelling, depth, exact=True)

    def twin(self, cursor, name, depth, exact=False):
        text = self.source(cursor)
        pattern = rf"\b{name}\b" + (r"$" if exact else r"\(")
        found = [each for each in re.finditer(pattern, text)]
        if len(found) != 1 or "//" in text or self.is_assigned(cursor):
            return
        other = text[: found[0].start()] + OTHER[name] + text[found[0].start() + len(name) :]
        self.replaced(cursor, name, other, depth)

    def clock(self, cursor, depth):
        """The calendar clock for a limit of true time, or the reverse: both make stamps."""
        text = self.source(cursor)
        found = re.fullmatch(r"stamp_from\((.*)(\.wall\(\)|\.true_time\(\)\.(?:earliest|latest))\)", text, re.S)
        if found is None:
            return
        other = ".true_time().latest" if found[2] == ".wall()" else ".wall()"
        self.replaced(cursor, "clock", f"stamp_from({found[1]}{other})", depth)

    def code(self, cursor, depth):
        """A result, a state or a kind that is the next one of its enumeration: success for failure."""
        constant = cursor.referenced
        if constant is None or constant.kind != Kind.ENUM_CONSTANT_DECL or self.span(cursor) in self.compared:
            return
        if not self.is_here(cursor) or constant.location.file.name.startswith("/usr/"):
            return
        names = [each.spelling for each in constant.semantic_parent.get_children()
                 if each.kind == Kind.ENUM_CONSTANT_DECL]
        if len(names) < 2:
            return
        other = names[(names.index(constant.spelling) + 1) % len(names)]
        text = self.source(cursor)
        self.replaced(cursor, "default" if self.field else "code", text[: len(text) - len(constant.spelling)] + other,
                      depth)

    def replaced(self, cursor, operator, other, depth):
        other = " ".join(other.split())
        self.add(cursor, operator, self.source(cursor), [other],
                 self.around(self.span(cursor), f"(mutant::on({{n}}) ? {other} : ", ")", depth))

    def is_assigned(self, cursor):
        behind = self.text[self.span(cursor)[1] :][:4].decode(errors="replace")
        return re.match(r"\s*([+*/-]?=[^=]|\+\+|--)", behind) is not None

    def swap(self, first, second, depth):
        if not (self.is_here(first) and self.is_here(second)):
            return
        texts = [self.source(each) for each in (first, second)]
        types = [each.type.get_canonical().spelling.replace("const ", "") for each in (first, second)]
        same = types[0] == types[1] and types[0] not in ("", "<dependent type>")
        plain = all(re.fullmatch(r"[A-Za-z_][\w.:\->]*(\(\))?", text) for text in texts)
        if not same or not plain or texts[0] == texts[1] or "unique_ptr" in types[0]:
            return
        edits = []
        for each, other in ((first, texts[1]), (second, texts[0])):
            edits += self.around(self.span(each), f"(mutant::on({{n}}) ? {other} : ", ")", depth)
        self.add(first, "swap", ", ".join(texts), [", ".join(reversed(texts))], edits)

    def literal(self, cursor, depth):
        if not self.is_here(cursor):
            return
        text = self.source(cursor)
        if re.fullmatch(r"[0-9']+[uU]?[lL]{0,2}", text):
            self.add(cursor, "default" if self.field else "constant", text, [f"{text} + 1", f"{text} - 1"],
                     self.around(self.span(cursor), "mutant::constant({n}, ", ")", depth))

    def statement(self, cursor, depth):
        kinds = (Kind.CALL_EXPR, Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR, Kind.UNARY_OPERATOR,
                 Kind.CONTINUE_STMT, Kind.BREAK_STMT)
        inner = cursor
        while inner.kind == Kind.UNEXPOSED_EXPR and len(list(inner.get_children())) == 1:
            inner = next(inner.get_children())
        if inner.kind not in kinds or not self.is_here(cursor):
            return
        start, end = self.span(cursor)
        semicolon = re.match(rb"\s*;", self.text[end : end + 20])
        if semicolon is None:
            return
        stop = end + semicolon.end()
        self.add(cursor, "drop", self.source(cursor), ["nothing"],
                 [Edit(start, "if (!mutant::on({n})) { ", (1, depth - 0.9)), Edit(stop, " }", (0, 0.9 - depth))])

    def body(self, cursor, children, depth):
        body = children[-1] if children and children[-1].kind == Kind.COMPOUND_STMT else None
        if body is None or not self.is_here(body) or len(list(body.get_children())) < 2:
            return
        if cursor.kind in (Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.LAMBDA_EXPR):
            return  # their statements are dropped one by one
        result = cursor.result_type.get_canonical()
        if result.kind in (TypeKind.LVALUEREFERENCE, TypeKind.AUTO):
            return
        returned = {TypeKind.VOID: ["return;"], TypeKind.BOOL: ["return true;", "return false;"]}
        afters = returned.get(result.kind, ["return {};"])
        text = "".join(f" if (mutant::on({{n{i}}})) {each}" for i, each in enumerate(afters))
        self.add(body, "early return", cursor.spelling, afters, [Edit(self.span(body)[0] + 1, text, (2, depth))])


def rewritten(text, edits):
    """Closing text comes before opening text at one place, inner closings before outer ones."""
    parts = []
    last = 0
    for edit in sorted(edits, key=lambda each: (each.at, each.order)):
        parts += [text[last : edit.at], edit.text.encode()]
        last = edit.at
    return b"".join(parts + [text[last:]])
