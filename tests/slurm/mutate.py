"""Mistakes as people make them: one or two changes of a site that starts."""
import random
import re
from pathlib import Path

TOKEN = re.compile(r"([A-Za-z0-9_.]+)=(\"[^\"]*\"|\S+)")
# What home.py sets for this machine: a mistake there would be one about this machine.
HOME = {"authtype", "credtype", "slurmuser", "slurmduser", "slurmctldhost", "controlmachine", "backupcontroller",
        "statesavelocation", "slurmdspooldir", "slurmctldpidfile", "plugindir", "authinfo", "authalttypes",
        "authaltparameters", "slurmctldlogfile", "slurmschedlogfile", "slurmctldport", "slurmdport", "slurmctlddebug",
        "plugstackconfig", "accountingstoragetype", "jobsubmitplugins", "clifilterplugins", "slurmctldplugstack", "cryptotype"}
FILES = ("slurm.conf", "gres.conf", "cgroup.conf", "topology.conf")


def tokens_of(text):
    """(start, end, key, value) of each Key=Value that is no comment."""
    out, at = [], 0
    for line in text.split("\n"):
        body = line.split("#", 1)[0]
        out += [(at + found.start(), at + found.end(), found[1], found[2]) for found in TOKEN.finditer(body)
                if found[1].lower() not in HOME]
        at += len(line) + 1
    return out


def other_value(value, rng, pool):
    """Another value for one: what slips out of fingers, and what is no value of that kind."""
    choices = [lambda: rng.choice(pool)[1], lambda: "", lambda: value + "x", lambda: value + "," + value]
    if re.fullmatch(r"\d+", value):
        choices += [lambda: "-1", lambda: "0", lambda: value + "0", lambda: value + "G", lambda: str(int(value) + 1),
                    lambda: "70000", lambda: "4294967296", lambda: value[:-1] or "1", lambda: "unlimited",
                    lambda: str(max(0, int(value) // 2))]
    if "[" in value:
        choices += [lambda: value.replace("]", "", 1), lambda: value.replace("[", "", 1),
                    lambda: value.replace("-", "-9", 1), lambda: value.replace("-", "", 1),
                    lambda: value.replace("[", "[9", 1), lambda: value + "z", lambda: value.split("[")[0]]
    if "," in value:
        parts = value.split(",")
        choices += [lambda: ",".join(parts[1:]), lambda: value.replace(",", ", ", 1),
                    lambda: value.replace(",", ";", 1), lambda: ",".join(parts[:1] + ["nosuch"] + parts[1:])]
    if ":" in value:
        choices += [lambda: value.replace(":", "", 1), lambda: value.rsplit(":", 1)[0], lambda: value + ":2",
                    lambda: value.replace(":", "=", 1)]
    if len(value) > 3 and value.isascii():
        spot = rng.randrange(len(value) - 1)
        choices += [lambda: value[:spot] + value[spot + 1:], lambda: value.upper(), lambda: value.lower(),
                    lambda: value[:spot] + value[spot + 1] + value[spot] + value[spot + 2:]]
    return rng.choice(choices)()


def mutate_text(text, rng, pool):
    tokens = tokens_of(text)
    if not tokens:
        return text, "nothing"
    start, end, key, value = rng.choice(tokens)
    kind = rng.choice(("value",) * 6 + ("drop", "drop", "double line", "double", "key", "line", "insert", "insert",
                                        "insert", "character", "stranger", "split", "join"))
    if kind == "value":
        return text[:start] + key + "=" + other_value(value, rng, pool) + text[end:], f"value of {key}"
    if kind == "drop":
        return text[:start] + text[end:], f"without {key}"
    if kind == "double":
        return text[:end] + " " + text[start:end] + text[end:], f"{key} twice"
    if kind == "key":
        spot = rng.randrange(len(key))
        return text[:start] + key[:spot] + key[spot + 1:] + text[start + len(key):], f"misspelt {key}"
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = len(text) if last < 0 else last
    if kind == "double line":
        return text[:last] + "\n" + text[first:last] + text[last:], f"line of {key} twice"
    if kind == "line":
        return text[:first] + text[last + 1:], f"without the line of {key}"
    if kind == "insert":
        name, word, at_line = rng.choice(pool)
        same = [one for one in tokens if one[2].lower() == name.lower()]
        if same and rng.random() < 0.7:  # in its place
            start, end = same[0][:2]
            return text[:start] + f"{name}={word}" + text[end:], f"{name} of another"
        if at_line:
            return text[:first] + f"{name}={word}\n" + text[first:], f"{name} added"
        return text[:last] + f" {name}={word}" + text[last:], f"{name} added to {key}"
    if kind == "character":
        spot = rng.randrange(start, end)
        return text[:spot] + text[spot + 1:], f"a character less at {key}"
    if kind == "stranger":
        spot = rng.randrange(start, end + 1)
        return text[:spot] + rng.choice(" ,;=[]#\"'\\:.-/") + text[spot:], f"a character more at {key}"
    if kind == "split":
        return text[:start] + "\n" + text[start:], f"line split before {key}"
    return text[:last] + " " + text[last + 1:], f"line of {key} joined with the next"


def pool_of(sites):
    """Every key and value of the sites: (key, value, whether it stood alone on its line)."""
    pool = set()
    for files in sites:
        for name, text in files.items():
            if name != "slurm.conf" or not isinstance(text, str):
                continue
            for line in text.split("\n"):
                found = [one for one in TOKEN.findall(line.split("#", 1)[0]) if one[0].lower() not in HOME]
                pool.update((key, value, len(found) == 1) for key, value in found)
    return sorted(pool)


def described():
    """Settings of the key table with values that it names, for what the sites do not set."""
    text = (Path(__file__).resolve().parents[2] / "rules/reference/slurm-keys.yaml").read_text()
    text = text.split("  gres.conf:")[0]
    pool = set()
    for key, row in re.findall(r"^    (\w+): \{(.*)\}$", text, re.MULTILINE):
        if key.lower() in HOME:
            continue
        words = re.findall(r"(?:words|list|plugins): \[([^\]]*)\]", row)
        values = [word.strip(' "').split(" ")[0] for group in words for word in group.split(",")][:6]
        pool.update((key, value, True) for value in values + (["0", "5", "-1", "x"] if "uint" in row else ["nosuch"]))
    return sorted(pool)


def mutants(site, seed, count, pool):
    """`count` variants of the files of one site, each with what was done to it."""
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        files = dict(site)
        there = [name for name in FILES if isinstance(files.get(name), str) and tokens_of(files[name])]
        if not there:
            return
        done = []
        for _ in range(1 if rng.random() < 0.85 else 2):
            # slurm.conf holds most of what can go wrong.
            name = rng.choice(["slurm.conf"] * 3 + there) if "slurm.conf" in there else rng.choice(there)
            files[name], what = mutate_text(files[name], rng, pool)
            done.append(f"{name}: {what}")
        if files != site:
            yield number, "; ".join(done), files
