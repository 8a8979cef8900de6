#include "kubernetes/check_pod_volumes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// Adds the names that stand in a list; false when somebody fills one in.
bool add_names(const Node& list, bool in_metadata, std::set<std::string_view>& names) {
  if (list.exists() && !list.is_null() && !list.is_sequence()) return false;
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node name = in_metadata ? list.item(i)["metadata"]["name"] : list.item(i)["name"];
    if (is_unsaid(name)) return false;
    names.insert(name.text());
  }
  return true;
}

/// `image: "FILLED BY THE OPERATOR"`: no text but a program completes the pod, with volumes, too. Source:
/// NVIDIA/gpu-operator:assets/state-driver/0500_daemonset.yaml and controllers/object_controls.go (v26.3).
bool is_completed_by_program(const Node& pod) {
  const Node containers = pod["containers"];
  for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
    if (contains(trim(containers.item(c)["image"].text()), " ")) return true;
  }
  return false;
}

}  // namespace

void check_mounts(const Node& pod, const Node& claim_templates, std::string_view rule, std::vector<Finding>& findings) {
  if (is_completed_by_program(pod)) return;
  std::set<std::string_view> volumes;
  if (!add_names(pod["volumes"], false, volumes) || !add_names(claim_templates, true, volumes)) return;
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
      const Node mounts = containers.item(c)["volumeMounts"];
      for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
        const Node name = mounts.item(i)["name"];
        if (is_unsaid(name) || name.text().empty() || volumes.contains(name.text())) continue;
        findings.push_back(problem(rule, name.where(),
                                   "container " + in_ticks(containers.item(c)["name"].text()) + " mounts " +
                                       in_ticks(name.text()) + ", and the pod has no such volume"));
        findings.back().field = name.text();
        findings.back().about = About::Whole;
      }
    }
  }
}

void check_mount_paths(const Node& pod, std::vector<Finding>& findings) {
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
      const Node mounts = containers.item(c)["volumeMounts"];
      std::map<std::string_view, Node> paths;
      for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
        const Node path = mounts.item(i)["mountPath"];
        if (is_unsaid(path) || path.text().empty()) continue;
        const auto [before, fresh] = paths.try_emplace(path.text(), path);
        if (fresh) continue;
        findings.push_back(problem("volume-mount-path-twice", path.where(),
                                   "container " + in_ticks(containers.item(c)["name"].text()) +
                                       " mounts two volumes at " + in_ticks(path.text())));
        findings.back().field = path.text();
        findings.back().related.push_back({before->second.where(), "the other one"});
        findings.back().about = About::Whole;
      }
    }
  }
}

namespace {

/// What the kubelet and the kernel have at a place of one name. Sources: kubernetes/kubernetes:staging/src/k8s.io/
/// kubelet/pkg/apis/deviceplugin/v1beta1/constants.go, pkg/kubelet/config/defaults.go (1.36).
constexpr std::array<std::string_view, 7> kHostFolders{"/dev/hugepages",
                                                       "/dev/infiniband",
                                                       "/lib/modules",
                                                       "/var/lib/kubelet/device-plugins",
                                                       "/var/lib/kubelet/plugins",
                                                       "/var/lib/kubelet/pod-resources",
                                                       "/var/lib/kubelet/pods"};

std::string_view without_last_slash(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

/// The folder that a path of the host is a slip of; empty: none.
std::string_view meant_folder(std::string_view path) {
  const bool known = std::ranges::find(kHostFolders, path) != kHostFolders.end();
  // `/dev/hugepages1G`, `/lib64/modules`: of a size or a kind of machine.
  if (known || path.find_first_of("0123456789") != path.npos) return {};
  return slip_of(path, kHostFolders).value_or(std::string_view());
}

}  // namespace

void check_host_folders(const Node& pod, std::vector<Finding>& findings) {
  std::map<std::string_view, Node> paths;  // of volumes that are called nearly as one of those
  const Node volumes = pod["volumes"];
  for (std::size_t i = 0; volumes.is_sequence() && i < volumes.size(); ++i) {
    const Node path = volumes.item(i)["hostPath"]["path"];
    if (!path.is_scalar() || is_unsaid(path) || is_unsaid(volumes.item(i)["name"])) continue;
    if (!meant_folder(without_last_slash(path.text())).empty()) paths.emplace(volumes.item(i)["name"].text(), path);
  }
  if (paths.empty()) return;
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
      const Node mounts = containers.item(c)["volumeMounts"];
      for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
        const auto found = paths.find(mounts.item(i)["name"].text());
        if (found == paths.end()) continue;
        const Node path = found->second;
        const std::string_view at = without_last_slash(mounts.item(i)["mountPath"].text());
        if (at != meant_folder(without_last_slash(path.text()))) continue;
        paths.erase(found);
        findings.push_back(problem("host-folder-misspelt", path.where(),
                                   in_ticks(path.text()) + " of the host is mounted at " + in_ticks(at)));
        findings.back().field = "hostPath";
        findings.back().about = About::Whole;
      }
    }
  }
}

