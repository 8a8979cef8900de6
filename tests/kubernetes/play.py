#!/usr/bin/env python3
"""Plays random worlds on real schedulers, and holds what `muster prove` says of each against what happened.

    play.py --muster BINARY --built FOLDER [--mechanism NAME]... [--worlds 60] [--seed 1]

FOLDER is what scripts/kubernetes builds. Each world is played several times: pods posted in turn, in random orders, and
in the order of the counterexample's steps, once with its nodes, which are the choice of the scheduler's scores. A gang
that stands whole ends when nothing moves any more, and the play goes on.

Wrong is: a gang that keeps a part of its pods where all-or-nothing holds, or at the end where no-deadlock holds; a
gang that stands whole where placeable says that it never does, or never does on empty nodes where placeable holds; a
counterexample that no play brought about.
Exit code: 0 if nothing is wrong, else 1.
"""
import argparse
import collections
import dataclasses
import json
import random
import subprocess
import sys
import tempfile
import time

from plane import Plane
import worlds
from worlds import GPU

PATIENCE = 4
QUIET_SECONDS = {"kube-scheduler": 12, "coscheduling": 16, "volcano": 9, "kueue": 14, "kueue-topology": 14}
AT_ONCE = 60  # plays
ON_ITS_NODES = " on its nodes"


@dataclasses.dataclass
class Play:
    """One trial of a world, in a namespace of its own."""
    world: worlds.World
    name: str
    order: str          # how its pods are posted
    stages: list        # of lists of (gang, number of pods, node or None); the next begins when those before are
                        # placed or refused
    dice: random.Random
    by_hand: bool = False   # its pods are made here, not by the Job controller
    made: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    whole: set = dataclasses.field(default_factory=set)
    ended: set = dataclasses.field(default_factory=set)
    parts: list = dataclasses.field(default_factory=list)   # what gangs held, each time nothing moved
    bound: dict = dataclasses.field(default_factory=dict)
    moved: float = 0
    over: bool = False


def verdicts(muster, world):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as out:
        out.write(worlds.as_muster_reads_it(world))
        out.flush()
        run = subprocess.run([muster, "prove", out.name, "--format", "json"], capture_output=True, text=True,
                             check=False)
    answer = json.loads(run.stdout)
    if answer["left_out"]:
        raise RuntimeError(f"{world}: {answer['left_out']}")
    by_property = {}
    for one in answer["results"]:
        if one["property"] in by_property:
            raise RuntimeError(f"{world}: two worlds where one was meant")
        by_property[one["property"]] = one
    return by_property


def node_of(step, world):
    """The number of a step's node in its world, where each node is a pool of its own: p2/0 is the third."""
    pool, _, in_pool = step["node"].partition("/")
    number = int(pool.removeprefix("p"))
    if in_pool != "0" or number >= len(world.nodes):
        raise RuntimeError(f"{world}: no node {step['node']}")
    return number


def stages_of(steps, world, pinned):
    """Pods in the order of a counterexample's commits, on its nodes if they are pinned, and then all others at once.
    A count of 0 is a Job alone, which Kueue has to admit before its pods are made."""
    first = list(dict.fromkeys(step["gang"] for step in steps)) if world.of_kueue() else []
    stages, made, last = [[(gang, 0, None) for gang in first]] if first else [], collections.Counter(), None
    for step in steps:
        if step["commit"] != last:
            stages.append([])
            last = step["commit"]
        stages[-1].append((step["gang"], step["pods"], node_of(step, world) if pinned else None))
        made[step["gang"]] += step["pods"]
    rest = [(gang.name, 1, None) for gang in world.gangs for _ in range(gang.size - made[gang.name])]
    if first:
        stages.append([(gang.name, 0, None) for gang in world.gangs if gang.name not in first])
    return [stage for stage in stages + [rest] if stage]


