#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""called.py INCLUDE TESTS: is every function that ep_lib's headers declare called by a test?

A call is the name with arguments outside of comments and strings, or the name handed to a function or macro that calls it. Each
function without one is printed; the exit status is 1 if there is one.
"""
import pathlib
import re
import sys

DECLARATION = re.compile(r"^(?!typedef|constexpr|extern)(?:(?:::)?\w+ )+[*&]?((?:MPI|EP|to_mpi|from_mpi)_\w+)\(", re.M)


def without_comments(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def declared(include):
    headers = sorted((include / "ep_lib").glob("*.hpp")) + [include / "ep_mpi.hpp"]
    return {name for path in headers for name in DECLARATION.findall(without_comments(path.read_text(encoding="utf-8")))}


def called(tests):
    text = "".join(without_comments(path.read_text(encoding="utf-8")) for path in sorted(tests.glob("*.cpp")))
    text = re.sub(r"\bBOTH\((\w+), (\w+),", r"MPI_\1( MPI_\2(", text)  # collectives.cpp
    return set(re.findall(r"\b(\w+)\s*\(", text)) | set(re.findall(r"\((?:m|inter), (MPI_\w+)[,)]", text))


def main():
    include, tests = map(pathlib.Path, sys.argv[1:])
    functions = declared(include)
    missing = sorted(functions - called(tests))
    for name in missing:
        print(f"{name} is called by no test")
    print(f"{len(functions)} functions, {len(missing)} without a test")
    sys.exit(1 if missing or len(functions) < 150 else 0)


main()
