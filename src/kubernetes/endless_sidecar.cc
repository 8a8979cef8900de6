#include "kubernetes/endless_sidecar.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kubernetes/container_script.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostSidecarWords = 1000;

/// Source: https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx, whose own Job puts it
/// into the background and waits for a file.
bool is_receive_daemon(std::string_view script) {
  constexpr std::array<std::string_view, 4> kEnded{"workload_terminated", "kill", "timeout", "trap"};
  if (!contains(script, "entrypoint_rxdm_container.sh")) return false;
  std::size_t ands = 0;
  for (std::size_t at = script.find("&&"); at != script.npos; at = script.find("&&", at + 2)) ands += 2;
  return ands == static_cast<std::size_t>(std::ranges::count(script, '&')) &&
         std::ranges::none_of(kEnded, [&](std::string_view word) { return contains(script, word); });
}

bool never_ends_itself(const Node& container) {
  std::string script;
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMostSidecarWords); ++i)
      script.append(words.item(i).text()) += ' ';
  }
  if (is_receive_daemon(script)) return true;
  const bool forever =
      contains(script, "sleep infinity") || contains(script, "sleep inf ") || contains(script, "tail -f /dev/null");
  return forever && only_waits(trim(script));
}

bool wants_devices(const Node& container) {
  for (const std::string_view list : {"limits", "requests"}) {
    const Node amounts = container["resources"][list];
    for (std::size_t i = 0; amounts.is_mapping() && i < amounts.size(); ++i) {
      if (contains(amounts.key(i).text(), "/")) return true;
    }
  }
  return container["resources"]["claims"].size() > 0;
}

}  // namespace

Node endless_sidecar(const Node& pod) {
  const Node containers = pod["containers"];
  if (!containers.is_sequence() || is_true(pod["shareProcessNamespace"]) || pod["activeDeadlineSeconds"].exists())
    return {};
  for (std::size_t i = 0; i < std::min(containers.size(), kMostSidecarWords); ++i) {
    const Node one = containers.item(i);
    if (one["name"].is_scalar() && !wants_devices(one) && never_ends_itself(one)) return one["name"];
  }
  return {};
}

}  // namespace muster
