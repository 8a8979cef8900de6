#pragma once

#include <map>
#include <string>
#include <vector>

#include "syntax/document.h"

namespace muster {

/// A taint of a node.
struct Taint {
  std::string key;
  std::string value;
  std::string effect;
};

/// What decides which pods a node takes.
struct NodeMarks {
  std::string name;
  std::map<std::string, std::string> labels;
  std::vector<Taint> taints;  ///< a cordoned node has one, too
  bool known = false;         ///< false: the node is not in the input, only its name
};

/// Which nodes a pod may use: node selector, required node affinity, tolerations. Affinity between pods, topology
/// spread, volumes and the rest are not looked at. Source:
/// kubernetes/kubernetes:pkg/scheduler/framework/plugins/{nodeaffinity, tainttoleration} and
/// staging/src/k8s.io/component-helpers/scheduling/corev1 (1.37).
struct NodeChoice {
  struct Expression {
    std::string key;
    std::string op;
    std::vector<std::string> values;
    bool field = false;  ///< metadata.name rather than a label
  };
  struct Toleration {
    std::string key;
    std::string op;
    std::string value;
    std::string effect;
  };
  std::vector<std::pair<std::string, std::string>> selector;
  std::vector<std::vector<Expression>> terms;  ///< one of them must hold
  bool has_terms = false;
  std::vector<Toleration> tolerations;

  /// Nodes that are not in the input are taken to have the labels that are asked for, and no taints.
  bool allows(const NodeMarks& node) const;
  /// Equal for equal choices.
  std::string key() const;
};

NodeChoice read_node_choice(const Node& pod_spec);
NodeMarks read_node_marks(const Node& node);

/// Calls `visit` with each item of a list; nothing else has any.
template <class Visit>
void each_item(const Node& list, Visit visit) {
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) visit(list.item(i));
}

}  // namespace muster
