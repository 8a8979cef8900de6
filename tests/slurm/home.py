"""A site as this machine can play it: what only speaks of users, paths, hosts and programs of its own machines is
replaced by what is there. Lines keep their numbers, and a value that no release takes is left as it is."""
import re

SETTING = re.compile(r"^(\s*)([A-Za-z0-9_.]+)(\s*=\s*)(\"[^\"]*\"|\S+)(.*)$", re.DOTALL)

FOLDERS = {"statesavelocation": "/etc/slurm/.state", "slurmdspooldir": "/etc/slurm/.spool",
           "slurmctldpidfile": "/etc/slurm/.pid"}
PROGRAMS = {
    "prolog", "epilog", "prologslurmctld", "epilogslurmctld", "healthcheckprogram", "resumeprogram", "suspendprogram",
    "resumefailprogram", "rebootprogram", "mailprog", "unkillablestepprogram", "srunprolog", "srunepilog",
    "taskprolog", "taskepilog", "slurmctldprimaryonprog", "slurmctldprimaryoffprog",
}
# These lines are emptied: what they say is of that machine only, or needs a secret or a service.
DROPPED = {
    "slurmctldlogfile", "slurmschedlogfile", "slurmdpidfile", "slurmdlogfile", "plugindir",
    "plugstackconfig", "jobcredentialprivatekey", "jobcredentialpubliccertificate", "authalttypes",
    "authaltparameters", "authinfo", "jobcomploc", "slurmctldsyslogdebug", "logtimeformat", "jobcompparams",
    "controladdr", "backupcontroller", "backupaddr", "slurmctldport", "slurmdport",
}
REPLACED = {
    "authtype": ({"auth/munge", "auth/slurm", "auth/jwt"}, "auth/none"),
    "credtype": ({"cred/munge", "auth/munge", "auth/slurm"}, "cred/none"),
    "accountingstoragetype": ({"accounting_storage/slurmdbd"}, "accounting_storage/none"),
    "slurmctlddebug": ({"quiet", "fatal", "error", "verbose", "debug", "debug2", "debug3", "debug4", "debug5", "1",
                        "2", "3", "4", "5", "6", "7", "8", "9"}, "info"),
}
BARE = {"authtype": {"munge", "slurm", "jwt"}, "credtype": {"munge", "slurm"}}
USERS = {"slurmuser", "slurmduser"}
# Installed, and of no use without what they speak to.
UNLOADABLE = {"job_submit_lua", "acct_gather_energy_gpu"}
# Plugins that a distribution leaves out; the lists that name one are emptied where it is not installed.
PLUGINS = {
    "jobsubmitplugins": "job_submit", "clifilterplugins": "cli_filter", "jobcomptype": "jobcomp",
    "acctgatherenergytype": "acct_gather_energy", "acctgatherprofiletype": "acct_gather_profile",
    "acctgatherfilesystemtype": "acct_gather_filesystem", "acctgatherinterconnecttype": "acct_gather_interconnect",
    "mpidefault": "mpi", "switchtype": "switch", "nodefeaturesplugins": "node_features", "burstbuffertype":
    "burst_buffer", "preepplugins": "prep", "jobcontainertype": "job_container",
}


RARE_PLUGINS = {
    "acct_gather_profile_hdf5", "acct_gather_profile_influxdb", "acct_gather_energy_ipmi", "acct_gather_energy_xcc",
    "acct_gather_interconnect_ofed", "jobcomp_elasticsearch", "jobcomp_kafka", "jobcomp_mysql", "switch_nvidia_imex",
    "switch_hpe_slingshot", "mpi_pmix_v3", "mpi_pmix_v4", "mpi_pmix_v5", "mpi_pmix", "job_submit_lua",
}


def words_of_plugins(key, value):
    prefix = PLUGINS[key]
    for word in value.strip('"').split(","):
        yield prefix + "_" + re.sub(r"^\w+/", "", word.strip()).replace("/", "_")


