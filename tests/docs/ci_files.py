"""Runs the commands of the ready CI files, with few seeds. Their number ends each command, and no time, so that one commit
has one verdict.

    ci_files.py PROGRAM FOLDER

Exit 77: Python here lacks yaml.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("no python3-yaml: scripts/setup.sh --ci installs it with mkdocs")
    sys.exit(77)


def scripts_of(file):
    """(name, script) of each job or step that calls photonsim, in the order of the file."""
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    if file.name.startswith("github"):
        for job in content["jobs"].values():
            for step in job["steps"]:
                if "photonsim " in step.get("run", "") and "cmake" not in step["run"]:
                    yield step["name"], step["run"]
    else:
        for name, job in content.items():
            if isinstance(job, dict) and "script" in job:
                yield name, "\n".join(["mkdir -p out", *job["script"], *job["after_script"]])


def main(program, folder):
    failed = 0
    for file in sorted(Path("docs/ci").glob("*.yml")):
        place = Path(folder) / file.stem
        shutil.rmtree(place, ignore_errors=True)
        (place / "bin").mkdir(parents=True)
        (place / "bin" / "photonsim").symlink_to(program)
        environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "SEEDS": "1..3", "TIME": "10m",
                       "LEAST": "1", "MOST": "20", "GITHUB_RUN_ID": "11000000000", "CI_PIPELINE_ID": "1500000000",
                       "GITHUB_STEP_SUMMARY": str(place / "summary.md")}
        count = 0
        for name, script in scripts_of(file):
            count += 1
            done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=place, env=environment,
                                  capture_output=True, text=True, check=False)
            # Three seeds reach not all that a campaign must cover: 7 is the verdict, the command is right.
            if done.returncode not in (0, 7):
                failed += 1
                print(f"{file}, {name}: exit code {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}")
        made = sorted(each.name for each in (place / "out").glob("*") if each.stat().st_size > 0)
        if count == 0 or not {"report.html", "nightly.txt"} & set(made):
            failed += 1
            print(f"{file}: {count} scripts made {made}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
