#include "inventory/drained_nodes.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/natural_order.h"
#include "base/strings.h"
#include "inventory/merge_nodes.h"

namespace muster {
namespace {

/// One plane's view of its nodes, by each name that the other may know. Where two of its dumps differ, nothing is said.
using Services = std::map<std::string, NodeService>;

void take_service(const std::string& name, const NodeService& service, Services& out) {
  const auto [found, added] = out.try_emplace(name, service);
  if (!added && found->second.now != service.now) found->second.now = Service::Unsaid;
}

Services services_of(const std::vector<Dump>& dumps, Scope scope) {
  Services out;
  for (const Dump& dump : dumps) {
    if (dump.scope != scope) continue;
    for (const NodeRecord& record : dump.nodes) {
      if (record.service.says.empty()) continue;
      for (const std::string& name : record.service.hosts.empty() ? record.names : record.service.hosts)
        take_service(name, record.service, out);
    }
  }
  return out;
}

/// Nodes that are out of service on the first side and in on the other.
void report_drains(const Services& off, const Services& on, std::string_view off_plane, std::string_view on_plane,
                   std::vector<Finding>& findings) {
  std::vector<std::string> names;
  for (const auto& [name, service] : off) {
    const auto other = on.find(name);
    if (service.now == Service::Off && other != on.end() && other->second.now == Service::On) names.push_back(name);
  }
  if (names.empty()) return;
  std::ranges::sort(names, naturally_before);
  const NodeService& first = off.at(names.front());
  const NodeService& other = on.at(names.front());
  std::string shown = show_nodes(names);
  const bool one = names.size() == 1;
  Finding finding =
      problem("inventory-drain-one-sided", first.where,
              shown + (one ? " is" : " are") + " out of service in " + std::string(off_plane) + " and not in " +
                  std::string(on_plane) + ": " + (one ? "" : "`" + names.front() + "` is ") + first.says);
  finding.related.push_back({other.where, std::string(on_plane) + " still gives it work: " + other.says});
  finding.object = std::move(shown);
  findings.push_back(std::move(finding));
}

bool is_word(std::string_view word, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view one) { return equals_ignoring_case(word, one); });
}

}  // namespace

void report_one_sided_drains(const std::vector<Dump>& dumps, std::vector<Finding>& findings) {
  const Services slurm = services_of(dumps, Scope::Slurm);
  const Services kubernetes = services_of(dumps, Scope::Kubernetes);
  report_drains(slurm, kubernetes, "Slurm", "Kubernetes", findings);
  report_drains(kubernetes, slurm, "Kubernetes", "Slurm", findings);
}

Service slurm_service(std::string_view state) {
  constexpr std::array<std::string_view, 7> kOff{"down", "drain", "drained", "draining", "error", "fail", "failing"};
  constexpr std::array<std::string_view, 5> kOn{"allocated", "completing", "idle", "mixed", "cloud"};
  bool off = false;
  bool on = false;
  for (std::string_view word : split(state, '+')) {
    // Signs behind a state: it does not answer, is powered down or up, serviced, rebooted. A drain stays one.
    const std::size_t end = word.find_last_not_of("*~#%$@^!-");
    const bool sign = end + 1 < word.size();
    word = word.substr(0, end + 1);
    if (sign && word.find_first_of("*") == word.npos && !is_word(word, kOff)) return Service::Unsaid;
    off = off || is_word(word, kOff);
    on = on || is_word(word, kOn);
    if (!is_word(word, kOff) && !is_word(word, kOn) && !starts_with_ignoring_case(word, "not_respond") &&
        !equals_ignoring_case(word, "dynamic_norm"))
      return Service::Unsaid;
    if (starts_with_ignoring_case(word, "not_respond")) on = false;
  }
  return off ? Service::Off : on ? Service::On : Service::Unsaid;
}

std::string host_in_comment(std::string_view comment) {
  constexpr std::string_view kMark = "\"node\":\"";
  const std::size_t at = comment.find(kMark);
  if (!contains(comment, "\"podName\"") || at == comment.npos) return "";
  const std::string_view rest = comment.substr(at + kMark.size());
  const std::string host(rest.substr(0, rest.find('"')));
  return is_node_name(host) ? host : "";
}

}  // namespace muster
