#include "gang/scheduling.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/claims.h"
#include "gang/device_shares.h"
#include "gang/judge_coupling.h"
#include "gang/manifest.h"
#include "gang/membership.h"
#include "gang/pod_template.h"
#include "gang/task_groups.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

class Resolver {
 public:
  Resolver(PodWorkload& workload, const SchedulerBook& book, std::vector<Finding>& findings)
      : work_(workload), gang_(workload.gang), book_(book), findings_(findings) {}

  void run() {
    read_memberships();
    gang_.requested = work_.requested;
    find_admitter();
    find_path();
    ask_for_own_place();
    judge_coupling(work_, read_shares(gang_, work_.templates, book_, findings_));
    note_for_others();
    gang_.evidence.push_back("schedulerName");
    find_queue();
    find_topology();
    find_priority();
  }

 private:
  Node template_metadata(std::size_t role) const { return work_.templates[role].metadata; }

  /// K is `value` because nobody said otherwise; the place is the gang's own.
  Located<std::int64_t> by_default(std::int64_t value, FieldName field = {}) const {
    return defaulted_to(value, gang_.where, field);
  }

  /// The word at a mark of the object, or of the first template that has it.
  Located<std::string> read_word(const Mark& mark) {
    if (mark.on == Mark::On::Object) return read_on_object(mark);
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      Located<std::string> word = read_at(mark, work_.templates[i]);
      if (word.state != State::Absent) return word;
    }
    return {};
  }

  Located<std::string> read_on_object(const Mark& mark) {
    // A Job without labels takes over those of its template. Source:
    // kubernetes/kubernetes:pkg/apis/batch/v1/defaults.go (1.37).
    const bool inherits =
        work_.labels_from_template && work_.metadata["labels"].size() == 0 && work_.templates.size() == 1;
    const auto read = [&](const Node& metadata) {
      return mark.in == Mark::In::Label ? read_label(metadata, FieldName(mark.key), findings_)
                                        : read_annotation(metadata, FieldName(mark.key), findings_);
    };
    Located<std::string> own = read(mark.in == Mark::In::Label && inherits ? template_metadata(0) : work_.metadata);
    if (own.state != State::Absent || !work_.outer_metadata.exists()) return own;
    return read(work_.outer_metadata);
  }

  Located<std::string> read_at(const Mark& mark, const PodTemplate& pod_template) {
    return read_at(mark, mark.in, pod_template);
  }

  /// The same key, as if it were a mark of another sort. What is read keeps the key's address: it has to be the book's
  /// own.
  Located<std::string> read_at(const Mark& mark, Mark::In in, const PodTemplate& pod_template) {
    const Node& metadata = pod_template.metadata;
    switch (in) {
      case Mark::In::Label: return read_label(metadata, FieldName(mark.key), findings_);
      case Mark::In::Annotation: return read_annotation(metadata, FieldName(mark.key), findings_);
      case Mark::In::Field: break;
    }
    const Node node = node_at(mark, in, pod_template);
    return node.exists() ? read_text(node, FieldName(mark.key), findings_) : Located<std::string>{};
  }

  // --- who the pods say they belong to ---

  void read_memberships() {
    const Node* owner = gang_.kind == "Pod" ? nullptr : &work_.metadata;
    for (const PodTemplate& pod_template : work_.templates) {
      if (const std::optional<FoundMembership> found = find_membership(pod_template, book_, owner)) {
        if (gang_.pod_group->state == State::Absent) belong(*found, pod_template);
      } else {
        for (const Scheduler& row : book_.schedulers) {
          for (const MembershipMark& mark : row.membership) find_stray(mark, pod_template);
        }
      }
    }
    // The right key somewhere makes the wrong one harmless decoration.
    if (gang_.pod_group->state != State::Absent && gang_.remarks->stray_membership.is_set())
      gang_.remarks.own().stray_membership = {};
  }

  void find_stray(const MembershipMark& mark, const PodTemplate& pod_template) {
    if (mark.in == Mark::In::Field || mark.stray_is_harmless) return;
    Located<std::string> wrong =
        read_at(mark, mark.in == Mark::In::Label ? Mark::In::Annotation : Mark::In::Label, pod_template);
    if (wrong.is_set()) gang_.remarks.own().stray_membership = std::move(wrong);
  }

  void belong(const FoundMembership& found, const PodTemplate& pod_template) {
    gang_.pod_group_system = found.row->membership_of;
    gang_.pod_group_is_object = found.mark->has_object;
    gang_.pod_group = read_at(*found.mark, pod_template);
    if (!found.mark->total.empty())
      gang_.remarks.own().pod_group_total =
          read_count_annotation(pod_template.metadata, FieldName(found.mark->total), findings_);
  }

  /// What others may have to do with it, once all of them are known.
  void note_for_others() {
    for (const PodTemplate& pod_template : work_.templates) {
      if (Located<std::string> head = joined_ray_head(pod_template); head.is_set())
        gang_.remarks.own().joins = std::move(head);
    }
    for (const Scheduler& row : book_.schedulers) {
      const Located<std::int64_t>* together = row.spaces ? work_.together_under(row) : nullptr;
      if (together != nullptr) gang_.remarks.own().sent_guaranteed = *together;
    }
  }

  // --- which scheduler ---

  void find_admitter() {
    for (const Scheduler& row : book_.schedulers) {
      if (!row.admits || admitter_ != nullptr) continue;
      Located<std::string> queue = read_word(*row.admits);
      if (queue.state == State::Absent) queue = queue_of_pods(row);
      if (queue.state == State::Absent) continue;
      admitter_ = &row;
      admitting_ = std::move(queue);
    }
  }

  /// The label that whoever makes them gives pods which are admitted one by one.
  Located<std::string> queue_of_pods(const Scheduler& row) {
    const Located<std::int64_t>* together = work_.together_under(row);
    const bool one_by_one = together != nullptr && together->known() && together->value == 1;
    if (!one_by_one || !row.manages || row.manages->pods.empty() || work_.templates.size() != 1) return {};
    Located<std::string> out = read_at(*row.admits, work_.templates.front());
    by_pods_ = out.state != State::Absent;
    if (by_pods_) work_.framework = row.manages->pods;
    return out;
  }

  void find_path() {
    std::set<std::string_view> names;
    for (const Role& role : gang_.roles) {
      if (role.helper) continue;
      if (role.scheduler.unknown()) return unknown_path(std::string(role.scheduler.needs()), role.scheduler.where);
      names.insert(role.scheduler.is_set() ? std::string_view(role.scheduler.value) : kDefaultScheduler);
    }
    gang_.mixed_schedulers = names.size() > 1;
    if (gang_.mixed_schedulers) return mixed();
    const std::string_view name = names.empty() ? kDefaultScheduler : *names.begin();
    const Role* role = gang_.roles.empty() ? nullptr : &gang_.roles.front();
    name_where_ = role == nullptr ? gang_.where : role->scheduler.where;
    named_ = role != nullptr && role->scheduler.is_set();
    if (named_) gang_.scheduler_name = role->scheduler;
    const Scheduler* row = book_.named(name);
    if (row == nullptr) return nobody_knows(name);
    row->path == Path::Out ? default_scheduler(*row) : placed_by(*row);
  }

  void decide(std::string_view scheduler, Path path, Mechanism mechanism, Located<std::int64_t> guaranteed) {
    gang_.scheduler = named_ ? set_to(std::string(scheduler), name_where_, "schedulerName")
                             : defaulted_to(std::string(scheduler), name_where_, "schedulerName");
    gang_.path = named_ ? set_to(path, name_where_, "schedulerName") : defaulted_to(path, name_where_, "schedulerName");
    gang_.mechanism = defaulted_to(mechanism, name_where_, "schedulerName");
    gang_.guaranteed = std::move(guaranteed);
  }

  void unknown_path(const std::string& needs, Span where) {
    gang_.scheduler = unknown_until<std::string>(needs, where, "schedulerName");
    gang_.path = unknown_until<Path>(needs, where, "schedulerName");
    gang_.mechanism = unknown_until<Mechanism>(needs, where, "schedulerName");
    gang_.guaranteed = unknown_until<std::int64_t>(needs, where);
  }

  void mixed() {
    for (const Role& role : gang_.roles) {
      if (role.scheduler.is_set() && role.scheduler.value != kDefaultScheduler) name_where_ = role.scheduler.where;
    }
    named_ = true;
    decide("mixed", Path::Mixed, Mechanism::PerPod, by_default(1));
  }

  /// The PodGroup says K; which one it is, link() finds out.
  bool reads_groups(const Scheduler& row) const {
    return std::ranges::find(row.groups, *gang_.pod_group_system) != row.groups.end();
  }
  bool group_decides(const Scheduler& row) const { return gang_.pod_group->known() && reads_groups(row); }
  /// Whose group it is; a row of the book has every system that pods can name.
  const Scheduler& group_owner() const { return *book_.find(name_of(*gang_.pod_group_system)); }

  Located<std::int64_t> by_group() {
    if (gang_.pod_group_is_object)
      return unknown_until<std::int64_t>("PodGroup `" + gang_.pod_group->value + "`", gang_.pod_group->where,
                                         "minMember");
    Located<std::int64_t> min = written_min(group_owner());
    if (min.state != State::Absent) return min;
    return unknown_until<std::int64_t>("the least size of gang `" + gang_.pod_group->value + "`",
                                       gang_.pod_group->where);
  }

  /// A scheduler of another name that has a group reads it: a fork, or a profile of the site's own.
  void nobody_knows(std::string_view name) {
    const bool grouped =
        gang_.pod_group->state != State::Absent && (gang_.pod_group_is_object || reads_groups(group_owner()));
    if (!grouped) return unknown_path("what scheduler `" + std::string(name) + "` does with gangs", name_where_);
    const bool holds = group_owner().mechanism == Mechanism::HoldAndRelease;
    decide(name, Path::In, holds ? Mechanism::HoldAndRelease : Mechanism::Atomic, by_group());
  }

  void placed_by(const Scheduler& row) {
    Mechanism mechanism = row.mechanism;
    if (row.style && contains(read_word(row.style->mark).value, row.style->contains)) mechanism = row.style->mechanism;
    if (row.task_groups) return placed_by_task_groups(row, mechanism);
    if (group_decides(row)) return decide(row.id, Path::In, mechanism, by_group());
    if (Located<std::int64_t> min = written_min(row); min.state != State::Absent) {
      gang_.requested = min;
      return decide(row.id, Path::In, mechanism, std::move(min));
    }
    if (const Located<std::int64_t>* together = work_.together_under(row))
      return decide(row.id, Path::In, mechanism, *together);
    decide(row.id, Path::In, row.without_group.value_or(mechanism), by_default(1, FieldName(row.guaranteed_field)));
  }

  /// The groups that its own pods name are placed together; of others pods come from somewhere else.
  void placed_by_task_groups(const Scheduler& row, Mechanism mechanism) {
    const Located<std::string> written = read_word(row.task_groups->list);
    if (written.state == State::Absent) return decide(row.id, Path::In, Mechanism::PerPod, by_default(1));
    if (written.unknown())
      return decide(row.id, Path::In, mechanism,
                    unknown_until<std::int64_t>(written.needs(), written.where, "minMember"));
    if (const std::optional<Origin> open = name_task_groups(*row.task_groups, work_.templates, gang_))
      return decide(row.id, Path::In, mechanism, unknown_until<std::int64_t>(open->needs(), open->where, "minMember"));
    if (gang_.task_groups.empty()) return decide(row.id, Path::In, Mechanism::PerPod, by_default(1));
    std::int64_t all = 0;
    for (const TaskGroup& group : gang_.task_groups) all = add_capped(all, group.min);
    gang_.requested = set_to(all, written.where, "minMember");
    decide(row.id, Path::In, mechanism, gang_.requested);
  }

  /// K in an annotation beside the pods.
  Located<std::int64_t> written_min(const Scheduler& row) {
    for (const Mark& mark : row.min) {
      if (mark.on == Mark::On::Object) {
        Located<std::int64_t> min = read_count_annotation(work_.metadata, FieldName(mark.key), findings_);
        if (min.state != State::Absent) return min;
        continue;
      }
      for (std::size_t i = 0; i < work_.templates.size(); ++i) {
        Located<std::int64_t> min = read_count_annotation(template_metadata(i), FieldName(mark.key), findings_);
        if (min.state != State::Absent) return min;
      }
    }
    return {};
  }

  Located<std::string> find_reservation(const Scheduler& row) {
    for (const Mark& mark : row.reserves) {
      for (const PodTemplate& pod_template : work_.templates) {
        Located<std::string> found = mark.on == Mark::On::Object ? read_on_object(mark) : read_at(mark, pod_template);
        if (found.state != State::Absent) return found;
      }
    }
    return {};
  }

  /// Room or a domain that an annotation asks for, whoever places the pods then.
  void ask_for_own_place() {
    const Scheduler* row = book_.named(kDefaultScheduler);
    if (row == nullptr) return;
    const Located<std::string> reserved = find_reservation(*row);
    if (reserved.state == State::Absent) return;
    for (Role& role : gang_.roles) role.wants.push_back("what `" + std::string(reserved.field) + "` brings");
  }

  void default_scheduler(const Scheduler& row) {
    if (admitter_ != nullptr) return admitted_by(*admitter_);
    const Located<std::int64_t> all = total_of(gang_);
    const bool alone = all.known() && all.value <= 1;  // needs no room for others
    if (const Located<std::string> reserved = find_reservation(row); !alone && reserved.state != State::Absent) {
      gang_.operator_id.clear();  // whatever it does, what counts is whether the room is there
      return unknown_path("whether the room that `" + std::string(reserved.field) + "` brings is for this gang alone",
                          reserved.where);
    }
    if (!gang_.operator_id.empty() && !gang_.operator_once_stated)
      return unknown_path(setting_name(gang_.operator_id, gang_.operator_option), name_where_);
    if (gang_.pod_group->state != State::Absent) {
      const SettingName& reads = group_owner().group_under_default;
      if (!reads.empty()) return by_setting(reads);
    }
    decide(row.id, Path::Out, row.mechanism, by_default(1));
  }

  /// A setting decides whether kube-scheduler reads the group.
  void by_setting(const SettingName& name) {
    gang_.operator_id = name.of;
    gang_.operator_option = name.setting;
    gang_.operator_once_stated = false;
    gang_.remarks.own().operator_guaranteed = by_group();
    unknown_path(setting_name(name.of, name.setting), gang_.pod_group->where);
  }

  void admitted_by(const Scheduler& row) {
    bool places = false;
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      for (const std::string& key : row.placed_by) places = places || template_metadata(i)["annotations"][key].exists();
    }
    name_where_ = admitting_.where;
    named_ = true;
    Located<std::int64_t> admitted = written_min(row);
    if (admitted.state != State::Absent) gang_.requested = admitted;
    // With the object that it stands in it is admitted as a whole.
    const bool by_wrapper = work_.outer_metadata.exists() && !work_.metadata["labels"][row.admits->key].exists();
    if (admitted.state == State::Absent && !by_wrapper) {
      if (const Located<std::int64_t>* together = work_.together_under(row)) admitted = *together;
    }
    if (admitted.state == State::Absent) {
      admitted = total_of(gang_);
      admitted.field = FieldName(row.admits->key);
    }
    decide(row.id, Path::In, places ? Mechanism::Atomic : row.mechanism, std::move(admitted));
    assume_integration(row);
  }

  /// A controller that manages some kinds only: whoever names its queue has turned this one on.
  void assume_integration(const Scheduler& row) {
    const Operator* controller = row.manages ? book_.find_operator(row.manages->of) : nullptr;
    const OperatorOption* kinds = controller == nullptr ? nullptr : controller->find(row.manages->setting);
    const bool listed = kinds != nullptr && std::ranges::find(kinds->list, work_.framework) != kinds->list.end();
    if (kinds == nullptr || (listed && !by_pods_)) return;
    gang_.path = assumed_to(Path::In, assumption_of(*controller, *kinds), gang_.path.where, gang_.path.field);
  }

  // --- which queue ---

  void find_queue() {
    for (std::size_t i = 0; i < work_.templates.size() && admitter_ == nullptr; ++i) {
      for (const Scheduler& row : book_.schedulers) {
        if (!row.admits || row.admits->on == Mark::On::Template) continue;
        if (const Located<std::string> label = read_at(*row.admits, work_.templates[i]); label.is_set())
          gang_.remarks.own().queue_on_template = label;
      }
    }
    if (gang_.queue.state != State::Absent) return;  // the kind has a field of its own
    if (admitter_ != nullptr) {
      gang_.queue = admitting_;
      return;
    }
    const Scheduler* row = gang_.scheduler.known() ? book_.find(gang_.scheduler.value) : nullptr;
    for (std::size_t i = 0; row != nullptr && i < row->queue.size() && gang_.queue.state == State::Absent; ++i)
      gang_.queue = read_word(row->queue[i]);
  }

  // --- where all its pods have to stand ---

  void find_topology() {
    if (gang_.required_topology->state != State::Absent || !gang_.scheduler.known()) return;
    const Scheduler* row = book_.find(gang_.scheduler.value);
    for (std::size_t i = 0;
         row != nullptr && i < row->required_topology.size() && gang_.required_topology->state == State::Absent; ++i) {
      gang_.required_topology = read_word(row->required_topology[i]);
    }
    if (row != nullptr && row->template_topology) find_template_topology(*row->template_topology);
  }

  void find_template_topology(const TemplateTopology& asks) {
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      const Node metadata = template_metadata(i);
      // Keys of the book, for what is read keeps their address.
      const auto annotation = [&](const std::string& key) {
        return key.empty() ? Located<std::string>{} : read_annotation(metadata, FieldName(key), findings_);
      };
      Role& role = gang_.roles[i];
      if (const Located<std::string> level = annotation(asks.required); level.state != State::Absent)
        (work_.templates.size() == 1 ? gang_.required_topology : role.required_topology) = level;
      role.slice_topology = annotation(asks.slices);
      for (const std::string* key : {&asks.required, &asks.preferred, &asks.slices}) {
        if (role.wanted_level->state == State::Absent) role.wanted_level = annotation(*key);
      }
      const Located<std::string> size = annotation(asks.slice_size);
      const std::optional<std::int64_t> number = size.is_set() ? parse_int(size.value) : std::nullopt;
      if (number && *number > 0) role.slice = set_to(*number, size.where);
      for (const std::string& other : asks.open) {
        if (const Located<std::string> more = annotation(other); more.state != State::Absent) {
          gang_.required_topology =
              unknown_until<std::string>("what `" + other.substr(other.find('/') + 1) + "` leaves", more.where);
        }
      }
    }
  }

  // --- who may take its place ---

  void find_priority() {
    const Scheduler* row = gang_.scheduler.known() ? book_.find(gang_.scheduler.value) : nullptr;
    if (row == nullptr) return;
    for (std::size_t i = 0; i < row->priority_class.size() && gang_.remarks->priority_class->state == State::Absent;
         ++i)
      gang_.remarks.own().priority_class = read_word(row->priority_class[i]);
    for (std::size_t i = 0; i < row->preemptibility.size() && gang_.remarks->preemptibility->state == State::Absent;
         ++i)
      gang_.remarks.own().preemptibility = read_word(row->preemptibility[i]);
  }

  PodWorkload& work_;
  Gang& gang_;
  const SchedulerBook& book_;
  std::vector<Finding>& findings_;
  const Scheduler* admitter_ = nullptr;
  Located<std::string> admitting_;  ///< its queue
  Span name_where_;
  bool named_ = false;
  bool by_pods_ = false;  ///< it takes the pods one by one, whoever makes them
};

}  // namespace

