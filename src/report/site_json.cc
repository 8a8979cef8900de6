#include "report/site_json.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

using SiteJson = nlohmann::ordered_json;

template <class T>
SiteJson site_value(const std::optional<T>& value) {
  return value ? SiteJson(*value) : SiteJson(nullptr);
}
SiteJson site_value(const Located<std::int64_t>& value) {
  return value.known() ? SiteJson(value.value) : SiteJson(nullptr);
}

std::string line_of(const Span& where, const SourceMap& sources) {
  if (!where.placed()) return "";
  return sources.file(where.file).path() + ":" + std::to_string(sources.begin_of(where).line);
}

SiteJson device_json(const NodeDevices& one, const SlurmSite& site, const SourceMap& sources) {
  SiteJson out;
  out["name"] = one.name;
  if (!one.type.empty()) out["type"] = one.type;
  out["configured"] = one.configured;
  out["provided"] = site_value(one.provided);
  out["count"] = one.count;
  out["shown"] = one.shown;
  if (!one.files.empty()) out["files"] = one.files;
  if (!one.cores.empty()) out["cores"] = one.cores;
  if (one.auto_detect) out["auto_detect"] = true;
  if (one.loss != DeviceLoss::None) out["loss"] = name_of(one.loss);
  if (one.line) out["at"] = line_of(site.gres_lines[*one.line].where, sources);
  return out;
}

/// 4294967296 is 4G.
std::string scaled(std::int64_t count) {
  constexpr std::string_view kUnits = "KMGTP";
  std::string unit;
  for (const char letter : kUnits) {
    if (count == 0 || count % 1024 != 0) break;
    count /= 1024;
    unit = letter;
  }
  return std::to_string(count) + unit;
}

/// Gres as `scontrol show nodes` prints it.
std::string gres_shown(const SiteNodes& group) {
  std::vector<std::string> items;
  for (const NodeDevices& one : group.devices) {
    if (one.shown == 0 && one.configured > 0) continue;
    items.push_back(one.name + (one.shown_type.empty() ? "" : ":" + one.shown_type) + ":" + scaled(one.shown));
  }
  return items.empty() ? "(null)" : join(items, ",");
}

SiteJson group_json(const SiteNodes& group, const SlurmSite& site, const SourceMap& sources) {
  SiteJson out;
  out["nodes"] = group.names;
  out["count"] = group.count;
  out["at"] = line_of(site.nodes[group.record].where, sources);
  if (group.cpus.known) {
    out["cpus"] = group.cpus.cpus;
    out["boards"] = group.cpus.boards;
    out["sockets"] = group.cpus.sockets;
    out["cores_per_socket"] = group.cpus.cores_per_socket;
    out["threads_per_core"] = group.cpus.threads_per_core;
  } else {
    out["cpus"] = nullptr;
  }
  out["real_memory"] = site_value(group.real_memory);
  if (group.core_spec_count > 0) out["core_spec_count"] = group.core_spec_count;
  if (group.memory_spec > 0) out["mem_spec_limit"] = group.memory_spec;
  out["features"] = group.features;
  out["weight"] = group.weight;
  out["state"] = group.state;
  out["gres"] = gres_shown(group);
  out["devices"] = SiteJson::array();
  for (const NodeDevices& one : group.devices) out["devices"].push_back(device_json(one, site, sources));
  out["partitions"] = SiteJson::array();
  for (const std::size_t p : group.partitions) out["partitions"].push_back(site.partitions[p].name.value);
  out["switches"] = group.units;
  return out;
}

SiteJson partition_json(const SlurmPartition& partition, const SitePartition& table, const SourceMap& sources) {
  SiteJson out;
  out["name"] = partition.name.value;
  out["at"] = line_of(partition.where, sources);
  out["state"] = table.state;
  out["nodes"] = table.known ? SiteJson(table.nodes) : SiteJson(nullptr);
  out["min_nodes"] = site_value(table.min_nodes);
  out["max_nodes"] = site_value(table.max_nodes);
  if (!table.max_time.empty()) out["max_time"] = table.max_time;
  out["whole_nodes"] = partition.whole_nodes.known() ? SiteJson(partition.whole_nodes.value) : SiteJson(nullptr);
  return out;
}

}  // namespace

std::string site_json(const Model& model, const SourceMap& sources) {
  SiteJson sites = SiteJson::array();
  for (const SlurmSite& site : model.slurm_sites) {
    SiteJson out;
    out["file"] = site.file.empty() ? site.folder + "/" : site.file;
    if (site.name.is_set()) out["cluster"] = site.name.value;
    out["fragment"] = site.fragment;
    out["complete"] = site.complete;
    out["known"] = site.table.known;
    out["fenced"] = site.table.fenced.known() ? SiteJson(site.table.fenced.value) : SiteJson(nullptr);
    out["nodes"] = SiteJson::array();
    for (const SiteNodes& group : site.table.groups) out["nodes"].push_back(group_json(group, site, sources));
    out["partitions"] = SiteJson::array();
    for (std::size_t p = 0; p < site.partitions.size(); ++p)
      out["partitions"].push_back(partition_json(site.partitions[p], site.table.partitions[p], sources));
    sites.push_back(std::move(out));
  }
  return SiteJson{{"sites", std::move(sites)}}.dump(2, ' ', false, SiteJson::error_handler_t::replace) + "\n";
}

}  // namespace muster
