// TrainJobs that mean a runtime of their namespace, and name one of the cluster.
#include <map>
#include <set>
#include <string>

#include "base/strings.h"
#include "model/model.h"

namespace muster {

/// Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go (2.3), RuntimeRef: its kind without a word.
void relate_train_jobs(Model& model) {
  constexpr std::string_view kOfCluster = "ClusterTrainingRuntime";
  std::set<std::string_view> of_cluster;
  std::map<std::string_view, std::set<std::string_view>> spaces;  // of runtimes by name
  for (const Manifest& one : model.manifests) {
    if (one.def->collection != "training_runtimes" || !one.name.is_set()) continue;
    if (one.kind == kOfCluster) of_cluster.insert(one.name.value);
    if (one.kind != kOfCluster) spaces[one.name.value].insert(one.space);
  }
  if (spaces.empty()) return;
  for (Manifest& one : model.manifests) {
    if (one.def->collection != "train_jobs") continue;
    const WrittenValue& runtime = one.part("runtime");
    const WrittenValue* name = runtime.find("name");
    const WrittenValue* kind = runtime.find("kind");
    if (name == nullptr || !name->is_text() || (kind != nullptr && kind->text() != kOfCluster)) continue;
    const auto found = spaces.find(name->text());
    if (found == spaces.end() || of_cluster.contains(name->text())) continue;
    // What Trainer brings for the cluster. Source: kubeflow/trainer:manifests/base/runtimes (2.3).
    const bool shipped = contains(name->text(), "-distributed") || name->text().starts_with("torchtune-");
    if (shipped) continue;
    const bool here = one.space.empty() || found->second.contains("") || found->second.contains(one.space);
    if (here) one.remarks.own().dangling = set_to(name->text(), name->where, "name");
  }
}

}  // namespace muster
