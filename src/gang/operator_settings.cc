#include "gang/operator_settings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/check.h"
#include "base/strings.h"
#include "base/version.h"
#include "gang/membership.h"
#include "gang/scheduler.h"
#include "model/model.h"

namespace muster {
namespace {

/// What counts of the settings of one name: the strongest, unless two as strong as each other differ.
struct Said {
  const OperatorSetting* setting = nullptr;
  bool contradicted = false;

  void hear(const OperatorSetting& other, bool doubtful = false) {
    if (setting == nullptr || setting->said_by < other.said_by) {
      *this = {&other, doubtful};
    } else if (setting->said_by == other.said_by) {
      contradicted = contradicted || doubtful || setting->value.value != other.value.value;
    }
  }
};

class SettingsApplier {
 public:
  SettingsApplier(Model& model, const std::vector<OperatorSetting>& stated, const SchedulerBook& book)
      : model_(model), book_(book) {
    for (const OperatorSetting& setting : stated)
      settings_[{setting.name, setting.bundle}].hear(setting, setting.value.unknown());
    for (const OperatorSetting& setting : model.operator_settings) {
      settings_[{setting.name, setting.bundle}].hear(setting, setting.value.unknown());
      if (setting.value.known()) by_value_.try_emplace({setting.name, setting.value.value}, &setting);
    }
  }

  void run() {
    for (Gang& gang : model_.gangs) {
      apply_operator_setting(gang);
      apply_list_of_kinds(gang);
      apply_queue_key(gang);
    }
  }

 private:
  /// What the operator of a gang does with it: as somebody says, else as the operator is shipped.
  void apply_operator_setting(Gang& gang) const {
    if (gang.operator_id.empty()) return;
    const Operator* which = book_.find_operator(gang.operator_id);
    const OperatorOption* option = which == nullptr ? nullptr : which->find(gang.operator_option);
    MUSTER_CHECK(option != nullptr,
                 "a kind names a setting that no operator has: " + gang.operator_id + " " + gang.operator_option);
    const std::string name = setting_name(gang.operator_id, gang.operator_option);
    const Said said = find_setting(name, gang);
    if (gang.operator_once_stated) {
      if (said.setting != nullptr && !said.contradicted)
        turn_on(gang, value_of(*option, gang, said.setting->value.value));
      return;
    }
    if (said.setting != nullptr && !said.contradicted) {
      gang.remarks.own().operator_value = said.setting->value;
      return settle_operator(gang, name, value_of(*option, gang, said.setting->value.value), {});
    }
    const OperatorSetting* elsewhere = said.setting == nullptr ? find_elsewhere(name, *option) : nullptr;
    if (said.setting == nullptr && elsewhere == nullptr && option->fallback)
      return settle_operator(gang, name, *option->fallback, assumption_of(*which, *option));
    const std::string words = said.contradicted      ? "which value of `" + name + "` counts"
                              : elsewhere != nullptr ? "whether `" + name + "` of " + elsewhere->file + " counts here"
                                                     : option->words + " (`" + name + "`)";
    leave_open(gang, name, words);
  }

  /// A switch says `true` and means a scheduler, always the same or the one that the gang names.
  static std::string value_of(const OperatorOption& option, const Gang& gang, const std::string& value) {
    const std::string& means = option.means.empty() ? gang.remarks->operator_means->value : option.means;
    return value == "true" && !means.empty() ? means : value;
  }

  /// What goes one by one unless somebody states that a scheduler takes it together.
  void turn_on(Gang& gang, const std::string& value) const {
    const Scheduler* row = book_.for_word(value);
    if (row == nullptr || row->path == Path::Out || !gang.path.known() || gang.path.value != Path::Out) return;
    gang.path = defaulted_to(Path::In, gang.path.where, gang.path.field);
    gang.scheduler = defaulted_to(row->id, gang.scheduler.where, gang.scheduler.field);
    gang.mechanism = defaulted_to(row->mechanism, gang.mechanism.where, gang.mechanism.field);
    gang.guaranteed = gang.remarks->operator_guaranteed;
  }

  static void leave_open(Gang& gang, const std::string& name, const std::string& words) {
    for (Origin* open : {static_cast<Origin*>(&gang.path), static_cast<Origin*>(&gang.scheduler),
                         static_cast<Origin*>(&gang.mechanism), static_cast<Origin*>(&gang.guaranteed)}) {
      if (open->state == State::Unknown && open->needs() == name) open->set_needs(words);
    }
  }

  /// A setting of another bundle that is not as shipped: the same operator may run both.
  const OperatorSetting* find_elsewhere(const std::string& name, const OperatorOption& option) const {
    for (auto at = by_value_.lower_bound({name, ""}); at != by_value_.end() && at->first.first == name; ++at) {
      if (at->first.second != option.fallback.value_or("")) return at->second;
    }
    return nullptr;
  }

