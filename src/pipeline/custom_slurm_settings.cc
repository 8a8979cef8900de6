#include "pipeline/custom_slurm_settings.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

enum class SettingLevel { Site, Queue, Resource };

// Source of what is denied: aws/aws-parallelcluster:cli/src/pcluster/validators/slurm_settings_validator.py,
// SLURM_SETTINGS_DENY_LIST (3.7.0, 3.11.0).
constexpr std::array<std::string_view, 18> kOfSite{"epilog",           "grestypes",           "launchparameters",
                                                   "prolog",           "reconfigflags",       "resumefailprogram",
                                                   "resumeprogram",    "resumetimeout",       "slurmctldhost",
                                                   "slurmctldlogfile", "slurmctldparameters", "slurmdlogfile",
                                                   "slurmuser",        "suspendexcnodes",     "suspendprogram",
                                                   "suspendtime",      "taskplugin",          "treewidth"};
constexpr std::array<std::string_view, 5> kWithDatabase{"accountingstoragehost", "accountingstorageport",
                                                        "accountingstoragetype", "accountingstorageuser",
                                                        "jobacctgathertype"};
constexpr std::array<std::string_view, 6> kOfQueue{"nodes",         "oversubscribe", "partitionname",
                                                   "resumetimeout", "state",         "suspendtime"};
constexpr std::array<std::string_view, 8> kOfResource{"cpus",         "features", "gres",  "nodeaddr",
                                                      "nodehostname", "nodename", "state", "weight"};
// SchedMD/slurm:src/common/read_config.c, _parse_partitionname and _parse_nodename (23.02-26.05): keys that the one
// has and the other does not in any of these releases.
constexpr std::array<std::string_view, 37> kOfPartitions{"allocnodes",
                                                         "allowaccounts",
                                                         "allowgroups",
                                                         "allowqos",
                                                         "alternate",
                                                         "default",
                                                         "defaulttime",
                                                         "defcpupergpu",
                                                         "defmempercpu",
                                                         "defmempergpu",
                                                         "defmempernode",
                                                         "denyaccounts",
                                                         "denyqos",
                                                         "disablerootjobs",
                                                         "exclusiveuser",
                                                         "gracetime",
                                                         "hidden",
                                                         "lln",
                                                         "maxcpuspernode",
                                                         "maxcpuspersocket",
                                                         "maxmempercpu",
                                                         "maxmempernode",
                                                         "maxnodes",
                                                         "maxtime",
                                                         "minnodes",
                                                         "oversubscribe",
                                                         "overtimelimit",
                                                         "powerdownonidle",
                                                         "preemptmode",
                                                         "priorityjobfactor",
                                                         "prioritytier",
                                                         "qos",
                                                         "reqresv",
                                                         "rootonly",
                                                         "shared",
                                                         "tresbillingweights",
                                                         "selecttypeparameters"};
constexpr std::array<std::string_view, 11> kOfNodes{
    "boards",     "corespeccount", "corespersocket",  "cpuspeclist",    "memspeclimit", "port",
    "realmemory", "sockets",       "socketsperboard", "threadspercore", "tmpdisk"};

bool is_listed(std::span<const std::string_view> list, std::string_view key) {
  return std::ranges::find(list, key) != list.end();
}

std::span<const std::string_view> denied_at(SettingLevel level) {
  if (level == SettingLevel::Site) return kOfSite;
  return level == SettingLevel::Queue ? std::span<const std::string_view>(kOfQueue) : kOfResource;
}

std::string_view name_of_level(SettingLevel level) {
  constexpr std::array<std::string_view, 3> kNames{"SlurmSettings", "a queue", "a compute resource"};
  return kNames[static_cast<std::size_t>(level)];
}

class CustomSettings {
 public:
  CustomSettings(bool validated, std::vector<Finding>& findings) : validated_(validated), findings_(findings) {}

  void look_at(const Node& cluster) {
    const Node scheduling = cluster["Scheduling"];
    const Node of_site = scheduling["SlurmSettings"];
    database_ = of_site["Database"].is_mapping();
    const Node list = of_site["CustomSlurmSettings"];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      // Records of nodes and partitions have several keys, and are taken as they are.
      if (list.item(i).is_mapping() && list.item(i).size() == 1) settings(list.item(i), SettingLevel::Site);
    }
    const Node queues = scheduling["SlurmQueues"];
    for (std::size_t i = 0; queues.is_sequence() && i < queues.size(); ++i) {
      settings(queues.item(i)["CustomSlurmSettings"], SettingLevel::Queue);
      const Node resources = queues.item(i)["ComputeResources"];
      for (std::size_t k = 0; resources.is_sequence() && k < resources.size(); ++k)
        settings(resources.item(k)["CustomSlurmSettings"], SettingLevel::Resource);
    }
  }

 private:
  void settings(const Node& map, SettingLevel level) {
    for (std::size_t i = 0; map.is_mapping() && i < map.size(); ++i) setting(map.key(i), level);
  }

  void setting(const Node& key, SettingLevel level) {
    const std::string name = to_lower(key.text());
    const bool denied = is_listed(denied_at(level), name) ||
                        (level == SettingLevel::Site && database_ && is_listed(kWithDatabase, name));
    if (denied && validated_)
      findings_.push_back(problem("parallel-cluster-setting-denied", key.where(),
                                  "ParallelCluster lets nobody set `" + std::string(key.text()) +
                                      "` in CustomSlurmSettings of " + std::string(name_of_level(level))));
    const bool other = level == SettingLevel::Resource ? is_listed(kOfPartitions, name)
                                                       : level == SettingLevel::Queue && is_listed(kOfNodes, name);
    if (!other) return;
    findings_.push_back(
        problem("parallel-cluster-setting-of-other-level", key.where(),
                "`" + std::string(key.text()) + "` is a key of " +
                    (level == SettingLevel::Resource ? "partitions, and this goes into the line of nodes"
                                                     : "nodes, and this goes into the line of a partition")));
  }

  bool validated_;
  bool database_ = false;
  std::vector<Finding>& findings_;
};

}  // namespace

void check_custom_slurm_settings(const Node& cluster, bool validated, std::vector<Finding>& findings) {
  CustomSettings(validated, findings).look_at(cluster);
}

}  // namespace muster
