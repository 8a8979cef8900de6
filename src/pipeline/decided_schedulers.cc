#include "pipeline/decided_schedulers.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace muster {
namespace {

/// The words of the table gang-scheduler that are not those of rules/schedulers.
std::string_view row_of_choice(std::string_view choice) {
  if (choice == "kueue-topology") return "kueue";
  if (choice == "native-podgroup") return "native";
  return choice;
}

/// One for each bundle whose workloads speak of one cluster.
class DecidedSchedulers {
 public:
  DecidedSchedulers(const Model& model, const std::vector<Decision>& decisions)
      : model_(model), decisions_(decisions) {}

  /// Its place is that of the first workload that needs it.
  const Located<std::string>& of(const std::string& bundle) {
    const auto [found, fresh] = of_.try_emplace(bundle);
    if (fresh) found->second = decide(bundle);
    return found->second;
  }

 private:
  static bool speaks_of(std::string_view owner, std::string_view bundle) { return owner.empty() || owner == bundle; }

  std::size_t clusters(std::string_view bundle) const {
    std::size_t out = 0;
    for (const Fleet& fleet : model_.fleets) {
      if (!speaks_of(fleet.bundle, bundle)) continue;
      out += static_cast<std::size_t>(std::ranges::count_if(fleet.control_planes, [](const FleetControlPlane& plane) {
        return plane.kind.value == "kubernetes" || plane.kind.value == "k3s";
      }));
    }
    return out;
  }

  Located<std::string> decide(std::string_view bundle) const {
    Located<std::string> out;
    if (clusters(bundle) > 1) return out;
    for (std::size_t i = 0; i < decisions_.size(); ++i) {
      const Workload& workload = model_.workloads[i];
      const Decision& decision = decisions_[i];
      const bool here = decision.runs_on.value == "kubernetes" || decision.runs_on.value == "k3s";
      const auto found = std::ranges::find(decision.choices, "gang-scheduler", &NamedChoice::id);
      if (!here || found == decision.choices.end() || !speaks_of(workload.bundle, bundle)) continue;
      const Choice& choice = found->choice;
      if (choice.value == "none") continue;
      if (!choice.value) return {};
      const std::string_view row = row_of_choice(*choice.value);
      if (out.is_set() && out.value != row) return {};
      if (!out.is_set()) out = set_to(std::string(row), workload.where);
    }
    return out;
  }

  const Model& model_;
  const std::vector<Decision>& decisions_;
  std::map<std::string, Located<std::string>, std::less<>> of_;
};

/// The scheduler that a release or a Deployment installs. Kueue is none: what it admits another binds.
Located<std::string> installed_by(const Manifest& one, const SchedulerBook& book) {
  if (one.def->collection == "helm_releases") {
    const WrittenValue& chart = one.part("chart");
    for (const Scheduler& row : book.schedulers) {
      if (!row.chart.empty() && chart.text() == row.chart) return set_to(row.id, chart.where, "chart");
    }
    return {};
  }
  for (const WrittenValue& container : one.part("containers").items()) {
    const WrittenValue* image = container.find("image");
    if (image == nullptr || !image->is_text()) continue;
    for (const Scheduler& row : book.schedulers) {
      if (row.is_image(image->text())) return set_to(row.id, image->where, "image");
    }
  }
  return {};
}

/// Run:ai brings KAI as its own.
bool brings(const SchedulerBook& book, std::string_view decided, std::string_view installed) {
  const Scheduler* row = book.find(decided);
  return decided == installed || (row != nullptr && row->like == installed);
}

}  // namespace

void relate_schedulers(Model& model, const std::vector<Decision>& decisions, const SchedulerBook& book) {
  if (decisions.empty()) return;
  DecidedSchedulers decided(model, decisions);
  for (Gang& gang : model.gangs) {
    if (gang.control_plane == ControlPlane::Kubernetes) gang.decided_scheduler = decided.of(gang.bundle);
  }
  for (Manifest& one : model.manifests) {
    const bool deploys = one.def->collection == "pod_makers" && (one.kind == "Deployment" || one.kind == "StatefulSet");
    if (!deploys && one.def->collection != "helm_releases") continue;
    const Located<std::string>& scheduler = decided.of(one.bundle);
    if (!scheduler.is_set()) continue;
    Located<std::string> installed = installed_by(one, book);
    if (!installed.is_set() || brings(book, scheduler.value, installed.value)) continue;
    one.remarks.own().decided_scheduler = scheduler;
    one.remarks.own().installs = std::move(installed);
  }
}

void drop_settled(const Model& model, std::vector<Finding>& findings) {
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.rule == "gang-schedulers-compete" && std::ranges::any_of(model.gangs, [&](const Gang& gang) {
             return gang.decided_scheduler.is_set() && finding.where.placed() &&
                    (gang.scheduler.where == finding.where || gang.where == finding.where);
           });
  });
}

}  // namespace muster
