"""The CMake package as another project meets it: docs/examples/attribution and the ten lines of the how-to.

    package_example.py BUILD FOLDER

Installs BUILD into FOLDER/prefix, copies the example out of the tree, builds it and runs its tests; then a project of
the how-to's ten lines. Every block of code in the how-to is a part of the example.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLE = pathlib.Path("docs/examples/attribution")
PAGE = pathlib.Path("docs/how-to/test-your-own-joiner.md")


def run(*command, cwd=None):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def configure_and_build(folder, prefix):
    run("cmake", "-S", folder, "-B", folder / "build", "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder / "build", "--parallel", "2")


def build(folder, prefix):
    configure_and_build(folder, prefix)
    return run("ctest", "--test-dir", folder / "build", "--output-on-failure", "--no-tests=error")


def main():
    installed_from, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    prefix = (work / "prefix").resolve()
    run("cmake", "--install", installed_from, "--prefix", prefix)

    page = PAGE.read_text()
    sources = [path.read_text() for path in EXAMPLE.iterdir()]
    blocks = re.findall(r"```(cpp|cmake)\n(.*?)```", page, re.S)
    ten_lines = next(text for kind, text in blocks if kind == "cmake")
    missing = [text for kind, text in blocks if text != ten_lines and not any(text in source for source in sources)]
    if missing or len(blocks) != 6:
        sys.exit(f"{PAGE}: {len(blocks)} blocks of code, and not in {EXAMPLE}:\n" + "\n".join(missing))

    with tempfile.TemporaryDirectory() as outside:
        outside = pathlib.Path(outside)
        shutil.copytree(EXAMPLE, outside / "example")
        tests = build(outside / "example", prefix)
        if "100% tests passed, 0 tests failed out of 5" not in tests:
            sys.exit(tests)
        # The broken programs fail for what they break, and would fail a test that does not expect it.
        for program, switch, oracle in (
            ("late_attribution", "joiner.adapter=custom", "J-S16"),
            ("lossy_shedding", "joiner.implementation=custom", "J-S18"),
        ):
            scenario = prefix / "share/photonsim/scenarios/healthy.toml"
            done = subprocess.run(
                [outside / "example/build" / program, "run", scenario, "--set", switch], capture_output=True, text=True
            )
            replay = f"replay: {outside}/example/build/{program} repro "
            told = done.stdout + done.stderr
            if done.returncode != 3 or oracle not in told or replay not in told:
                sys.exit(f"{program}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        (outside / "ten").mkdir()
        for path in EXAMPLE.glob("*.*"):
            shutil.copy(path, outside / "ten")
        call = 'PROGRAM attribution SCENARIO "${photonsim_SCENARIOS}/healthy.toml" SEEDS 1..2 DETECTED_BY J-S18 SET'
        (outside / "ten/CMakeLists.txt").write_text(ten_lines + f"""
photonsim_add_test(sound_is_not_detected {call} joiner.adapter=custom)
photonsim_add_test(mistyped_key {call} joiner.adaptr=custom)
""")
        configure_and_build(outside / "ten", prefix)
        ctest = ["ctest", "--test-dir", outside / "ten/build", "--no-tests=error", "-R"]
        run(*ctest, "^attribution$")
        for name in ("sound_is_not_detected", "mistyped_key"):
            if subprocess.run([*ctest, name], capture_output=True).returncode == 0:
                sys.exit(f"{name}: DETECTED_BY passed, and nothing was detected")
        (outside / "ten/CMakeLists.txt").write_text(ten_lines.replace(" SET joiner.adapter=custom", ""))
        done = subprocess.run(["cmake", outside / "ten/build"], capture_output=True, text=True)
        if done.returncode == 0 or "neither SET nor the scenario" not in done.stderr:
            sys.exit(f"a test without a part of the program: {done.stderr}")
    print(f"{len(blocks)} blocks of code, 5 tests of the example, 1 of the ten lines, 3 that must fail")


main()
