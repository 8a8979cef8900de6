#!/usr/bin/env python3
"""What check costs in instructions, which no other work on the machine disturbs: of one manifest, and of many beside
libyaml alone, which reads their events and does nothing with them.

    cmake --workflow --preset release && bench/instructions.py [build/release/muster] [DOCUMENTS]

Needs valgrind, a C compiler and libyaml's header. DOCUMENTS is 5,000 unless given; 50,000 take minutes.
"""
import os
import re
import subprocess
import sys
import tempfile

from end_to_end import manifests, write

BARE = r"""
#include <stdio.h>
#include <yaml.h>

int main(int count, char** files) {
  for (int i = 1; i < count; ++i) {
    yaml_parser_t parser;
    yaml_event_t event;
    FILE* file = fopen(files[i], "rb");
    if (file == NULL || !yaml_parser_initialize(&parser)) return 1;
    yaml_parser_set_input_file(&parser, file);
    for (int done = 0; !done; yaml_event_delete(&event)) {
      if (!yaml_parser_parse(&parser, &event)) return 1;
      done = event.type == YAML_STREAM_END_EVENT;
    }
    yaml_parser_delete(&parser);
    fclose(file);
  }
  return 0;
}
"""
ONE = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: \"example.com/a:1\"}]}\n"


def instructions(command, folder):
    said = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + command, cwd=folder,
                          capture_output=True, text=True)
    if said.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit {said.returncode}\n{said.stderr[-2000:]}")
    return int(re.search(r"Collected : (\d+)", said.stderr)[1])


def main():
    binary = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/muster")
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "bare.c", BARE)
        bare = os.path.join(folder, "bare")
        subprocess.run(["cc", "-O2", "-o", bare, bare + ".c", "-lyaml"], check=True)
        one, many = os.path.join(folder, "one"), os.path.join(folder, "many")
        write(one, "pod.yaml", ONE)
        words = manifests(many, count)
        files = [os.path.join(path, name) for path, _, names in os.walk(many) for name in names]
        start = instructions([binary] + words, one)
        print(f"{'check, one manifest':34} {start / 1e6:10.1f} M", flush=True)
        yaml = instructions([bare] + files, many)
        print(f"{f'libyaml, {count} documents':34} {yaml / 1e6:10.1f} M", flush=True)
        check = instructions([binary] + words, many)
        print(f"{f'check, {count} documents':34} {check / 1e6:10.1f} M   {check / yaml:.2f} of libyaml, {(check - start) / yaml:.2f} without its start")


if __name__ == "__main__":
    main()
