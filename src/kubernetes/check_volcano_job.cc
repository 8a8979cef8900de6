#include "kubernetes/check_volcano_job.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostRead = 1000;  // of a list

/// The first of VC_WORKER_HOSTS, VC_WORKER_NUM and /etc/volcano in a text; empty: none. Source:
/// volcano-sh/volcano:pkg/controllers/job/plugins/svc/svc.go (1.15).
std::string_view asked_of_svc(std::string_view text) {
  if (contains(text, "/etc/volcano/")) return "/etc/volcano";
  for (std::size_t at = text.find("VC_"); at != text.npos; at = text.find("VC_", at + 1)) {
    const std::size_t end = std::min(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", at), text.size());
    const std::string_view name = text.substr(at, end - at);
    const bool set_here = text.substr(end).starts_with('=');
    if (!set_here && (name.ends_with("_HOSTS") || name.ends_with("_NUM"))) return name;
  }
  return {};
}

struct Asked {
  std::string_view name;
  Span where;
};

Asked asked_in(const Node& container) {
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostRead); ++i) {
      const std::string_view name = asked_of_svc(words.item(i).text());
      if (!name.empty()) return {name, words.item(i).where()};
    }
  }
  return {};
}

}  // namespace

void check_volcano_job(const Node& object, std::vector<Finding>& findings) {
  // Of frameworks bring svc along: of the shipped ones these two do not.
  const Node plugins = object["spec"]["plugins"];
  if (plugins.exists() && !plugins.is_null() && !plugins.is_mapping()) return;
  for (std::size_t i = 0; plugins.is_mapping() && i < plugins.size(); ++i) {
    if (plugins.key(i).text() != "env" && plugins.key(i).text() != "ssh") return;
  }
  const Node tasks = object["spec"]["tasks"];
  for (std::size_t t = 0; tasks.is_sequence() && t < std::min(tasks.size(), kMostRead); ++t) {
    const Node containers = tasks.item(t)["template"]["spec"]["containers"];
    for (std::size_t c = 0; containers.is_sequence() && c < std::min(containers.size(), kMostRead); ++c) {
      const Asked asked = asked_in(containers.item(c));
      if (asked.name.empty()) continue;
      findings.push_back(
          problem("volcano-hosts-without-svc", asked.where,
                  "`" + std::string(asked.name) + "` is there with the plugin `svc`, which the Job lacks"));
      return;
    }
  }
}

}  // namespace muster
