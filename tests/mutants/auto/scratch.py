"""A copy of the tree, rewritten to hold the mutants and built. It is kept: a run that ends goes on there."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROUNDS = 12  # of leaving out what does not compile


def say(text):
    print(f"tests/mutants/auto/run: {text}", file=sys.stderr, flush=True)


def fail(cause, remedy, code=2):
    print(f"error: tests/mutants/auto/run: {cause}\n  remedy: {remedy}", file=sys.stderr)
    sys.exit(code)


def folder_of_tests(path):
    """core_impl/paxos/x.cc -> tests/paxos; analysis/oracles -> tests/analysis"""
    parts = Path(path).parts
    return Path("tests") / (parts[1] if parts[0] == "core_impl" else parts[0])


class Scratch:
    def __init__(self, root, folder, paths, jobs, swarm=True):
        self.root, self.folder, self.paths, self.jobs, self.swarm = root, folder, paths, jobs, swarm
        self.tree = folder / "tree"
        self.build = self.tree / "build" / "release"
        self.list = folder / "mutants.jsonl"
        self.without = folder / "without.txt"
        self.program = self.build / "photonsim"
        self.log = folder / "build.log"

    def stamp(self):
        """Names what the copy is made of: a changed or a new file is another tree, committed or not."""
        digest = hashlib.sha256()
        for name in sorted(self.files().split(b"\0")):
            path = self.root / os.fsdecode(name)
            digest.update(name + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
        return {"tree": digest.hexdigest()[:16], "paths": self.paths, "swarm": self.swarm}

    def files(self):
        return subprocess.run(["git", "-C", self.root, "ls-files", "-co", "--exclude-standard", "-z"], check=True,
                              capture_output=True).stdout

    def prepare(self):
        stamp = self.folder / "stamp.json"
        if stamp.exists() and json.loads(stamp.read_text()) == self.stamp():
            return
        if stamp.exists():
            fail(f"{self.folder} holds the mutants of {json.loads(stamp.read_text())}, not of {self.stamp()}",
                 "give another --scratch, or remove the folder")
        if self.tree.exists():
            shutil.rmtree(self.tree)
        self.tree.mkdir(parents=True)
        packed = subprocess.Popen(["tar", "-C", self.root, "--null", "-T", "-", "--ignore-failed-read", "-cf", "-"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        unpacked = subprocess.Popen(["tar", "-C", self.tree, "-xf", "-"], stdin=packed.stdout)
        packed.stdin.write(self.files())
        packed.stdin.close()
        if unpacked.wait() != 0:
            fail(f"the tree cannot be copied to {self.tree}", "see the error above; a full disk?")
        # As in the tree: what is not rewritten comes from the compiler's cache.
        self.command(["cmake", "--preset", "release"])
        self.rewrite()
        folders = {folder_of_tests(each["file"]) for each in self.mutants()}
        targets = [name for names in self.tests(folders).values() for name in names]
        if self.swarm:
            targets.append("photonsim")
        left_out = set()
        for number in range(ROUNDS):
            say(f"building {len(self.mutants())} mutants (round {number + 1})")
            if self.command(["cmake", "--build", self.build, "--parallel", str(self.jobs), "--target", *targets, "--",
                             "-k", "0"], check=False):
                stamp.write_text(json.dumps(self.stamp()))
                return
            more = self.do_not_compile(whole_lines=number >= ROUNDS // 2) - left_out
            if not more:
                fail("the copy does not build", f"see {self.log}")
            left_out |= more
            self.without.write_text("".join(f"{key}\n" for key in sorted(left_out)))
            self.rewrite()
        fail("mutants that do not compile remain", f"see {self.log}")

    def command(self, words, check=True):
        with self.log.open("ab") as log:
            done = subprocess.run(words, cwd=self.tree, stdout=log, stderr=log).returncode == 0
        if check and not done:
            fail(f"{' '.join(map(str, words))} failed", f"see {self.log}")
        return done

    def rewrite(self):
        subprocess.run([Path(__file__).resolve().parent / "rewrite", self.root, self.tree, *self.paths,
                        "--commands", self.build / "compile_commands.json", "--list", self.list,
                        "--without", self.without, "--jobs", str(self.jobs)], check=True)
        self.log.write_text("")  # what the compiler says next is about these numbers

    def left_out(self):
        return len(self.without.read_text().splitlines()) if self.without.exists() else 0

    def mutants(self):
        return [json.loads(line) for line in self.list.read_text().splitlines()]

    def tests(self, folders):
        """folder -> names of its test programs"""
        found = {}
        for folder in folders:
            text = (self.root / folder / "CMakeLists.txt").read_text()
            found[str(folder)] = re.findall(r"photonsim_test\(NAME (\w+)", text)
        return found

    def do_not_compile(self, whole_lines):
        """The keys of mutants in whose text the compiler found errors, in the last build."""
        by_line = {}
        for each in self.mutants():
            by_line.setdefault((each["file"], each["line"]), []).append(each)
        by_number = {each["number"]: each for each in self.mutants()}
        keys = set()
        text = self.log.read_text(errors="replace")
        for file, line, column in re.findall(r"(?m)^(?:In file included from )?\S*?((?:" + "|".join(
                re.escape(path) for path in self.paths) + r")\S*?):(\d+):(\d+): +(?:error|  required from)", text):
            at = (file, int(line))
            source = (self.tree / file).read_text().splitlines()[int(line) + 1]  # two lines come before
            numbers = [int(each[1]) for each in re.finditer(r"mutant::\w+(?:<\d>)?\((\d+)", source[: int(column) + 8])]
            if numbers and not whole_lines:
                keys |= {by_number[each]["key"] for each in numbers[-1:] if each in by_number}
            else:
                keys |= {each["key"] for each in by_line.get(at, [])}
                keys |= {by_number[int(each)]["key"] for each in re.findall(r"mutant::\w+(?:<\d>)?\((\d+)", source)
                         if int(each) in by_number}
        return keys
