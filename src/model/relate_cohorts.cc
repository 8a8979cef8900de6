#include <map>
#include <set>
#include <string>

#include "model/model.h"

namespace muster {
namespace {

/// All of the input: what another folder makes may be in the same cluster.
struct Cohorts {
  std::map<std::string_view, std::set<std::string_view>> queues;  ///< names of the ClusterQueues that are in each
  std::map<std::string_view, std::set<std::string_view>> beside;  ///< those of each bundle
  std::set<std::string_view> made;                                ///< Cohorts that the input has
  std::set<std::string_view> lend;                                ///< with a quota, or with a Cohort above or below
  bool open = false;                                              ///< somebody fills a cohort in

  bool lone(std::string_view cohort) const {
    const auto found = queues.find(cohort);
    return !open && !lend.contains(cohort) && found != queues.end() && found->second.size() == 1;
  }
};

Cohorts read_cohorts(const Model& model) {
  Cohorts out;
  for (const Queue& queue : model.queues) {
    if (queue.system != GangSystem::Kueue || queue.local) continue;
    out.open = out.open || queue.cohort.unknown() || !queue.name.is_set();
    out.beside[queue.bundle].insert(queue.name.value);
    if (queue.cohort.is_set()) out.queues[queue.cohort.value].insert(queue.name.value);
  }
  const ManifestDef* cohorts = &manifest_def("cohorts");
  for (const Manifest& one : model.manifests) {
    if (one.def != cohorts) continue;
    const WrittenValue& parent = one.part("parent");
    out.open = out.open || !one.name.is_set() || parent.state == State::Unknown;
    out.made.insert(one.name.value);
    const bool above = parent.is_text() && !parent.text().empty();
    if (above) out.lend.insert(parent.text());
    if (above || one.part("groups").state != State::Absent) out.lend.insert(one.name.value);
  }
  return out;
}

}  // namespace

void relate_cohorts(Model& model) {
  const Cohorts cohorts = read_cohorts(model);
  for (Queue& queue : model.queues) {
    const std::string& cohort = queue.cohort.value;
    if (!queue.cohort.is_set() || !cohorts.made.contains(cohort) || !cohorts.lone(cohort)) continue;
    queue.lone_in_cohort = assumed_to(
        true,
        "no ClusterQueue but `" + queue.name.value + "` is in cohort `" + cohort + "`, as in the files of the input",
        queue.cohort.where, "cohort");
  }
  const ManifestDef* written = &manifest_def("cluster_queues");
  for (Manifest& one : model.manifests) {
    if (one.def != written) continue;
    const WrittenValue& cohort = one.part("cohort");
    const auto beside = cohorts.beside.find(one.bundle);
    if (!cohort.is_text() || beside == cohorts.beside.end() || beside->second.size() < 2) continue;
    if (cohorts.lone(cohort.text()))
      one.remarks.own().lone_cohort = set_to(std::string(cohort.text()), cohort.where, "cohort");
  }
}

}  // namespace muster
