# SPDX-License-Identifier: BSD-3-Clause
"""The program of both sides: from a source file, from a source tree, or built already."""
import dataclasses
import os
import pathlib
import shlex
import shutil
import subprocess

from . import Failed, tail

SIDES = {"mpi": ("mpicc", "mpicxx"), "ep": ("epcc", "epcxx")}
CXX_ENDINGS = (".cc", ".cpp", ".cxx", ".C")
ENDINGS = (".c",) + CXX_ENDINGS


@dataclasses.dataclass
class Program:
    name: str
    commands: dict  # side: words of the program and its arguments
    folders: dict   # side: where it runs
    line: str       # what the user asked for, for the record


def command(words, cwd, env, log):
    """Run one step of a build; its output goes to the log."""
    with open(log, "wb") as f:
        try:
            done = subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=f,
                                  stderr=subprocess.STDOUT)
        except OSError as e:
            raise Failed(f"cannot start {words[0]}: {e.strerror}") from None
    if done.returncode != 0:
        raise Failed(f"build failed with status {done.returncode}: {shlex.join(words)}\n"
                     f"  {os.path.relpath(log)} ends with\n{tail(log)}")


def compile_one(source, box, side, target, cflags, libs):
    cc, cxx = SIDES[side]
    compiler = box.words(cxx if source.suffix in CXX_ENDINGS else cc)
    words = compiler + shlex.split(cflags) + ["-o", str(target), str(source)] + shlex.split(libs)
    command(words, None, None, f"{target}.log")


def from_source(options, box, out):
    source = pathlib.Path(options.words[0])
    if not source.is_file():
        raise Failed(f"there is no file '{source}'", 2)
    commands = {}
    for side in SIDES:
        folder = out / f"build-{side}"
        folder.mkdir(exist_ok=True)
        compile_one(source, box, side, folder / source.stem, options.cflags, options.libs)
        commands[side] = [str(folder / source.stem)] + options.words[1:]
    here = os.getcwd()
    return Program(source.stem, commands, {side: here for side in SIDES}, shlex.join(options.words))


def copy_tree(source, target, out):
    if target.exists():
        shutil.rmtree(target)

    def not_copied(folder, names):
        """Not what epbench writes, nor the history of the source."""
        return [n for n in names if n == ".git" or (pathlib.Path(folder) / n).resolve() == out]
    shutil.copytree(source, target, symlinks=True, ignore=not_copied)


def stamp(path):
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def from_tree(options, box, out, line, words):
    source = options.source.resolve()
    if not source.is_dir():
        raise Failed(f"there is no folder '{options.source}'", 2)
    if out == source or out in source.parents:
        raise Failed(f"--out {options.out} contains the source tree", 2)
    folders = {side: out / f"build-{side}" for side in SIDES}
    for side, (cc, cxx) in SIDES.items():
        folder = folders[side]
        copy_tree(source, folder, out)
        cc, cxx = shlex.join(box.words(cc)), shlex.join(box.words(cxx))
        before = stamp(folder / words[0])
        command(["/bin/sh", "-c", line], folder, dict(os.environ, CC=cc, CXX=cxx, MPICC=cc, MPICXX=cxx),
                out / f"build-{side}.log")
        after = stamp(folder / words[0])
        if after is None:
            raise Failed(f"the build line made no {words[0]}: {line}\n  build-{side}.log ends with\n"
                         + tail(out / f"build-{side}.log"))
        if after == before:
            raise Failed(f"the build line left {words[0]} as it was in the tree: begin with a clean one "
                         "('make clean && make ...')")
    # Launchers look for a name without a slash in PATH.
    commands = {side: [str(folders[side] / words[0])] + words[1:] for side in SIDES}
    return Program(pathlib.Path(words[0]).name, commands, folders, f"{line} / {shlex.join(words)}")


def already(options):
    paths = [pathlib.Path(p).resolve() for p in options.built]
    for path in paths:
        if not path.is_file():
            raise Failed(f"there is no file '{path}'", 2)
    commands = {side: [str(path)] + options.words for side, path in zip(SIDES, paths)}
    here = os.getcwd()
    return Program(paths[0].name, commands, {side: here for side in SIDES},
                   shlex.join(options.built + options.words))


def make(options, box, out):
    words = options.words
    if options.built:
        return already(options)
    if options.build:
        return from_tree(options, box, out, options.build, words)
    if "/" in words:
        cut = words.index("/")
        if cut == 0 or cut == len(words) - 1:
            raise Failed("a build line / program needs words on both sides of the /", 2)
        return from_tree(options, box, out, " ".join(words[:cut]), words[cut + 1:])
    if words[0].endswith(ENDINGS):
        return from_source(options, box, out)
    raise Failed(f"'{words[0]}' is neither a source file ({', '.join(ENDINGS)}) nor followed by / and a program "
                 "(a lone word: put blanks around the /)", 2)
