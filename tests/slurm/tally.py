"""Recorded verdicts against findings: counts of what agrees, by family of message."""
import base64
import collections
import json

import judge


def files_of(row):
    files = dict(row.get("files", {}))
    files.update({name: base64.b64decode(text) for name, text in row.get("files_base64", {}).items()})
    return files


def recorded(paths):
    by_release = collections.defaultdict(list)
    for path in paths:
        for line in open(path):
            row = json.loads(line)
            by_release[row["slurm"]].append(row)
    return by_release


class Tally:
    """Counts of one release: what stops, and what is logged."""

    def __init__(self):
        self.cases = self.wrong = self.said = self.messages = 0
        self.families = collections.Counter()
        self.misses = collections.Counter()
        self.unknown = collections.Counter()
        self.examples = {}

    def take(self, row, findings, table):
        if any("a file that is missing" in line or "not a valid controller" in line for line in row["log"]):
            return  # nobody can tell from the files
        self.cases += 1
        stops = row["verdict"] != "up"
        claims = sorted({one.rule for one in findings if one.stops})
        if stops != bool(claims):
            self.wrong += 1
            why = next((one for one in row["log"] if one.startswith("fatal")), row["verdict"])
            key = f"stops, not said: {judge.family(why)}" if stops else f"starts, said by {' '.join(claims)}"
            self.families[key] += 1
            self.examples.setdefault(key, row)
        if stops:
            return  # one cause is enough
        for line in row["log"]:
            level, _, message = line.partition(": ")
            if level not in ("error", "warning"):
                continue
            told = judge.said(message, findings, table)
            if told == "machine":
                continue
            self.messages += 1
            self.said += told is True
            if not told:
                key = judge.family(message)
                (self.misses if told is False else self.unknown)[key] += 1
                self.examples.setdefault(key, row)


def print_counts(release, tally, rows, verbose):
    share = 100 * (tally.cases - tally.wrong) / max(1, tally.cases)
    said = 100 * tally.said / max(1, tally.messages)
    print(f"slurm {release}: {tally.cases} cases, {tally.wrong} disagree on the start ({share:.2f} % agree); "
          f"{tally.messages} messages, {tally.said} are findings ({said:.1f} %)")
    for title, counter in (("start", tally.families), ("message", tally.misses), ("unlisted", tally.unknown)):
        for key, count in counter.most_common(rows):
            print(f"  {count:4} {title:8} {key}")
            if verbose:
                print(f"                e.g. {tally.examples[key]['case']}")
