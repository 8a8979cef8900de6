#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace muster {

/// What other objects of the input do to the pods of a gang before anybody places them: quotas and limits of their
/// namespace, claims, RuntimeClasses, the order in which they come into being.
class KeptOut {
 public:
  /// So many instances of each gang are in flight.
  KeptOut(const Model& model, std::int64_t concurrent);

  /// What may keep pods of the gang from being made, or lead them elsewhere, in words for WorldGang::beyond.
  std::vector<std::string> words_for(std::size_t gang) const;

 private:
  using Space = std::pair<std::string, std::string>;  // bundle and namespace
  /// What all gangs of a namespace ask for.
  struct Total {
    std::int64_t pods = 0;
    std::int64_t milli_cpus = 0;
    std::int64_t memory = 0;                      ///< bytes
    std::map<std::string, std::int64_t> devices;  ///< by resource
  };
  void add_gang(const Gang& gang, std::int64_t concurrent);
  void add_pods(const Manifest& pods);
  bool wants_more_than_it_takes(const Gang& gang) const;
  void ask_queue(const Gang& gang, std::vector<std::string>& out) const;
  bool is_short(const Gang& gang, std::string_view hard, const WrittenValue& amount) const;

  const Model& model_;
  const ManifestDef* pods_ = &manifest_def("pods");
  const ManifestDef* makers_ = &manifest_def("pod_makers");
  std::map<Space, Total> totals_;
  std::map<Space, std::vector<const Manifest*>> quotas_;
  std::map<Space, std::vector<const Manifest*>> ranges_;
  std::map<Space, const Manifest*> groups_;          ///< PodGroups, by bundle and id
  std::map<Space, const Manifest*> runtimes_;        ///< by bundle and name, as all that follow
  std::map<Space, const Manifest*> cluster_queues_;  ///< of Kueue
  std::set<Space> tainted_;                          ///< ResourceFlavors
  std::vector<std::vector<std::string>> of_pods_;    ///< by gang: what its pod templates name
};

}  // namespace muster
