#include "slurm/own_gres_conf.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace muster {
namespace {

/// The nodes that lines of gres.conf name, by bundle: in which site's, or kSeveral.
class NamedNodes {
 public:
  static constexpr std::size_t kSeveral = static_cast<std::size_t>(-1);

  void add(const SlurmSite& site, std::size_t index) {
    for (const GresLine& line : site.gres_lines) {
      if (!affords(line.hosts)) continue;
      line.hosts->each([&](std::string name) {
        const auto [found, fresh] = sites_[site.bundle].try_emplace(std::move(name), index);
        if (!fresh && found->second != index) found->second = kSeveral;
      });
    }
  }

  /// Whether the gres.conf of another site names one of them.
  bool elsewhere(const SlurmSite& site, std::size_t index, const std::optional<Hostlist>& hosts) {
    const auto names = sites_.find(site.bundle);
    if (names == sites_.end() || !affords(hosts)) return false;
    bool any = false;
    hosts->each([&](const std::string& name) {
      const auto found = names->second.find(name);
      any = any || (found != names->second.end() && found->second != index);
    });
    return any;
  }

 private:
  bool affords(const std::optional<Hostlist>& hosts) {
    if (!hosts || hosts->size() > room_) return false;
    room_ -= hosts->size();
    return true;
  }

  std::map<std::string_view, std::map<std::string, std::size_t, std::less<>>> sites_;
  std::uint64_t room_ = Hostlist::kMaxExpanded;
};

/// The sites whose gres.conf name the same nodes are copies of one: each counts as the first of them.
class CopiedConfs {
 public:
  std::size_t first_of(const SlurmSite& site, std::size_t index) {
    std::string names;
    for (const GresLine& line : site.gres_lines) names += line.nodes.value + "\n";
    return first_.try_emplace({site.bundle, std::move(names)}, index).first->second;
  }

 private:
  std::map<std::pair<std::string_view, std::string>, std::size_t> first_;
};

/// All lines name one node, and that one alone.
bool is_of_one_node(const SlurmSite& site) {
  std::string_view only;
  for (const GresLine& line : site.gres_lines) {
    if (!line.nodes.is_set() || !line.hosts || line.hosts->size() != 1) return false;
    if (!only.empty() && line.nodes.value != only) return false;
    only = line.nodes.value;
  }
  return !only.empty();
}

bool names_no_node(const SlurmSite& site) {
  return std::ranges::all_of(site.gres_lines, [](const GresLine& line) { return line.nodes.state == State::Absent; });
}

/// `gpu01-gres.conf` and `gpu02-gres.conf`, of which a script copies one to each node.
bool stand_in_several_files(const SlurmSite& site) {
  return std::ranges::any_of(
      site.gres_lines, [&](const GresLine& line) { return line.where.file != site.gres_lines.front().where.file; });
}

bool fits(const SiteDevices& devices) {
  return devices.loss == DeviceLoss::None && devices.provided == devices.configured;
}

}  // namespace

void note_own_gres_confs(std::vector<SlurmSite>& sites) {
  NamedNodes named;
  CopiedConfs copies;
  std::vector<std::size_t> first;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    first.push_back(copies.first_of(sites[s], s));
    named.add(sites[s], first.back());
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    SlurmSite& site = sites[s];
    const bool of_one = is_of_one_node(site) || (names_no_node(site) && stand_in_several_files(site));
    std::map<std::string_view, std::size_t> fitting;  // a NodeName line by the name of devices that fit it
    if (names_no_node(site)) {
      for (const SiteDevices& devices : site.table.devices) {
        if (fits(devices)) fitting.try_emplace(devices.name, devices.record);
      }
    }
    for (SiteDevices& devices : site.table.devices) {
      if (fits(devices)) continue;
      const auto other = fitting.find(devices.name);
      devices.own_conf = of_one || (other != fitting.end() && other->second != devices.record) ||
                         named.elsewhere(site, first[s], site.nodes[devices.record].hosts);
    }
  }
}

}  // namespace muster
