#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "decide/decision.h"
#include "facts/site_facts.h"
#include "model/model.h"
#include "rulebook/rule_book.h"

namespace muster {

/// Pools whose facts tables cannot tell apart, and what a workload is asked with when it runs in them.
struct PoolGroup {
  std::vector<std::string> pools;
  Site site;
};

/// What each workload of a model is decided in: the planes that are there, what else its cluster carries, and the pools
/// that can hold it. Where --set gave one of these facts it stays as given.
class Circumstances {
 public:
  Circumstances(const Model& model, const RuleBook& book, const Site& site);

  /// What a workload is asked with; of pools what all of those that can hold it share.
  const Site& site_of(std::size_t workload) const { return places_[place_of_[workload]].site; }
  /// The pools that can hold it, each once. Empty without a fleet file that has some, or where there are too many.
  const std::vector<PoolGroup>& pools_of(std::size_t workload) const { return places_[place_of_[workload]].pools; }
  /// How many those are then.
  std::size_t pools_left_out(std::size_t workload) const { return places_[place_of_[workload]].left_out; }

  /// In place of what was gathered, the facts of workloads that settle it. What is unknown stays sorted.
  void name_sources(Choice& choice) const;

 private:
  friend class Gatherer;
  struct Place {
    Site site;
    std::vector<PoolGroup> pools;
    std::size_t left_out = 0;
  };
  std::vector<Place> places_;
  std::vector<std::size_t> place_of_;                     ///< by workload
  std::map<std::string, std::set<std::string>> sources_;  ///< of each gathered fact that is open
};

/// What a workload is decided in that is the only one of a fleet where nothing is there yet; what the site says stays.
Site alone(const Workload& workload, const Site& site);

}  // namespace muster
