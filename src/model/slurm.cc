#include "model/slurm.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

const Version& yaml_since() {
  static const Version version = *Version::parse("25.05");
  return version;
}

/// The releases of which one is judged when nobody says which runs, and the point release that mended block_sizes.
const std::vector<Version>& releases() {
  static const std::vector<Version> all = [] {
    std::vector<Version> out;
    for (const char* text : {"22.05", "23.02", "23.11", "24.05", "24.11", "25.05", "25.11", "26.05", "26.05.3"})
      out.push_back(*Version::parse(text));
    return out;
  }();
  return all;
}

bool in_range(const TopologyMark& mark, const Version& release) {
  const bool early = !mark.since.empty() && release < *Version::parse(mark.since);
  return !early && (mark.until.empty() || release < *Version::parse(mark.until));
}

bool is_read(const TopologyMark& mark, const SlurmSite& site, const Version* release) {
  return !mark.topology || unread_reason(site.topologies[*mark.topology], release) == Unread::No;
}

constexpr std::array<std::string_view, 13> kStay{"account",     "begin", "clusters", "deadline", "dependency",
                                                 "exclude",     "extra", "mem",      "prefer",   "qos",
                                                 "reservation", "time",  "time-min"};

}  // namespace

bool stays_for_later_components(std::string_view option) { return std::ranges::find(kStay, option) != kStay.end(); }

bool counts_for(const SbatchPair& pair, std::int64_t component) {
  return pair.component == component || (pair.component < component && stays_for_later_components(pair.name));
}

Unread unread_reason(const Topology& topology, const Version* release) {
  const bool reads_yaml = release == nullptr || *release >= yaml_since();
  if (topology.yaml) return reads_yaml ? Unread::No : Unread::Version;
  if (topology.shadowed && reads_yaml) return Unread::Shadowed;
  return topology.plugin_reads_it ? Unread::No : Unread::Plugin;
}

std::optional<bool> holds_in(const TopologyMark& mark, const SlurmSite& site, const Version* release) {
  if (release != nullptr) return is_read(mark, site, release) && in_range(mark, *release);
  if (!is_read(mark, site, nullptr)) return false;
  // Who writes what only newer releases read runs one of them; what releases began to refuse has to be asked about.
  if (mark.since.empty() && !mark.until.empty()) return false;
  std::optional<bool> common;
  for (const Version& one : releases()) {
    // A topology.yaml is there for releases that read it.
    if (mark.topology && unread_reason(site.topologies[*mark.topology], &one) != Unread::No) continue;
    const bool holds = in_range(mark, one);
    if (common && *common != holds) return std::nullopt;
    common = holds;
  }
  return common.value_or(false);
}

std::optional<bool> SlurmSite::counts_memory() const {
  if (const SlurmSetting* parameters = setting("selecttypeparameters"))
    return contains_ignoring_case(parameters->value.value, "memory");
  const SlurmSetting* type = setting("selecttype");
  if (type == nullptr) return std::nullopt;
  return contains_ignoring_case(type->value.value, "cons");
}

const SlurmSetting* last_setting(const std::vector<SlurmSetting>& settings, std::string_view lower_key) {
  const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                  [&](const SlurmSetting& setting) { return setting.lower_key == lower_key; });
  return found == settings.rend() ? nullptr : &*found;
}

const SlurmSetting* SlurmSite::setting(std::string_view lower_key) const { return last_setting(settings, lower_key); }

std::optional<bool> SlurmSite::has_gres_type(std::string_view gres) const {
  const SlurmSetting* types = setting("grestypes");
  if (types == nullptr) return complete ? std::optional(false) : std::nullopt;
  if (!types->value.is_set()) return std::nullopt;
  const std::vector<std::string_view> all = split(types->value.value, ',');
  return std::ranges::any_of(all, [&](std::string_view one) { return trim(one) == gres; });
}

const SbatchPair* option_in_force(const SbatchJob& job, std::string_view name) {
  const auto is_named = [&](const SbatchPair& pair) { return pair.name == name; };
  if (job.given_open || std::ranges::any_of(job.given, is_named)) return nullptr;
  const auto last = std::find_if(job.options.rbegin(), job.options.rend(), is_named);
  return last == job.options.rend() ? nullptr : &*last;
}

}  // namespace muster
