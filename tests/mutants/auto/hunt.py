"""Runs one mutant after the other until it is caught: first in configurations of the swarm, then in tests.

Before that the program runs unchanged and notes for each configuration and each test case which mutants
would have made a difference there (mutant_switch.h). No other run can catch a mutant, so no other is made.
"""

import json
import os
import re
import resource
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from scratch import fail, folder_of_tests, say

MEMORY = 8 << 30
WALL_PER_CPU = 6  # on a busy machine a run takes a few times its CPU time


def cpu_limit(seconds):
    """CPU seconds of a run with a mutant, of that without one: more is a hang, which counts as caught."""
    return int(10 + 10 * seconds)


def limit_to(cpu):
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def filter_of(case):
    return re.sub(r'([,\[\]\\*~"])', r"\\\1", case)


class Hunt:
    def __init__(self, scratch, configurations, bound, slowest, jobs):
        self.scratch, self.jobs = scratch, jobs
        self.configurations, self.bound, self.slowest = configurations, bound, slowest
        self.mutants = scratch.mutants()
        self.numbers = max((each["number"] for each in self.mutants), default=0) + 1
        self.results = scratch.folder / "results.jsonl"
        self.marks = scratch.folder / "marks"
        self.marks.mkdir(exist_ok=True)

    # --- one run --------------------------------------------------------------------------------

    def swarm_command(self, seed):
        return [self.scratch.program, "fuzz", "--swarm", "--seeds", f"{seed}..{seed}", "--self-check", "0",
                "--no-coverage-gate", "--shrink", "0", "--json"]

    def test_command(self, program, case):
        # A name that matches no case must not pass for a success.
        return [self.scratch.build / "tests" / program, "--warn", "NoTests", filter_of(case)]

    def execute(self, command, variable, value, cpu=600, wall=None):
        """-> (exit code, output, CPU seconds). A process that waits for ever uses no CPU time, and its children may
        hold its output open: after `wall` seconds all of them are killed."""
        environment = os.environ | {variable: str(value)}
        process = subprocess.Popen(command, cwd=self.scratch.tree, env=environment, start_new_session=True,
                                   preexec_fn=lambda: limit_to(cpu), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        hung = threading.Event()

        def kill():
            hung.set()
            os.killpg(process.pid, signal.SIGKILL)

        alarm = threading.Timer(wall or WALL_PER_CPU * cpu, kill)
        alarm.start()
        output = process.stdout.read()
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)  # with the processes that it has waited for
        alarm.cancel()
        process.returncode = -signal.SIGKILL if hung.is_set() else os.waitstatus_to_exitcode(status)
        return process.returncode, output.decode(errors="replace"), used.ru_utime + used.ru_stime

    # --- which mutants make a difference --------------------------------------------------------

    def note(self, name, command):
        """The numbers of the mutants that make a difference, and the seconds; kept in a file."""
        kept = self.marks / f"{name}.json"
        if kept.exists():
            return json.loads(kept.read_text())
        noted = self.marks / f"{name}.noted"
        noted.write_bytes(bytes(self.numbers))
        code, output, seconds = self.execute(command, "PHOTON_MUTANTS", noted)
        if "No test cases matched" in output:
            fail(f"no test case is called like that: {' '.join(map(str, command))}", "mend filter_of in hunt.py")
        found = [i for i, byte in enumerate(noted.read_bytes()) if byte]
        noted.unlink()
        result = {"exit": code, "seconds": seconds, "mutants": found}
        kept.with_suffix(".new").write_text(json.dumps(result))
        kept.with_suffix(".new").rename(kept)
        return result

    def cases(self):
        """(program, case) of the tests of the mutants' folders."""
        folders = sorted({folder_of_tests(each["file"]) for each in self.mutants})
        for folder, programs in self.scratch.tests(folders).items():
            for program in programs:
                for case in self.listed(program):
                    yield folder, program, case

    def listed(self, program):
        """Names of the test cases, one a line; --list-tests breaks long ones."""
        command = [self.scratch.build / "tests" / program, "--list-test-names-only"]
        listed = subprocess.run(command, cwd=self.scratch.tree, capture_output=True, text=True).stdout
        names = [line.strip() for line in listed.splitlines() if line.strip()]
        if not names:
            fail(f"{program} lists no test cases", f"run it with {command[1]}")
        return names

    def note_all(self):
        say(f"noting which mutants make a difference in {self.configurations} configurations")
        self.seeds = {number: [] for number in range(self.numbers)}
        self.seconds = {}  # of a configuration without a mutant
        with ThreadPoolExecutor(self.jobs) as pool:
            seeds = range(1, self.configurations + 1)
            noted = pool.map(lambda seed: self.note(f"swarm-{seed}", self.swarm_command(seed)), seeds)
            for seed, result in zip(seeds, noted):
                if result["exit"] != 0:
                    say(f"configuration {seed} fails without a mutant (exit {result['exit']}): left out")
                    continue
                self.seconds[seed] = result["seconds"]
                for number in result["mutants"]:
                    self.seeds[number].append(seed)
            cases = list(self.cases())
            say(f"noting the same in {len(cases)} test cases")
            self.tests = {number: [] for number in range(self.numbers)}
            noted = pool.map(lambda i: self.note(f"{cases[i][1]}-{i}", self.test_command(*cases[i][1:])),
                             range(len(cases)))
            for (folder, program, case), result in zip(cases, noted):
                if result["exit"] != 0:
                    say(f"{program} \"{case}\" fails without a mutant (exit {result['exit']}): left out")
                elif result["seconds"] <= self.slowest:
                    for number in result["mutants"]:
                        self.tests[number].append((result["seconds"], folder, program, case))
        for cases in self.tests.values():
            cases.sort()

    # --- one mutant -----------------------------------------------------------------------------

    def hunt(self, mutant):
        number = mutant["number"]
        spent = 0.0
        result = {"key": mutant["key"], "number": number, "reached_in": len(self.seeds[number]),
                  "tests": len(self.tests[number])}
        for seed in self.seeds[number][: self.bound]:
            code, output, seconds = self.execute(self.swarm_command(seed), "PHOTON_MUTANT", number,
                                                 cpu_limit(self.seconds[seed]))
            spent += seconds
            if code != 0:
                return result | {"caught": "swarm", "by": cause(code, output), "configurations": seed,
                                 "seconds": round(spent, 2)}
        for before, _, program, case in self.tests[number]:
            code, output, seconds = self.execute(self.test_command(program, case), "PHOTON_MUTANT", number,
                                                 cpu_limit(before))
            spent += seconds
            if code != 0:
                return result | {"caught": "test", "by": f"{program} \"{case}\"", "seconds": round(spent, 2)}
        return result | {"caught": "", "seconds": round(spent, 2)}

    def hunt_all(self, mutants, until):
        """Appends to the results, one line for each mutant. Ends at `until` (seconds of the monotonic clock)."""
        done = {each["key"] for each in self.done()}
        left = [each for each in mutants if each["key"] not in done]
        say(f"{len(mutants)} mutants, {len(mutants) - len(left)} of them done before")
        with self.results.open("a") as out, ThreadPoolExecutor(self.jobs) as pool:
            def one(mutant):
                return None if time.monotonic() > until else self.hunt(mutant)

            # As they end: a slow one delays no other, and what was found is in the file.
            ended = as_completed([pool.submit(one, mutant) for mutant in left])
            for i, future in enumerate(ended):
                if future.result() is not None:
                    out.write(json.dumps(future.result()) + "\n")
                    out.flush()
                if (i + 1) % 200 == 0:
                    say(f"{i + 1} of {len(left)}")

    def done(self):
        """What the file has. A last line that is torn goes, so that the next one begins a line."""
        if not self.results.exists():
            return []
        text = self.results.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            os.truncate(self.results, len(whole))
        return [json.loads(line) for line in whole.splitlines()]


def cause(code, output):
    """An oracle's name, or what else ended the run."""
    oracles = re.findall(r'"oracle":"([^"]+)"', output)
    found = re.findall(r'"found_by":"([^"]*)","site":"([^"]*)","message":"([^"]*)"', output)
    if found:
        by, site, message = found[0]
        return f"{by} {site}".strip() if by != "limit" else f"limit: {message}"
    if oracles:
        return oracles[0]
    return "hang" if code in (-24, -9) else f"signal {-code}" if code < 0 else f"exit {code}"
