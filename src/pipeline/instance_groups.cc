#include "pipeline/instance_groups.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"

namespace muster {
namespace {

constexpr std::string_view kInstanceGroup = "InstanceGroupName";

bool is_name_char(char c) { return is_word_char(c) || c == '-'; }

/// The name behind a key, `"key": "NAME"` or `key: NAME`, within the text; empty where it is not written out, nothing
/// where the word is no key.
std::optional<std::string_view> name_behind(std::string_view text, std::size_t end_of_key) {
  std::size_t at = text.find_first_not_of("\"' \t\\", end_of_key);
  if (at == text.npos || (text[at] != ':' && text[at] != '=') || text.substr(at, 2) == "==") return std::nullopt;
  at = text.find_first_not_of("\"' \t\\", at + 1);
  if (at == text.npos) return std::nullopt;
  std::size_t end = at;
  while (end < text.size() && is_name_char(text[end])) ++end;
  const bool whole = end == text.size() || std::string_view("\"' \t\r\n,\\}").find(text[end]) != std::string_view::npos;
  return whole ? text.substr(at, end - at) : std::string_view{};
}

/// Each name behind a key; whether all were written out.
bool collect_names(std::string_view text, std::string_view key, std::vector<std::string_view>& out) {
  bool all = true;
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + key.size())) {
    const std::size_t end = at + key.size();
    if (end < text.size() && is_name_char(text[end])) continue;
    // `WorkerInstanceGroupName`, a parameter of a template.
    if (at > 0 && is_name_char(text[at - 1])) {
      all = false;
      continue;
    }
    const std::optional<std::string_view> name = name_behind(text, end);
    if (!name) continue;
    all = all && !name->empty();
    if (!name->empty()) out.push_back(*name);
  }
  return all;
}

struct ClusterFile {
  std::size_t file = 0;
  std::vector<std::string_view> groups;
};

void look_at_groups(FileId file, std::string_view text, const Inputs& inputs, const std::vector<ClusterFile>& clusters,
                    const std::set<std::string_view>& known, std::vector<Finding>& findings) {
  std::vector<std::string_view> names;
  for (const char* key : {"\"controller_group\"", "\"login_group\"", "\"instance_group_name\""}) {
    if (!collect_names(text, key, names)) return;
  }
  const auto cluster = std::ranges::find_if(clusters, [&](const ClusterFile& one) {
    return std::ranges::any_of(
        names, [&](std::string_view name) { return std::ranges::find(one.groups, name) != one.groups.end(); });
  });
  if (cluster == clusters.end()) return;
  std::vector<std::string_view> logins;  // a cluster may have none: its script compares names and does nothing
  collect_names(text, "\"login_group\"", logins);
  for (const std::string_view name : names) {
    if (known.contains(name) || std::ranges::find(logins, name) != logins.end()) continue;
    findings.push_back(problem("hyperpod-group-unknown", span_of_part(file, text, name),
                               "no instance group of `" + inputs.files[cluster->file].context.path + "` is `" +
                                   std::string(name) + "`, others of this file are"));
  }
}

}  // namespace

void find_instance_groups(const Inputs& inputs, std::vector<Finding>& findings) {
  const auto text = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  const auto provisions = [&](std::size_t i) {
    return inputs.files[i].context.path.ends_with(".json") && contains(text(i), "\"workload_manager\"") &&
           contains(text(i), "\"controller_group\"");
  };
  bool some = false;
  for (std::size_t i = 0; !some && i < inputs.files.size(); ++i) some = provisions(i);
  if (!some) return;
  std::set<std::string_view> known;
  std::vector<ClusterFile> clusters;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    // Terraform and programs write it in small letters.
    if (!provisions(i) && contains(text(i), "instance_group_name")) return;
    if (!contains(text(i), kInstanceGroup)) continue;
    ClusterFile cluster{i, {}};
    const Language language = language_of(inputs.files[i].context.path);
    const bool program = language == Language::Prose || language == Language::Program;
    // A template or script that fills names in may make any.
    if (!collect_names(text(i), kInstanceGroup, cluster.groups) && !program) return;
    known.insert(cluster.groups.begin(), cluster.groups.end());
    if (!program && !cluster.groups.empty()) clusters.push_back(std::move(cluster));
  }
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (provisions(i)) look_at_groups(static_cast<FileId>(i), text(i), inputs, clusters, known, findings);
  }
}

}  // namespace muster
