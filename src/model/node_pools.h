#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/cloud_pool.h"
#include "model/manifest.h"

namespace muster {

/// Whether a pool of nodes (a NodePool of Karpenter) is for accelerators by its taints: one has `gpu` in its key.
bool has_taint_for_gpus(const Manifest& pool);

/// Labels that machines have by themselves, whatever a pool says.
bool is_well_known_label(std::string_view key);

/// Whether pods of that file are of a template, which somebody fills in with values of his own.
bool is_of_template(std::string_view file);

/// Labels by which clouds and Karpenter name the pool of a node.
bool is_pool_name_label(std::string_view key);

/// Whether its containers ask for what a node with GPUs has, and for no accelerator of another make.
bool asks_for_gpus(const Manifest& pods);

/// What a selector asks for, one text for all that ask for the same.
std::string key_of_selector(const WrittenValue& selector);

enum class PoolFit { No, Maybe, Named };

struct NodePoolTaint {
  std::string_view key;
  std::string_view value;
  std::string_view effect;
  bool open = false;  ///< the value may be any
};

/// What a pool of nodes says of them, made once for all pods that are held against it: of a NodePool of Karpenter, or
/// of a pool that Terraform makes. Views of either.
class PoolNodes {
 public:
  explicit PoolNodes(const Manifest& pool);
  explicit PoolNodes(const CloudPool& pool);

  const Manifest* manifest() const { return manifest_; }
  const CloudPool* cloud() const { return cloud_; }
  std::string words() const;

  /// Whether a node of it may have the label. One of its own that no pool speaks of is on none of its nodes. Source:
  /// kubernetes-sigs/karpenter:pkg/scheduling/requirements.go, Compatible (1.6).
  bool may_have(std::string_view key, std::string_view value) const;
  /// Likewise, and whether a label of the pool's own or its name says so.
  PoolFit fit(std::string_view key, std::string_view value) const;
  /// Whether its nodes may have all that pods select, and whether the pool says so of one.
  PoolFit fit(const WrittenValue& selector) const;
  /// Whether they may have labels or values of labels that are written nowhere.
  bool open() const { return open_ || some_open_; }
  /// Labels of its own that are written out, and its name, with each value that they may have.
  std::vector<std::pair<std::string_view, std::string_view>> named_labels() const;

  const std::vector<NodePoolTaint>& taints() const { return taints_; }
  /// Whether it is for accelerators: by a taint with `gpu` in its key, or by its machines.
  bool for_gpus() const { return for_gpus_; }

 private:
  struct Label {
    std::string_view value;
    bool open = false;
  };
  const Manifest* manifest_ = nullptr;
  const CloudPool* cloud_ = nullptr;
  std::map<std::string_view, Label> labels_;
  std::map<std::string_view, std::vector<const WrittenValue*>> requirements_;
  std::vector<NodePoolTaint> taints_;
  bool open_ = false;       ///< whatever label
  bool some_open_ = false;  ///< whatever value of some label
  bool for_gpus_ = false;
};

/// A taint of the pool that keeps the pods away for good; nullptr: there is none, or nobody knows.
const NodePoolTaint* untolerated(const PoolNodes& pool, const Manifest& pods);

}  // namespace muster
