"""The score of what was hunted: per folder and file, how it was caught, and the survivors as diffs."""

import re
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path


def equivalents(file):
    """key -> argument, of the list of mutants that change nothing."""
    found = {}
    key = None
    for line in file.read_text().splitlines() if file.exists() else []:
        if line.startswith("    ") and key is not None:
            found[key] = (found[key] + " " + line.strip()).strip()
        elif line and not line.startswith("#"):
            key = line
            found[key] = ""
    return found


def matches(pattern, key):
    return re.fullmatch(".*".join(map(re.escape, pattern[2:].split("*"))), key) is not None


def covers(known, key):
    """Does the list name the mutant, by its key or by a pattern?"""
    return key in known or any(matches(each, key) for each in known if each.startswith("~ "))


def without_mutant(known, keys):
    """Entries for these files that name none of their mutants: the code has changed, and the argument with it."""
    files = {key.split(" | ")[0] for key in keys}
    stale = []
    for entry in known:
        is_pattern = entry.startswith("~ ")
        if entry.removeprefix("~ ").split(" | ")[0] not in files:
            continue
        if not (any(matches(entry, key) for key in keys) if is_pattern else entry in keys):
            stale.append(entry)
    return stale


@dataclass
class Score:
    lines: list  # for people
    survivors: list  # as diffs, a line each
    wrong: list  # entries of the list of equivalents that are not, with the reason
    shares: dict  # folder -> share of the judged mutants that were caught, or None


def folder_of(file):
    return str(Path(file).parent)


def share_caught(results):
    """Of the mutants that are judged; None: there is none."""
    count = Counter(each["verdict"] for each in results)
    caught = count["swarm"] + count["test"]
    judged = caught + count["survived"]
    return caught / judged if judged else None


def table(name, groups):
    """groups: name -> results"""
    lines = [f"| {name} | mutants | swarm | test | equivalent | unused | survived | score | median configurations |",
             "|---|---|---|---|---|---|---|---|---|"]
    for group, results in sorted(groups.items()):
        count = Counter(each["verdict"] for each in results)
        share = share_caught(results)
        kills = [each["configurations"] for each in results if each["verdict"] == "swarm"]
        lines.append(f"| {group} | {len(results)} | {count['swarm']} | {count['test']} | {count['equivalent']} "
                     f"| {count['unused']} | {count['survived']} | {'-' if share is None else f'{100 * share:.1f} %'} "
                     f"| {statistics.median(kills) if kills else '-'} |")
    return lines


def score(mutants, results, known, root, files_too):
    by_key = {each["key"]: each for each in mutants}
    judged = []
    unneeded = []
    for result in results:
        mutant = by_key.get(result["key"])
        if mutant is None:
            continue
        # A default that every construction replaces is no code.
        unused = mutant["operator"] == "default" and not result["reached_in"] and not result["tests"]
        verdict = result["caught"] or ("equivalent" if covers(known, mutant["key"]) else
                                       "unused" if unused else "survived")
        if result["caught"] and mutant["key"] in known:
            unneeded.append((mutant["key"], result))
        judged.append(mutant | result | {"verdict": verdict})
    folders, files, operators = defaultdict(list), defaultdict(list), defaultdict(list)
    for each in judged:
        folders[folder_of(each["file"])].append(each)
        files[each["file"]].append(each)
        operators[each["operator"]].append(each)
        folders["all"].append(each)
    lines = table("folder", folders)
    if files_too:
        lines += ["", *table("file", files)]
    lines += ["", *table("operator", operators), "", "| caught in the swarm by | mutants |", "|---|---|"]
    by = Counter(each["by"].split()[0] for each in judged if each["verdict"] == "swarm")
    lines += [f"| {oracle} | {number} |" for oracle, number in by.most_common(40)]
    seconds = [each["seconds"] for each in judged]
    lines += ["", f"{len(judged)} of {len(mutants)} mutants; {sum(seconds):.0f} CPU seconds, median "
              f"{statistics.median(seconds or [0]):.2f} s for one"]
    wrong = [f"caught by {result['by']}: {key}" for key, result in unneeded]
    wrong += [f"names no mutant: {key}" for key in without_mutant(known, by_key)]
    lines += ["", *(f"equivalent.txt, {each}" for each in wrong)] if wrong else []
    shares = {folder: share_caught(results) for folder, results in folders.items()}
    return Score(lines, survivors(judged, root), wrong, shares)


def survivors(judged, root):
    lines = []
    for each in sorted((each for each in judged if each["verdict"] == "survived"),
                       key=lambda each: (each["file"], each["line"], each["number"])):
        text = (root / each["file"]).read_text().splitlines()[each["line"] - 1]
        reach = f"differs in {each['reached_in']} configurations and {each['tests']} test cases"
        lines += [f"--- {each['file']}:{each['line']} {each['function']} ({each['operator']}; {reach})",
                  f"  {text.strip()}", f"- {each['before']}", f"+ {each['after']}", f"= {each['key']}", ""]
    return lines
