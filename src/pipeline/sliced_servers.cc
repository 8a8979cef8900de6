#include "pipeline/sliced_servers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "kubernetes/check_sharing.h"

namespace muster {
namespace {

/// Source: vllm-project/vllm:vllm/config/cache.py, gpu_memory_utilization (0.11).
constexpr double kUsualShare = 0.9;

struct Server {
  const Container* container;
  double share;
  std::int64_t pods;
};

/// nullopt: it is filled in later.
std::optional<double> share_of(const Container& one) {
  const Rare<std::string>& written = one.remarks->memory_share;
  if (!written->is_set()) return kUsualShare;
  const std::string& text = written->value;
  double share = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), share);
  return error == std::errc{} && stop == text.data() + text.size() ? std::optional(share) : std::nullopt;
}

bool has_slice(const Container& one, const Model& model) {
  return one.remarks->server->value == "vllm" && model.sliced_accelerators.contains(one.accelerator.value) &&
         one.accelerators.known() && one.accelerators.value == 1;
}

using BySpace = std::map<std::pair<std::string_view, std::string_view>, std::vector<Server>>;  // bundle and resource

BySpace servers_of(const Model& model) {
  BySpace out;
  if (std::ranges::none_of(model.containers, [&](const Container& one) { return has_slice(one, model); })) return out;
  std::map<ObjectKey, std::int64_t> pods;
  for (const Gang& gang : model.gangs) pods[object_key(gang)] = gang.size.known() ? gang.size.value : 1;
  for (const Container& one : model.containers) {
    if (!has_slice(one, model)) continue;
    const auto found = pods.find(object_key(one));
    const std::int64_t count = found != pods.end() ? found->second : 1;
    const std::optional<double> share = share_of(one);
    if (share && count > 0) out[{one.bundle.view(), one.accelerator.value}].push_back({&one, *share, count});
  }
  return out;
}

/// The server with the largest share but one; nullptr: there is no other.
const Server* largest_but(const std::vector<Server>& servers, const Server* one) {
  const Server* largest = nullptr;
  for (const Server& other : servers) {
    if (&other != one && (largest == nullptr || other.share > largest->share)) largest = &other;
  }
  return largest;
}

void judge(const std::vector<Server>& servers, std::vector<Finding>& findings) {
  const Server* largest = largest_but(servers, nullptr);
  const Server* second = largest_but(servers, largest);
  for (const Server& one : servers) {
    const bool beside_itself = one.pods > 1 && 2 * one.share > 1;
    const Server* other = &one == largest ? second : largest;
    if (!beside_itself && (other == nullptr || one.share + other->share <= 1)) continue;
    const Rare<std::string>& share = one.container->remarks->memory_share;
    const bool written = share->is_set();
    const std::string much = written ? share->value : "0.9, as nothing else is written,";
    findings.push_back(problem("server-memory-of-sliced-device",
                               written ? share->where : one.container->remarks->server->where,
                               "vLLM in `" + one.container->name.value + "` plans for " + much +
                                   " of the memory of a GPU that several pods share by turns"));
    if (!beside_itself)
      findings.back().related.push_back({other->container->remarks->server->where, "another of them"});
  }
}

/// How many letters of their paths all files have in common, whole folders.
std::size_t common_of(const Inputs& inputs) {
  std::string_view common;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const std::string_view folder = path.substr(0, path.rfind('/') + 1);  // npos + 1 is 0
    if (i == 0) common = folder;
    const auto differ = std::ranges::mismatch(common, folder);
    common = common.substr(0, static_cast<std::size_t>(differ.in1 - common.begin()));
    common = common.substr(0, common.rfind('/') + 1);
  }
  return common.size();
}

/// Whether what lies in a folder of that name is by itself: an exercise, a demonstration.
bool is_of_its_own(std::string_view folder) {
  constexpr std::array<std::string_view, 12> kWords{"exercise", "module",  "mod-", "lab",    "week",    "chapter",
                                                    "lesson",   "example", "demo", "sample", "pattern", "solution"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains_ignoring_case(folder, word); });
}

/// The folder of a path that stands for a cluster: the innermost that is by itself, else the first behind what all
/// paths have. Empty: it is of all.
std::string_view cluster_of(std::string_view path, std::size_t common) {
  const std::string_view rest = path.substr(std::min(common, path.size()));
  const std::size_t slash = rest.find('/');
  if (slash == rest.npos) return {};
  for (std::size_t end = rest.rfind('/'); end != rest.npos; end = end == 0 ? rest.npos : rest.rfind('/', end - 1)) {
    const std::size_t begin = end == 0 ? 0 : rest.rfind('/', end - 1) + 1;  // npos + 1 is 0
    if (is_of_its_own(rest.substr(begin, end - begin))) return rest.substr(0, end);
  }
  return rest.substr(0, slash);
}

}  // namespace

void find_servers_on_slices(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  if (model.sliced_accelerators.empty()) return;
  BySpace servers = servers_of(model);
  if (servers.empty()) return;
  const std::size_t common = common_of(inputs);
  std::map<std::string, std::set<std::string_view>, std::less<>> sliced;  // resources, and of which clusters
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const SourceFile& file = inputs.sources.file(static_cast<FileId>(i));
    for (const std::string& one : time_sliced_accelerators(file.text()))
      sliced[one].insert(cluster_of(inputs.files[i].context.path, common));
  }
  for (auto& [place, some] : servers) {
    const auto found = sliced.find(place.second);
    if (found == sliced.end()) continue;
    std::erase_if(some, [&](const Server& one) {
      const std::string_view cluster = cluster_of(one.container->file, common);
      return !cluster.empty() && !found->second.contains("") && !found->second.contains(cluster);
    });
    judge(some, findings);
  }
}

}  // namespace muster
