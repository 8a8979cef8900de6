#!/usr/bin/env python3
"""Puts random slurmdbd.conf files to the slurmdbd of this machine and holds `muster check` against what it says.

  database_settings.py [--muster PROGRAM] [--files 300] [--seed 1]

slurmdbd stops at a file that it does not read, before it looks for munge or a database; muster reports an error or not.
Exit code: 0 if all agree, 1 if not, 77 where there is no slurmdbd. Needs root.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
STOPS = ("unrecognized key", "Could not open/read/parse", "must be specified", "is invalid in", "Bad value",
         "Invalid DebugLevel")
# Their values name hosts, files and plugins of the machine, which slurmdbd looks for.
OF_MACHINE = {"ArchiveDir", "ArchiveScript", "AuthAltParameters", "AuthAltTypes", "AuthInfo", "AuthType",
              "CommunicationParameters", "DbdAddr", "DbdBackupHost", "DbdHost", "DebugFlags", "HashPlugin", "LogFile",
              "Parameters", "PidFile", "PluginDir", "SlurmUser", "StorageType", "TLSParameters", "TLSType"}
VALUES = ["yes", "no", "maybe", "5", "-1", "70000", "5000000000", "12months", "3weeks", "7d", "info", "debug9", "debug2",
          "3", "x", "0x10", "1k", '"a b"', "", "TRUE", "up", "unlimited", "10 days"]
BASE = ["DbdHost=localhost", "StorageHost=localhost", "StorageUser=slurm", "StoragePass=secret", "StorageLoc=jobs"]
FOREIGN = ["Foo=1", "SlurmctldPort=1", "DbdPort 7"]


def keys_of_table():
    section = (HERE.parent.parent / "rules/reference/slurm-keys.yaml").read_text().split("  slurmdbd.conf:\n")[1]
    return [key for key in re.findall(r"^    (\w+):", section, re.M) if key not in OF_MACHINE]


def refused(folder, text):
    path = folder / "slurmdbd.conf"
    path.write_text(text)
    path.chmod(0o600)
    run = subprocess.run(["timeout", "3", "slurmdbd", "-D", "-vv"], capture_output=True, text=True,
                         env=dict(os.environ, SLURM_CONF=str(folder / "slurm.conf")))
    return next((line for line in (run.stdout + run.stderr).splitlines() if any(stop in line for stop in STOPS)), None)


def reported(muster, folder, release):
    run = subprocess.run([muster, "check", str(folder / "slurmdbd.conf"), "--format", "json", "--target",
                          "slurm=" + release], capture_output=True, text=True)
    return [one["message"] for one in json.loads(run.stdout)["findings"] if one["severity"] == "error"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--muster", default="build/release/muster")
    options.add_argument("--files", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    if not shutil.which("slurmdbd") or not shutil.which("slurmctld") or os.geteuid() != 0:
        print("there is no slurmdbd with a slurmctld of its release, or nobody is root")
        return 77
    said = subprocess.run(["slurmctld", "-V"], capture_output=True, text=True)
    version = re.search(r"\d+\.\d+\.\d+", said.stdout + said.stderr).group()
    release = version.rsplit(".", 1)[0]
    chance = random.Random(asked.seed)
    keys = keys_of_table()
    differ = 0
    with tempfile.TemporaryDirectory() as name:
        for _ in range(asked.files):
            lines = ["StorageType=accounting_storage/mysql"] * (chance.random() < 0.95) + BASE
            lines += [f"{chance.choice(keys)}={chance.choice(VALUES)}" for _ in range(chance.choice([1, 1, 2]))]
            lines += [chance.choice(FOREIGN)] * (chance.random() < 0.1)
            why = refused(Path(name), "\n".join(lines) + "\n")
            ours = reported(asked.muster, Path(name), release)
            if bool(why) != bool(ours):
                differ += 1
                print(f"{lines}: slurmdbd {why or 'reads it'}; muster {ours or 'has nothing to say'}")
    print(f"slurmdbd {version}: {asked.files - differ} of {asked.files} files agree")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