// Source: kubernetes/kubernetes:pkg/kubelet/kuberuntime/security_context.go, verifyRunAsNonRoot (1.36).
void check_root(const Node& pod, std::vector<Finding>& findings) {
  const Node of_pod = pod["securityContext"];
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
      const Node own = containers.item(c)["securityContext"];
      const Node never = own["runAsNonRoot"].exists() ? own["runAsNonRoot"] : of_pod["runAsNonRoot"];
      const Node user = own["runAsUser"].exists() ? own["runAsUser"] : of_pod["runAsUser"];
      if (!is_true(never) || user.text() != "0") continue;
      findings.push_back(problem("container-root-refused", user.where(),
                                 "container " + in_ticks(containers.item(c)["name"].text()) +
                                     " is to run as root, and runAsNonRoot forbids it"));
      findings.back().field = "runAsUser";
      findings.back().related.push_back({never.where(), "runAsNonRoot"});
      findings.back().about = About::Whole;
    }
  }
}

// It begins empty: where each mount of it is read-only, it stays so.
void check_empty_volumes(const Node& pod, std::vector<Finding>& findings) {
  std::map<std::string_view, Node> unwritten;  // where it is first mounted; no place yet: nowhere
  const Node volumes = pod["volumes"];
  for (std::size_t i = 0; volumes.is_sequence() && i < volumes.size(); ++i) {
    const Node name = volumes.item(i)["name"];
    if (volumes.item(i)["emptyDir"].exists() && !is_unsaid(name) && !name.text().empty())
      unwritten.emplace(name.text(), Node{});
  }
  if (unwritten.empty()) return;
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    if (containers.exists() && !containers.is_null() && !containers.is_sequence()) return;
    for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
      const Node mounts = containers.item(c)["volumeMounts"];
      if (!containers.item(c).is_mapping() || (mounts.exists() && !mounts.is_null() && !mounts.is_sequence())) return;
      for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i) {
        const Node mount = mounts.item(i);
        if (is_unsaid(mount["name"]) || !mount.is_mapping()) return;
        const auto found = unwritten.find(mount["name"].text());
        if (found == unwritten.end()) continue;
        if (!is_true(mount["readOnly"])) {
          unwritten.erase(found);
        } else if (!found->second.exists()) {
          found->second = mount["readOnly"];
        }
      }
    }
  }
  for (const auto& [name, mount] : unwritten) {
    if (!mount.exists()) continue;
    findings.push_back(problem("empty-volume-read-only", mount.where(),
                               "the emptyDir " + in_ticks(name) + " is mounted read-only wherever it is mounted"));
    findings.back().field = name;
    findings.back().about = About::Whole;
  }
}

}  // namespace muster
