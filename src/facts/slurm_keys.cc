#include "facts/slurm_keys.h"

#include "base/strings.h"

namespace muster {

void SlurmKeyTable::add(const std::string& scope, SlurmKey key) {
  std::string lower = to_lower(key.name);
  scopes_[scope].insert_or_assign(std::move(lower), std::move(key));
}

const SlurmKey* SlurmKeyTable::find(std::string_view scope, std::string_view lower_key) const {
  const auto keys = scopes_.find(scope);
  if (keys == scopes_.end()) return nullptr;
  const auto found = keys->second.find(lower_key);
  return found == keys->second.end() ? nullptr : &found->second;
}

SlurmKeyState SlurmKeyTable::state(std::string_view scope, std::string_view lower_key, const Version& release) const {
  const SlurmKey* key = find(scope, lower_key);
  if (key == nullptr) return SlurmKeyState::Unknown;
  if (key->since && release < *key->since) return SlurmKeyState::Later;
  if (key->until && release >= *key->until) return SlurmKeyState::Removed;
  const bool refused = !key->refused.empty() && (!key->refused_since || release >= *key->refused_since);
  if (refused) return SlurmKeyState::Refused;
  if (key->defunct && release >= *key->defunct) return SlurmKeyState::Defunct;
  return SlurmKeyState::Known;
}

std::string SlurmKeyTable::hint(std::string_view scope, std::string_view key) const {
  const std::string lower = to_lower(key);
  if (const SlurmKey* known = find(scope, lower)) {
    if (!known->refused.empty())
      return (known->refused_since ? "since Slurm " + std::string(known->refused_since->text()) + " " : "") +
             known->refused;
    if (known->since) return "Slurm knows it since " + std::string(known->since->text());
    if (known->until) return "Slurm " + std::string(known->until->text()) + " removed it";
    return {};
  }
  const SlurmKey* own_line = scope == "slurm.conf" ? nullptr : find("slurm.conf", lower);
  if (own_line != nullptr)
    return own_line->type == SlurmKey::Type::Record ? "it begins a line of its own"
                                                    : "it belongs on a line of its own in slurm.conf";
  for (const auto& [other, keys] : scopes_) {
    const auto found = keys.find(lower);
    if (found == keys.end() || other == scope) continue;
    const bool record = !contains(other, ".conf");
    if (found->second.defunct)
      return "it was for `" + other + "`, where it has no effect since Slurm " +
             std::string(found->second.defunct->text());
    return "it belongs " + std::string(record ? "on a line of `" : "into `") + other + "`";
  }
  const auto keys = scopes_.find(scope);
  std::vector<std::string_view> names;
  if (keys != scopes_.end()) {
    for (const auto& [name, row] : keys->second) names.push_back(row.name);
  }
  std::string meant = did_you_mean(key, names);
  const std::size_t begin = meant.find("did");
  return begin == meant.npos ? std::string{} : meant.substr(begin);
}

std::string_view SlurmKeyTable::meant(std::string_view scope, std::string_view key, const Version& release) const {
  // What another file or line has is no slip.
  if (!hint(scope, key).starts_with("did")) return {};
  std::vector<std::string_view> names;
  for (const auto& [lower, row] : *keys(scope)) {
    const bool renamed = row.renamed && release >= *row.renamed;
    if (!renamed && state(scope, lower, release) == SlurmKeyState::Known) names.push_back(row.name);
  }
  return slip_of(key, names).value_or(std::string_view());
}

std::optional<std::string> SlurmKeyTable::default_of(std::string_view scope, std::string_view lower_key,
                                                     const Version& release) const {
  const SlurmKey* key = find(scope, lower_key);
  if (key == nullptr) return std::nullopt;
  std::optional<std::string> out;
  for (const auto& [since, value] : key->defaults) {
    if (release >= since) out = value;
  }
  return out;
}

}  // namespace muster
