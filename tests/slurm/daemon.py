"""The slurmctld of each installed release, started on the files of a site and listened to.

Each run has a network of its own with nothing but loopback, so ports are free and no name costs time, and its own
mounts, so the site lies at /etc/slurm. Nothing outside of its folder is left when it ends. Needs root.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WAIT = 30.0  # seconds until a daemon that says nothing more is given up
CALM = 0.6   # seconds without a new line after which a daemon that runs has said what it has to say

# What a daemon without slurmd, munge, mail and neighbours says of the machine, not of the files.
MACHINE = re.compile(
    r"|".join((
        r"Configured MailProg is invalid", r"Could not open \w+ state file", r"NOTE: Trying backup state save file",
        r"mpi/pmix", r"[Uu]nable to resolve \"", r"get_addr_info|xgetaddrinfo|getaddrinfo",
        r"slurm_set_addr: Unable to resolve", r"(validate_slurmd_addr|set_node_addrs): failure on",
        r"Address family", r"Possible mismatch|unable to bind", r"chdir\(",
        r"No (last decay|Assoc usage|QOS usage|fed_mgr|trigger|job|node|part|reservation|last_tres)",
        r"_slurm_connect|slurm_(open|send|recv|receive)|Connection refused|Network is unreachable",
        r"Error connecting|Unable to contact|ping_controllers",
        r"read_slurm_conf: backup_controller not specified", r"open_namespace|setgroups|Failed to set core",
        r"[Nn]o (default|valid) gateway", r"gethostname|hostname", r"_slurmctld_background: .*shutdown",
        r"agent|Zero Bytes|dlopen|unable to set SO_|socket:", r"sched: .*Unable to open",
    )))


class Install:
    """A release that is installed: on this machine (root "") or in a chroot."""

    def __init__(self, root, release):
        self.root, self.release = root, release

    @property
    def short(self):
        return ".".join(self.release.split(".")[:2])

    @property
    def plugins(self):
        """Names of the plugins that lie there: select/linear."""
        if not hasattr(self, "_plugins"):
            folder = next(iter(Path(self.root + "/usr/lib").glob("*/slurm-wlm")), None)
            self._plugins = {p.stem for p in folder.glob("*.so")} if folder else set()
        return self._plugins


def installs():
    """Those of this machine and of the chroots that MUSTER_SLURM_CHROOTS names, by release."""
    roots = [""]
    chroots = os.environ.get("MUSTER_SLURM_CHROOTS", "")
    if chroots and Path(chroots).is_dir():
        roots += sorted(str(p.resolve()) for p in Path(chroots).iterdir())
    found = []
    for root in roots:
        if not os.path.exists(root + "/usr/sbin/slurmctld"):
            continue
        command = (["chroot", root] if root else []) + ["/usr/sbin/slurmctld", "-V"]
        said = subprocess.run(command, capture_output=True, text=True).stdout.split()
        if said:
            found.append(Install(root, said[-1]))
    return sorted(found, key=lambda one: one.release)


def add_arguments(parser):
    """What every script here takes that asks slurmctld and muster the same."""
    parser.add_argument("--muster", default="build/quick/muster")
    parser.add_argument("--releases", default="", help="22.05,24.11; all that are installed")


def chosen(releases):
    """The installs of these releases; of all where none is named."""
    return [one for one in installs() if not releases or one.short in releases.split(",")]


class Verdict:
    """up, fatal, crash or hang; `lines` are (level, message) of what it logged as fatal, error or warning."""

    def __init__(self, outcome, lines, log):
        self.outcome, self.lines, self.log = outcome, lines, log

    @property
    def stops(self):
        return self.outcome != "up"

    @property
    def fatal(self):
        return next((text for level, text in self.lines if level == "fatal"), "")


def lines_of(log):
    """Fatal, error and warning lines without their prefixes, each once, without those about the machine."""
    out = []
    for line in log.splitlines():
        found = re.search(r"(?:^|[\s:\]])(fatal|error|warning): ?(.*)$", line, re.IGNORECASE)
        # 22.05 says `error: WARNING: ...`, and some warnings at the level of information.
        if not found:
            found = re.search(r"(?:^|[\s:])(?:TOPOLOGY: )?(warning) -- (.*)$", line)
        if not found or MACHINE.search(line):
            continue
        one = (found[1].lower(), found[2].strip())
        if one[1] and one not in out:
            out.append(one)
    return out


def start(install, folder):
    root = install.root
    target = root + "/etc/slurm"
    os.makedirs(target, exist_ok=True)
    # With 127.0.0.1 alone newer releases look no name up, not even localhost; so with ::1.
    steps = ["ip link set lo up", "ip addr add 192.0.2.1/32 dev lo", "{ ip -6 addr add 2001:db8::1/128 dev lo || true; }",
             f"mount --bind '{folder}' '{target}'"]
    # What each name resolves to is said by names.py.
    Path(folder, ".resolv").write_text("nameserver 127.0.0.1\n")
    Path(folder, ".nsswitch").write_text("passwd: files\ngroup: files\nhosts: files dns\n")
    steps += [f"mount --bind '{folder}/.{name}' '{root}/etc/{file}'"
              for name, file in (("resolv", "resolv.conf"), ("nsswitch", "nsswitch.conf"))]
    steps.append(f"{{ {sys.executable} -SE '{HERE}/names.py' & }}")
    if root:
        steps.append(f"mount --rbind /proc '{root}/proc'")
    enter = f"chroot '{root}' " if root else ""
    steps.append("echo begins")
    steps.append(f"exec {enter}/usr/sbin/slurmctld -D -f /etc/slurm/slurm.conf")
    output = open(folder + "/.output", "wb")
    return subprocess.Popen(["unshare", "-n", "-m", "sh", "-c", " && ".join(steps)], stdin=subprocess.DEVNULL,
                            stdout=output, stderr=output, start_new_session=True)


def listen(process, path, wait=WAIT):
    """What became of it: (outcome, log)."""
    begin = grown = time.monotonic()
    size = 0
    while True:
        time.sleep(0.05)
        ended = process.poll()
        log = path.read_text(errors="replace") if ended is not None or path.stat().st_size != size else None
        now = time.monotonic()
        if ended is not None:
            return ("crash" if ended < 0 or ended > 128 else "fatal"), log
        if log is not None:
            size, grown, last = path.stat().st_size, now, log
            if "retrying in 1sec up to 60sec" in log:
                return "fatal", log + "\nfatal: a file that is missing\n"  # it says so a minute later
        if size and "Running as primary controller" in last and now - grown > CALM:
            return "up", last
        if now - begin > wait:
            return "hang", last if size else ""


def play(install, files):
    """Starts slurmctld on files (name -> text or bytes, slurm.conf among them), as they are."""
    folder = tempfile.mkdtemp(prefix="muster-rig-")
    try:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        for name in (".state", ".spool"):
            os.makedirs(folder + "/" + name, exist_ok=True)
        # What auth/slurm and cred/slurm sign with; no site has its own in a repository.
        key = Path(folder, "slurm.key")
        key.write_bytes(b"k" * 1024)
        key.chmod(0o600)
        process = start(install, folder)
        try:
            outcome, log = listen(process, Path(folder, ".output"))
        finally:
            # The daemon and its name server; the leader may have ended, the group is still ours.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        if not (log or "").startswith("begins"):
            raise RuntimeError(f"no namespace of its own for slurmctld: {log}")
        return Verdict(outcome, lines_of(log or ""), log or "")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
