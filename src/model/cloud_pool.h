#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "source/span.h"

namespace muster {

struct CloudTaint {
  std::string key;
  std::optional<std::string> value;  ///< nothing: it is worked out
  std::string effect;                ///< as Kubernetes calls it: NoSchedule
};

/// Alike nodes of a cloud that Terraform makes: a node group of EKS, a node pool of GKE or AKS. What it works out, also
/// by variables, is not known.
struct CloudPool {
  std::string words;                                         ///< "node group `train`"
  std::map<std::string, std::optional<std::string>> labels;  ///< nothing: the value is worked out
  std::vector<CloudTaint> taints;
  bool open_labels = false;          ///< it may have more of them
  bool open_taints = false;          ///< likewise
  std::optional<std::int64_t> gpus;  ///< of a machine, as pods ask for them; nothing: nobody knows how many

  std::optional<std::int64_t> most_nodes;  ///< that it has or may grow to; nothing: nobody knows how many
  Span most_where;

  bool may_have_gpus() const { return !gpus || *gpus > 0; }
};

}  // namespace muster