  /// What a scheduler manages that leaves alone all kinds but those of a list: the pods of others go one by one.
  void apply_list_of_kinds(Gang& gang) const {
    const Scheduler* row = gang.scheduler.known() ? book_.find(gang.scheduler.value) : nullptr;
    if (gang.framework.empty() || row == nullptr || !row->manages) return;
    gang.kinds_setting = setting_name(row->manages->of, row->manages->setting);
    const Said said = find_setting(gang.kinds_setting, gang);
    // In doubt whoever names a queue has turned its kind on.
    if (said.setting == nullptr || said.contradicted) return;
    const std::vector<std::string_view> managed = split(said.setting->value.value, ',');
    const auto manages = [&](std::string_view framework) {
      return std::ranges::find(managed, framework) != managed.end();
    };
    // KubeRay copies the labels of these onto the RayCluster that it makes; of a TrainJob a JobSet may have them.
    const bool of_ray = gang.framework == "ray.io/rayjob" || gang.framework == "ray.io/rayservice";
    const bool of_set = gang.framework == "trainer.kubeflow.org/trainjob";
    if (!manages(gang.framework) &&
        ((of_ray && manages("ray.io/raycluster")) || (of_set && manages("jobset.x-k8s.io/jobset"))))
      return;
    Origin& path = gang.path;
    if (manages(gang.framework)) {
      gang.path = defaulted_to(gang.path.value, path.where, path.field);
    } else if (manages(row->manages->pods)) {
      const std::string needs =
          "whether " + row->shown + " manages the pods of `" + gang.name.value + "` by themselves";
      gang.path = unknown_until<Path>(needs, path.where, path.field);
      gang.mechanism = unknown_until<Mechanism>(needs, path.where, path.field);
      gang.guaranteed = unknown_until<std::int64_t>(needs, path.where);
      const bool on_pods = std::ranges::any_of(gang.roles, [&](const Role& role) {
        return row->admits && role.labels.find(row->admits->key) != role.labels.end();
      });
      if (!on_pods) gang.remarks.own().kinds_managed = said.setting->value;
    } else {
      gang.remarks.own().kinds_managed = said.setting->value;
      gang.path = defaulted_to(Path::Out, path.where, path.field);
      gang.scheduler = defaulted_to<std::string>("default", path.where, path.field);
      gang.mechanism = defaulted_to(Mechanism::PerPod, path.where, path.field);
      gang.guaranteed = defaulted_to<std::int64_t>(1, path.where, path.field);
    }
  }

  /// A key that is read no more, unless somebody says so or installs a release that does.
  void apply_queue_key(Gang& gang) const {
    const Scheduler* row = gang.scheduler.known() ? book_.find(gang.scheduler.value) : nullptr;
    if (row == nullptr || row->queue_key.empty() || !gang.queue.is_set()) return;
    const Mark* mark = mark_of_old(*row, FieldName(gang.queue.field).view());
    if (mark == nullptr) return;
    const Said said = find_setting(setting_name(row->queue_key.of, row->queue_key.setting), gang);
    const bool read = said.setting != nullptr ? said.contradicted || said.setting->value.value == mark->key
                                              : installs_before(row->chart, mark->until, gang);
    if (read) return;
    gang.remarks.own().queue_unread = std::move(gang.queue);
    gang.queue = {};
  }

  /// Whether the bundle installs an older release of a chart.
  bool installs_before(const std::string& chart, const std::string& release, const Gang& gang) const {
    const ManifestDef* releases = &manifest_def("helm_releases");
    const std::optional<Version> first = Version::parse(release);
    return std::ranges::any_of(model_.manifests, [&](const Manifest& one) {
      if (one.def != releases || one.bundle != gang.bundle || one.part("chart").text() != chart) return false;
      const std::optional<Version> installed = Version::parse(one.part("version").text());
      return installed && first && *installed < *first;
    });
  }

  Said find_setting(const std::string& name, const Gang& gang) const {
    Said out;
    for (const std::string& bundle : std::set<std::string>{gang.bundle, ""}) {
      const auto found = settings_.find({name, bundle});
      if (found != settings_.end()) out.hear(*found->second.setting, found->second.contradicted);
    }
    return out;
  }

  /// With an assumption the values are assumed, else they follow from what is written.
  void settle_operator(Gang& gang, const std::string& name, const std::string& value,
                       const std::string& assumption) const {
    const auto settle_to = [&](auto& field, auto to) {
      if (!field.unknown() || field.needs() != name) return;
      // The place stays the one in the workload, where a schedulerName would stand.
      field = assumption.empty() ? defaulted_to(std::move(to), field.where, field.field)
                                 : assumed_to(std::move(to), assumption, field.where, field.field);
    };
    const Scheduler* named = book_.for_word(value);
    const bool on = !value.empty() && value != "false" && (named == nullptr || named->path != Path::Out);
    if (on && named == nullptr) return leave_open(gang, name, "what scheduler `" + value + "` does with gangs");
    const Scheduler* row = on ? named : book_.find("default");
    if (!on && gang.remarks->operator_means->known() && assumption.empty()) return switch_off(gang, *row);
    settle_to(gang.path, on ? Path::In : Path::Out);
    settle_to(gang.scheduler, row->id);
    settle_to(gang.mechanism, row->mechanism);
    if (on && gang.guaranteed.unknown() && gang.guaranteed.needs() == name) {
      gang.guaranteed = gang.remarks->operator_guaranteed;
    } else {
      settle_to(gang.guaranteed, std::int64_t{1});
    }
  }

  /// What the workload asks its operator for, and the operator does not do.
  static void switch_off(Gang& gang, const Scheduler& row) {
    gang.path = defaulted_to(Path::Out, gang.path.where, gang.path.field);
    gang.scheduler = defaulted_to(row.id, gang.scheduler.where, gang.scheduler.field);
    gang.mechanism = defaulted_to(row.mechanism, gang.mechanism.where, gang.mechanism.field);
    gang.guaranteed = defaulted_to<std::int64_t>(1, gang.where, gang.guaranteed.field);
  }

  Model& model_;
  const SchedulerBook& book_;
  std::map<std::pair<std::string, std::string>, Said> settings_;                    ///< by name and bundle
  std::map<std::pair<std::string, std::string>, const OperatorSetting*> by_value_;  ///< by name and value, one each
};

}  // namespace

void apply_operator_settings(Model& model, const std::vector<OperatorSetting>& stated, const SchedulerBook& book) {
  SettingsApplier(model, stated, book).run();
}

}  // namespace muster
