#include "slurm/keys.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

// Keys by which slurm.conf and pieces of it are told from other `Key=Value` files: names that no other program uses.
// Not the list of all keys; which of them a release knows is the business of the rules.
constexpr std::array<std::string_view, 64> kSlurmConfKeys{
    "accountingstorageenforce",
    "accountingstoragehost",
    "accountingstoragetres",
    "accountingstoragetype",
    "authtype",
    "batchstarttimeout",
    "clustername",
    "controladdr",
    "controlmachine",
    "credtype",
    "downnodes",
    "enforcepartlimits",
    "fastschedule",
    "grestypes",
    "healthcheckinterval",
    "healthchecknodestate",
    "healthcheckprogram",
    "inactivelimit",
    "jobacctgathertype",
    "jobcomptype",
    "jobsubmitplugins",
    "killonbadexit",
    "launchparameters",
    "mcsplugin",
    "messagetimeout",
    "minjobage",
    "mpidefault",
    "nodename",
    "nodeset",
    "partitionname",
    "preemptmode",
    "preempttype",
    "priorityflags",
    "prioritytype",
    "priorityweightage",
    "priorityweightfairshare",
    "privatedata",
    "proctracktype",
    "prologflags",
    "resumeprogram",
    "resumetimeout",
    "returntoservice",
    "schedulerparameters",
    "schedulertype",
    "selecttype",
    "selecttypeparameters",
    "slurmctlddebug",
    "slurmctldhost",
    "slurmctldparameters",
    "slurmctldport",
    "slurmctldtimeout",
    "slurmdparameters",
    "slurmdport",
    "slurmdspooldir",
    "slurmdtimeout",
    "slurmuser",
    "statesavelocation",
    "suspendexcnodes",
    "suspendexcparts",
    "suspendprogram",
    "switchtype",
    "taskplugin",
    "topologyplugin",
    "unkillablesteptimeout",
};
static_assert(std::ranges::is_sorted(kSlurmConfKeys));

constexpr std::array<std::string_view, 31> kSiblingKeys{"autobasepath",
                                                        "autodetect",
                                                        "basepath",
                                                        "blockname",
                                                        "blocksizes",
                                                        "cgroupautomount",
                                                        "cgroupmountpoint",
                                                        "cgroupplugin",
                                                        "constraincores",
                                                        "constraindevices",
                                                        "constrainramspace",
                                                        "constrainswapspace",
                                                        "containerpath",
                                                        "dbdaddr",
                                                        "dbdhost",
                                                        "dbdport",
                                                        "energyipmifrequency",
                                                        "infinibandofedport",
                                                        "interconnectofedport",
                                                        "name",
                                                        "profilehdf5default",
                                                        "profilehdf5dir",
                                                        "profileinfluxdbhost",
                                                        "ringname",
                                                        "runtimecreate",
                                                        "runtimekill",
                                                        "runtimerun",
                                                        "storagetype",
                                                        "switchname",
                                                        "sysfsinterfaces",
                                                        "topologyparam"};

bool is_key_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

}  // namespace

bool is_slurm_conf_key(std::string_view lower_key) { return std::ranges::binary_search(kSlurmConfKeys, lower_key); }

bool mentions_slurm_key(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) continue;
    line.remove_prefix(begin);
    std::size_t length = 0;
    while (length < line.size() && length < 40 && is_key_char(line[length])) ++length;
    const std::size_t sign = line.find_first_not_of(" \t", length);
    if (length < 4 || sign == line.npos || line[sign] != '=') continue;
    const std::string key = to_lower(line.substr(0, length));
    if (is_slurm_conf_key(key) || std::ranges::find(kSiblingKeys, key) != kSiblingKeys.end()) return true;
  }
  return false;
}

}  // namespace muster
