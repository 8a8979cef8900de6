#include <algorithm>

#include "base/strings.h"
#include "input/kind.h"
#include "slurm/keys.h"

namespace muster {
namespace {

bool is_key(const ConfPair& pair, std::string_view lower) { return equals_ignoring_case(pair.key, lower); }

bool has_key(const ConfLine& line, std::string_view lower) {
  return std::ranges::any_of(line.pairs, [&](const ConfPair& pair) { return is_key(pair, lower); });
}

/// Lines that begin with one of the keys.
bool begins_with(const Artifact& artifact, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(*artifact.lines, [&](const ConfLine& line) {
    return !line.pairs.empty() &&
           std::ranges::any_of(keys, [&](std::string_view key) { return is_key(line.pairs.front(), key); });
  });
}

bool begins_as_slurmdbd(const Artifact& artifact) {
  return begins_with(artifact, {"dbdaddr", "dbdhost", "dbdport", "storagehost", "storageloc", "storagetype"});
}

/// At least `least` lines begin with one of the keys, and no others with keys of slurm.conf.
bool consists_of(const Artifact& artifact, std::initializer_list<std::string_view> keys, std::ptrdiff_t least) {
  const std::vector<ConfLine>& lines = *artifact.lines;
  const auto begins = [&](const ConfLine& line) {
    return !line.pairs.empty() &&
           std::ranges::any_of(keys, [&](std::string_view key) { return is_key(line.pairs.front(), key); });
  };
  const auto foreign = [&](const ConfLine& line) {
    return !line.pairs.empty() && is_slurm_conf_key(to_lower(line.pairs.front().key)) && !begins(line);
  };
  return std::ranges::count_if(lines, begins) >= least && std::ranges::none_of(lines, foreign);
}

bool is_gres_line(const ConfLine& line) {
  if (line.pairs.empty()) return false;
  if (is_key(line.pairs.front(), "autodetect")) return true;
  const bool named = has_key(line, "name");
  const bool resource = has_key(line, "file") || has_key(line, "count") || has_key(line, "type") ||
                        has_key(line, "cores") || has_key(line, "flags") || has_key(line, "multiplefiles") ||
                        has_key(line, "autodetect");
  return (named && (resource || is_key(line.pairs.front(), "nodename"))) ||
         (is_key(line.pairs.front(), "nodename") && has_key(line, "autodetect"));
}

bool is_node_line(const ConfLine& line) {
  if (line.pairs.size() < 2 || !is_key(line.pairs.front(), "nodename") || is_gres_line(line)) return false;
  if (has_key(line, "file")) return false;  // a key of gres.conf alone
  constexpr std::string_view kKeys[] = {"cpus",           "sockets",  "socketsperboard", "boards",   "corespersocket",
                                        "realmemory",     "gres",     "state",           "nodeaddr", "nodehostname",
                                        "feature",        "features", "weight",          "port",     "procs",
                                        "threadspercore", "tmpdisk"};
  return std::ranges::any_of(kKeys, [&](std::string_view key) { return has_key(line, key); });
}

bool is_partition_line(const ConfLine& line) {
  return line.pairs.size() > 1 && is_key(line.pairs.front(), "partitionname");
}

}  // namespace

namespace acct_gather_conf {
bool recognises(const Artifact& artifact) {
  return consists_of(artifact,
                     {"energyipmifrequency", "energyipmicalcadjustment", "energyipmipowersensors", "infinibandofedport",
                      "interconnectofedport", "profilehdf5default", "profilehdf5dir", "profileinfluxdbdatabase",
                      "profileinfluxdbhost", "sysfsinterfaces"},
                     1);
}
}  // namespace acct_gather_conf

namespace cgroup_conf {
bool recognises(const Artifact& artifact) {
  return consists_of(artifact,
                     {"cgroupautomount", "cgroupmountpoint", "cgroupplugin", "constraincores", "constraindevices",
                      "constrainramspace", "constrainswapspace", "constrainkmemspace"},
                     1);
}
}  // namespace cgroup_conf

namespace job_container_conf {
bool recognises(const Artifact& artifact) {
  return consists_of(artifact, {"autobasepath", "basepath"}, 1) ||
         std::ranges::any_of(*artifact.lines, [](const ConfLine& line) {
           return line.pairs.size() > 1 && is_key(line.pairs.front(), "nodename") && has_key(line, "basepath");
         });
}
}  // namespace job_container_conf

// Source: slurm.schedmd.com/helpers.conf.html and SchedMD/slurm:doc/man/man5/helpers.conf.5 (22.05, 26.05): features
// that a node gets by a restart.
namespace helpers_conf {
bool recognises(const Artifact& artifact) {
  const auto helps = [](const ConfLine& line) { return has_key(line, "helper"); };
  return std::ranges::any_of(*artifact.lines, helps) &&
         consists_of(artifact,
                     {"allowuserboot", "boottime", "exectime", "feature", "helper", "mutuallyexclusive", "nodename"},
                     1);
}
}  // namespace helpers_conf

namespace oci_conf {
bool recognises(const Artifact& artifact) {
  return consists_of(artifact,
                     {"containerpath", "createenvfile", "runtimecreate", "runtimedelete", "runtimekill", "runtimequery",
                      "runtimerun", "runtimestart"},
                     1);
}
}  // namespace oci_conf

namespace slurmdbd_conf {
bool recognises(const Artifact& artifact) {
  return begins_as_slurmdbd(artifact) && !begins_with(artifact, {"slurmctldhost", "controlmachine", "partitionname"});
}
}  // namespace slurmdbd_conf

namespace topology_conf {
bool recognises(const Artifact& artifact) {
  return begins_with(artifact, {"switchname", "blockname", "ringname", "blocksizes"});
}
}  // namespace topology_conf

namespace gres_conf {
bool recognises(const Artifact& artifact) {
  return std::ranges::any_of(*artifact.lines, is_gres_line) &&
         !std::ranges::any_of(*artifact.lines,
                              [](const ConfLine& line) { return is_node_line(line) || is_partition_line(line); });
}
}  // namespace gres_conf

namespace slurm_conf {
/// slurm.conf or a piece of it: a node or partition record, or at least two keys that only slurm.conf has.
bool recognises(const Artifact& artifact) {
  std::size_t keys = 0;
  for (const ConfLine& line : *artifact.lines) {
    if (is_node_line(line) || is_partition_line(line)) return true;
    const bool ours = !line.pairs.empty() && is_slurm_conf_key(to_lower(line.pairs.front().key));
    keys += ours ? 1 : 0;
  }
  return keys >= 2 && !begins_as_slurmdbd(artifact);
}
}  // namespace slurm_conf

namespace topology_yaml {
/// Slurm's topology.yaml: a list of (or one) mapping with `topology` and a type. Source:
/// slurm.schedmd.com/topology.yaml.html.
bool recognises(const Artifact& artifact) {
  const auto entry = [](const Node& node) {
    const bool typed = node["tree"].exists() || node["block"].exists() || node["flat"].exists() ||
                       node["ring"].exists() || node["torus3d"].exists();
    return node["topology"].is_scalar() && typed;
  };
  const Node root = artifact.object;
  return root.is_sequence() ? root.size() > 0 && entry(root.item(0)) : entry(root);
}
}  // namespace topology_yaml

}  // namespace muster