const Located<std::int64_t>* PodWorkload::together_under(const Scheduler& row) const {
  auto found = together.find(row.id);
  if (found == together.end() && !row.like.empty()) found = together.find(row.like);
  return found == together.end() || found->second.state == State::Absent ? nullptr : &found->second;
}

void add_role(PodWorkload& workload, const PodTemplate& pod_template, Located<std::string> name,
              Located<std::int64_t> count, const NormaliseContext& context) {
  Role role = read_role(pod_template, std::move(name), context.findings);
  role.count = std::move(count);
  read_claims(pod_template.spec, workload.gang.space, context, role);
  workload.gang.roles.push_back(std::move(role));
  workload.templates.push_back(pod_template);
}

PodWorkload single_role_workload(const Artifact& artifact, const PodTemplate& pod_template, Located<std::int64_t> count,
                                 const NormaliseContext& context) {
  PodWorkload workload;
  static_cast<Object&>(workload.gang) = read_object(artifact, context);
  workload.metadata = artifact.object["metadata"];
  workload.gang.evidence.emplace_back(count.field);
  add_role(workload, pod_template, defaulted_to<std::string>("pods", workload.gang.where), std::move(count), context);
  return workload;
}

void finish_pod_workload(PodWorkload workload, const NormaliseContext& context) {
  workload.gang.workload = read_annotation(workload.metadata, "muster.dev/workload", context.findings);
  Resolver(workload, SchedulerBook::or_shipped(context.schedulers), context.findings).run();
  fill_sums(workload.gang);
  workload.gang.framework = std::move(workload.framework);
  context.model.gangs.push_back(std::move(workload.gang));
}

}  // namespace muster
