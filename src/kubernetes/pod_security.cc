#include "kubernetes/pod_security.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "syntax/placeholder.h"

namespace muster {
namespace {

using Reason = PodSecurityReason;

constexpr std::array<std::string_view, 2> kContainers{"initContainers", "containers"};
constexpr std::size_t kMostContainers = 200;

/// Source: pod-security-admission/policy/check_capabilities_baseline.go (1.36).
constexpr std::array<std::string_view, 13> kDefaultCapabilities{
    "AUDIT_WRITE",      "CHOWN",   "DAC_OVERRIDE", "FOWNER",  "FSETID", "KILL",      "MKNOD",
    "NET_BIND_SERVICE", "SETFCAP", "SETGID",       "SETPCAP", "SETUID", "SYS_CHROOT"};

/// Kinds of volumes that `restricted` leaves out, beside hostPath.
/// Source: pod-security-admission/policy/check_restrictedVolumes.go (1.36).
constexpr std::array<std::string_view, 12> kLeftOut{"awsElasticBlockStore",
                                                    "azureDisk",
                                                    "azureFile",
                                                    "cephfs",
                                                    "flexVolume",
                                                    "gcePersistentDisk",
                                                    "gitRepo",
                                                    "glusterfs",
                                                    "iscsi",
                                                    "nfs",
                                                    "rbd",
                                                    "vsphereVolume"};

bool is_open(const Node& node) { return node.is_scalar() && is_placeholder(node.text()); }
bool says(const Node& node, std::string_view text) { return node.is_scalar() && node.text() == text; }

class Judge {
 public:
  explicit Judge(const Node& spec) : spec_(spec), context_(spec["securityContext"]) {}

  PodSecurity run() {
    baseline();
    restricted();
    return out_;
  }

 private:
  void keep(Reason reason, const Node& at, bool is_baseline) {
    std::uint8_t& what = is_baseline ? out_.baseline : out_.restricted;
    if (what != 0) return;
    what = static_cast<std::uint8_t>(reason);
    (is_baseline ? out_.baseline_at : out_.restricted_at) = at.exists() ? at.where() : spec_.key_where();
  }

  template <class Each>
  void containers(Each each) const {
    for (const std::string_view list : kContainers) {
      const Node items = spec_[list];
      for (std::size_t i = 0; items.is_sequence() && i < std::min(items.size(), kMostContainers); ++i)
        each(items.item(i));
    }
  }

  void baseline() {
    for (const std::string_view field : {"hostNetwork", "hostPID", "hostIPC"}) {
      if (says(spec_[field], "true")) keep(Reason::HostNamespaces, spec_[field], true);
    }
    const Node volumes = spec_["volumes"];
    for (std::size_t i = 0; volumes.is_sequence() && i < volumes.size(); ++i) {
      const Node volume = volumes.item(i);
      if (volume["hostPath"].is_mapping()) keep(Reason::HostPath, volume["hostPath"], true);
      for (const std::string_view kind : kLeftOut) {
        if (volume[kind].is_mapping()) keep(Reason::VolumeTypes, volume[kind], false);
      }
    }
    containers([&](const Node& container) {
      const Node own = container["securityContext"];
      if (says(own["privileged"], "true")) keep(Reason::Privileged, own["privileged"], true);
      const Node add = own["capabilities"]["add"];
      for (std::size_t i = 0; add.is_sequence() && i < add.size(); ++i) {
        const std::string_view name = add.item(i).text();
        if (is_open(add.item(i)) || name.empty()) continue;
        if (std::ranges::find(kDefaultCapabilities, name) == kDefaultCapabilities.end())
          keep(Reason::Capabilities, add.item(i), true);
        if (name != "NET_BIND_SERVICE") keep(Reason::UnrestrictedCapabilities, add.item(i), false);
      }
      const Node ports = container["ports"];
      for (std::size_t i = 0; ports.is_sequence() && i < ports.size(); ++i) {
        const Node port = ports.item(i)["hostPort"];
        if (port.is_scalar() && !is_open(port) && !says(port, "0")) keep(Reason::HostPort, port, true);
      }
    });
  }

  void restricted() {
    if ((context_.exists() && !context_.is_mapping()) || says(spec_["os"]["name"], "windows")) return;
    if (context_["seccompProfile"].exists() && !context_["seccompProfile"].is_mapping()) return;
    const Node pod_root = context_["runAsNonRoot"];
    const Node pod_seccomp = context_["seccompProfile"]["type"];
    if (says(context_["runAsUser"], "0")) keep(Reason::RootUser, context_["runAsUser"], false);
    containers([&](const Node& container) {
      const Node own = container["securityContext"];
      // A mapping that a template makes, or that an anchor of another file holds.
      const auto open = [](const Node& node) { return node.exists() && !node.is_mapping(); };
      if (open(own) || open(own["capabilities"]) || open(own["seccompProfile"]) || !container.is_mapping()) return;
      const Node& at = own.exists() ? own : container["name"];
      if (!says(own["allowPrivilegeEscalation"], "false") && !is_open(own["allowPrivilegeEscalation"]))
        keep(Reason::Escalation, at, false);
      if (!drops_all(own["capabilities"]["drop"])) keep(Reason::UnrestrictedCapabilities, at, false);
      const Node root = own["runAsNonRoot"].exists() ? own["runAsNonRoot"] : pod_root;
      if (!says(root, "true") && !is_open(root)) keep(Reason::NonRoot, at, false);
      if (says(own["runAsUser"], "0")) keep(Reason::RootUser, own["runAsUser"], false);
      const Node seccomp = own["seccompProfile"]["type"].exists() ? own["seccompProfile"]["type"] : pod_seccomp;
      if (!says(seccomp, "RuntimeDefault") && !says(seccomp, "Localhost") && !is_open(seccomp))
        keep(Reason::Seccomp, at, false);
    });
  }

  static bool drops_all(const Node& drop) {
    for (std::size_t i = 0; drop.is_sequence() && i < drop.size(); ++i) {
      if (says(drop.item(i), "ALL") || is_open(drop.item(i))) return true;
    }
    return drop.exists() && !drop.is_sequence();
  }

  Node spec_;
  Node context_;
  PodSecurity out_;
};

}  // namespace

PodSecurity judge_pod_security(const Node& spec) { return Judge(spec).run(); }

}  // namespace muster