def plays_of(world, said, dice):
    pods = [(gang.name, 1, None) for gang in world.gangs for _ in range(gang.size)]
    in_turn = sorted(pods[:], key=lambda pod: pod[0])
    numbered = collections.Counter()
    in_turn = sorted(in_turn, key=lambda pod: numbered.update([pod[0]]) or numbered[pod[0]])
    orders = [("in turn", [in_turn])]
    for number in (1, 2):
        shuffled = pods[:]
        dice.shuffle(shuffled)
        orders.append((f"random {number}", [shuffled]))
    plain = len(orders)
    seen = []
    for named in ("all-or-nothing", "no-deadlock"):
        steps = said[named].get("counterexample", {}).get("steps", [])
        if steps and steps not in seen:
            seen.append(steps)
            orders.append((f"steps of {named}", stages_of(steps, world, False)))
            if len(world.nodes) > 1:
                orders.append((f"steps of {named}{ON_ITS_NODES}", stages_of(steps, world, True)))
    return [Play(world, f"{world.name}-{number}", order, stages, random.Random(dice.random()),
                 world.of_kueue() and number >= plain)
            for number, (order, stages) in enumerate(orders)]


class Stage:
    """What a play has on the control plane."""

    def __init__(self, plane, mechanism):
        self.plane = plane
        self.mechanism = mechanism

    def node(self, name, play, gpus):
        labels = {"world": play.name, "kubernetes.io/hostname": name}
        self.plane.make("/api/v1/nodes", {"metadata": {"name": name, "labels": labels}})
        room = {"cpu": "100", "memory": "1000Gi", "pods": "110", GPU: str(gpus)}
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.plane.patch_status("/api/v1/nodes/" + name, {"capacity": room, "allocatable": room, "conditions": [
            {"type": "Ready", "status": "True", "reason": "Test", "message": "", "lastHeartbeatTime": now,
             "lastTransitionTime": now}]})

    def begin(self, play):
        world = dataclasses.replace(play.world, name=play.name)
        self.plane.make("/api/v1/namespaces", {"metadata": {"name": play.name}})
        for number, gpus in enumerate(world.nodes):
            self.node(f"{play.name}-n{number}", play, gpus)
        if world.of_kueue():
            for path, thing in worlds.kueue_objects(world, play.name, {"world": play.name}):
                self.plane.make(path, thing)
            return
        for gang in world.gangs:
            group, _ = worlds.group_of(world, gang)
            if group:
                self.plane.make(f"/apis/{group['apiVersion']}/namespaces/{play.name}/podgroups", group)

    def post(self, play, gang, count, node=None):
        """The next pods of a gang. Those of a Job are made by its controller, all at once, unless by hand."""
        world = play.world
        if world.of_kueue() and (not play.by_hand or count == 0):
            if gang.name not in play.made:
                self.plane.make(f"/apis/batch/v1/namespaces/{play.name}/jobs",
                                worlds.job(world, gang, suspended=True, by_hand=play.by_hand))
            play.made[gang.name] = 0 if play.by_hand else gang.size
            return
        if play.by_hand:
            job = self.plane.ask("GET", f"/apis/batch/v1/namespaces/{play.name}/jobs/{gang.name}")[1]
            if job["spec"]["suspend"]:
                return
        where = {"world": play.name}
        if node is not None:
            where["kubernetes.io/hostname"] = f"{play.name}-n{node}"
        spec = worlds.pod_spec(gang, worlds.scheduler_of(world), where)
        for _ in range(count):
            number = play.made[gang.name]
            play.made[gang.name] += 1
            labels = {"gang": gang.name, **worlds.group_of(world, gang)[1].get("labels", {})}
            self.plane.make(f"/api/v1/namespaces/{play.name}/pods", {
                "metadata": {"name": f"{gang.name}-{number}", "labels": labels,
                             "annotations": worlds.group_of(world, gang)[1].get("annotations", {})}, "spec": spec})

    def finish(self, play, gang):
        for pod in play.bound.get(gang, ()):
            self.plane.patch_status(f"/api/v1/namespaces/{play.name}/pods/{pod}", {"phase": "Succeeded"})

    def clear(self, play):
        if play.world.of_kueue():
            self.plane.ask("DELETE", f"/apis/batch/v1/namespaces/{play.name}/jobs",
                           {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"})
        self.plane.ask("DELETE", f"/api/v1/namespaces/{play.name}/pods", {"gracePeriodSeconds": 0})
        for number in range(len(play.world.nodes)):
            self.plane.ask("DELETE", f"/api/v1/nodes/{play.name}-n{number}")

    def placed(self):
        """Pods with a node that have not ended, by namespace and gang."""
        out = collections.defaultdict(lambda: collections.defaultdict(set))
        code, answer = self.plane.ask("GET", "/api/v1/pods")
        if code != 200:
            raise RuntimeError(f"pods: {code} {answer}")
        for pod in answer["items"]:
            labels = pod["metadata"].get("labels", {})
            gang = labels.get("gang") or labels.get("job-name")
            if gang and pod["spec"].get("nodeName") and pod.get("status", {}).get("phase") != "Succeeded":
                out[pod["metadata"]["namespace"]][gang].add(pod["metadata"]["name"])
        return out


def advance(stage, play, placed, now):
    """Takes a play on where nothing of it moves any more."""
    held = {gang: frozenset(pods) for gang, pods in placed.get(play.name, {}).items()}
    if held != play.bound:
        play.bound, play.moved = held, now
    sizes = {gang.name: gang.size for gang in play.world.gangs}
    admitting = play.by_hand and not any(play.made.values())
    posted_all_placed = not admitting and all(len(held.get(gang, ())) == count for gang, count in play.made.items()
                            if gang not in play.ended)
    # On empty nodes a scheduler that is late looks like one that will not.
    quiet = now - play.moved > QUIET_SECONDS[stage.mechanism] * (1 if held else PATIENCE)
    if play.stages and (posted_all_placed or quiet):
        for name, count, node in play.stages.pop(0):
            stage.post(play, next(gang for gang in play.world.gangs if gang.name == name), count, node)
        play.moved = now
        return
    if not (posted_all_placed or quiet):
        return
    play.parts.append({gang: len(pods) for gang, pods in held.items()})
    whole = [gang for gang, pods in held.items() if len(pods) == sizes[gang]]
    play.whole |= set(whole)
    if not whole or play.by_hand:
        play.over = True
        return
    ending = play.dice.sample(whole, play.dice.randint(1, len(whole)))
    for gang in ending:
        stage.finish(play, gang)
    play.ended |= set(ending)
    play.moved = now


def warm_up(stage, mechanism):
    """Until the first pod is placed a scheduler may still be reading."""
    world = worlds.World("warm-up", mechanism, [1], [worlds.Gang("a", 1, 1, 1)], 1)
    play = Play(world, "warm-up", "", [], random.Random(0))
    stage.begin(play)
    stage.post(play, world.gangs[0], 1)
    stage.plane.wait(lambda: stage.placed()["warm-up"], mechanism)
    stage.clear(play)


def run(stage, plays):
    for start in range(0, len(plays), AT_ONCE):
        batch = plays[start:start + AT_ONCE]
        for play in batch:
            stage.begin(play)
        now = time.monotonic()
        for play in batch:
            play.moved = now - 1000
        while not all(play.over for play in batch):
            placed = stage.placed()
            now = time.monotonic()
            for play in batch:
                if not play.over:
                    advance(stage, play, placed, now)
            time.sleep(0.5)
        for play in batch:
            stage.clear(play)
        print(f"  {start + len(batch)} of {len(plays)} plays", file=sys.stderr, flush=True)


def partly(play, held):
    sizes = {gang.name: gang.size for gang in play.world.gangs}
    return {gang: count for gang, count in held.items() if 0 < count < sizes[gang]}


def stuck(play):
    """Whether gangs hold parts, and none stands whole that could end."""
    sizes = {gang.name: gang.size for gang in play.world.gangs}
    held = play.parts[-1]
    return bool(partly(play, held)) and not any(count == sizes[gang] for gang, count in held.items())


def wrongs(world, said, plays):
    """What happened otherwise than was said, and what was said and never happened."""
    out = []
    ever = [(play, held) for play in plays for held in play.parts if partly(play, held)]
    at_end = [play for play in plays if stuck(play)]
    if said["all-or-nothing"]["verdict"] == "holds":
        out += [f"all-or-nothing holds, and {play.name} ({play.order}) held {held}" for play, held in ever]
    elif said["all-or-nothing"]["verdict"] == "counterexample" and not ever:
        out.append("unseen: all-or-nothing: " + said["all-or-nothing"]["reason"])
    if said["no-deadlock"]["verdict"] == "holds":
        out += [f"no-deadlock holds, and {play.name} ({play.order}) ended with {play.parts[-1]}" for play in at_end]
    elif said["no-deadlock"]["verdict"] == "counterexample" and not at_end:
        out.append("unseen: no-deadlock: " + said["no-deadlock"]["reason"])
    whole = set().union(*(play.whole for play in plays))
    if said["placeable"]["verdict"] == "holds":
        names = {gang.name for gang in world.gangs}
        out += [f"placeable holds, and {play.name} ({play.order}) ended on empty nodes without {names - play.ended}"
                for play in plays if names != play.ended and not play.by_hand and not play.parts[-1]]
    elif said["placeable"]["verdict"] == "counterexample":
        never = {one["gang"] for one in said["placeable"]["counterexample"]["holds"]}
        out += [f"placeable: {gang} is said never to stand whole, and did" for gang in never & whole]
    return out


def play_mechanism(plane, mechanism, arguments):
    dice = random.Random(f"{arguments.seed} {mechanism}")
    made = [worlds.random_world(dice, f"w{number}", mechanism) for number in range(arguments.worlds)]
    said = {world.name: verdicts(arguments.muster, world) for world in made}
    by_world = {world.name: plays_of(world, said[world.name], dice) for world in made}
    stage = Stage(plane, mechanism)
    warm_up(stage, mechanism)
    run(stage, [play for world in made for play in by_world[world.name]])
    counts, wrong, pinned_alone = collections.Counter(), 0, 0
    for world in made:
        for named, one in said[world.name].items():
            counts[named, one["verdict"]] += 1
        parted = {play.order.endswith(ON_ITS_NODES) for play in by_world[world.name]
                  if any(partly(play, held) for held in play.parts)}
        pinned_alone += parted == {True}
        for text in wrongs(world, said[world.name], by_world[world.name]):
            wrong += 1
            print(f"{world}\n    {text}")
    print(f"{mechanism}: {len(made)} worlds, {sum(map(len, by_world.values()))} plays, {wrong} wrong, "
          f"{pinned_alone} worlds broken only on the nodes of the counterexample; " + ", ".join(
        f"{named} {verdict} {count}" for (named, verdict), count in sorted(counts.items())), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--muster", required=True)
    parser.add_argument("--built", required=True)
    parser.add_argument("--mechanism", action="append", choices=worlds.MECHANISMS)
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--seed", default="1")
    arguments = parser.parse_args()
    wrong = 0
    for mechanism in arguments.mechanism or worlds.MECHANISMS:
        with Plane(arguments.built) as plane:
            if mechanism == "coscheduling":
                plane.coscheduling()
            elif mechanism == "volcano":
                plane.volcano()
            else:
                plane.kube_scheduler()
                if mechanism != "kube-scheduler":
                    plane.kueue()
            wrong += play_mechanism(plane, mechanism, arguments)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