def setting_at_home(line, install, known_plugins, hosts, names):
    included = re.match(r"include\s+(\S+)\s*$", line, re.IGNORECASE)
    if included and not any(included[1].endswith(name) for name in names):
        return ""  # slurmctld waits a minute for it
    found = SETTING.match(line)
    if not found:
        return line
    before, name, sign, value, rest = found.groups()
    key, plain = name.lower(), value.strip('"')

    def with_value(text):
        return before + name + sign + text + rest

    if key in FOLDERS and plain.startswith("/"):
        return with_value(FOLDERS[key])
    if key in USERS and re.fullmatch(r"\w[\w.-]*", plain):
        return with_value("root")
    if key in PROGRAMS and plain.startswith("/"):
        return with_value("/bin/true")
    if key in REPLACED and plain.lower() in REPLACED[key][0]:
        return with_value(REPLACED[key][1])
    if key in BARE and install.short >= "23.11" and plain.lower() in BARE[key]:  # names without their kind, since then
        return with_value("none")
    if key == "slurmctldplugstack" and install.short < "23.02":
        return ""  # a plugin of the site's own
    if key == "poweraction":
        return re.sub(r"(Program=)/\S+", r"\1/bin/true", line, flags=re.IGNORECASE)
    if key in DROPPED and not (key.endswith("port") and not re.fullmatch(r"\d+(-\d+)?", plain)):
        return ""
    if key in PLUGINS:
        wanted = set(words_of_plugins(key, value))
        if any(one in known_plugins and one not in install.plugins for one in wanted) or UNLOADABLE & wanted:
            return ""
    if key in ("slurmctldhost", "controlmachine") and re.fullmatch(r"[\w.-]+(\([\w.:-]+\))?", plain):
        host = plain.split("(")[0]
        hosts.append(host)
        # Newer releases wait for their backups. One that is named twice stays a mistake.
        return with_value("localhost") if host == hosts[0] else ""
    return line


WHOLE = (("clustername", "ClusterName=lab"), ("(slurmctldhost|controlmachine)", "SlurmctldHost=localhost"),
         ("nodename", "NodeName=node[001-004] CPUs=2 State=CLOUD"),
         ("partitionname", "PartitionName=all Nodes=ALL Default=YES"))


def completed(files):
    """A fragment with what a slurmctld cannot do without; a folder without slurm.conf gets one."""
    conf = files.get("slurm.conf", "")
    everything = "\n".join(text for text in files.values() if isinstance(text, str)).lower()
    added = [line for key, line in WHOLE if not re.search(r"^\s*" + key + r"\s*=", everything, re.MULTILINE)]
    return dict(files, **{"slurm.conf": conf.rstrip("\n") + "\n" + "\n".join(added) + "\n" if added else conf})


def at_home(files, install, known_plugins):
    """The files of a site for this machine, and the authentication that it can offer when they name none."""
    out, hosts = {}, []
    for name, text in files.items():
        if name.endswith((".yaml", ".json")) or not isinstance(text, str):
            out[name] = text
            continue
        lines = text.split("\n")
        out[name] = "\n".join(setting_at_home(line, install, known_plugins, hosts, files) for line in lines)
    conf = out.get("slurm.conf")
    if isinstance(conf, str):
        everything = "\n".join(text for text in out.values() if isinstance(text, str)).lower()
        added = [f"{key}={value}" for key, value in (("AuthType", "auth/none"), ("CredType", "cred/none"),
                                                     ("SlurmUser", "root"), ("StateSaveLocation", "/etc/slurm/.state"),
                                                     ("SlurmdSpoolDir", "/etc/slurm/.spool"),
                                                     ("SlurmctldPidFile", "/etc/slurm/.pid"))
                 if not re.search(r"^\s*" + key.lower() + r"\s*=", everything, re.MULTILINE)]
        if added:
            out["slurm.conf"] = conf.rstrip("\n") + "\n" + "\n".join(added) + "\n"
    return out
