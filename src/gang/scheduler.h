#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/gang.h"
#include "source/located.h"
#include "syntax/key_path.h"

namespace muster {

/// The scheduler of pods that name none.
inline constexpr std::string_view kDefaultScheduler = "default-scheduler";

/// A place of a manifest where a scheduler looks for a word: a label, an annotation or a field of the pod's spec.
struct Mark {
  enum class In : unsigned char { Label, Annotation, Field };
  enum class On : unsigned char { Template, Object };
  In in = In::Label;
  On on = On::Template;
  std::string key;
  bool stray_is_harmless = false;  ///< a label where an annotation is read (or the reverse) is not worth a word
  std::string until;               ///< the first release that does not look there; empty: all do
};

/// A mark with which a pod says which group it belongs to.
struct MembershipMark : Mark {
  std::string with;        ///< an annotation without which it says nothing; empty: none
  std::string owned_with;  ///< the same for pods that a controller makes: else the scheduler groups them by itself
  std::optional<std::string>
      made;                ///< how names begin of groups that the scheduler itself makes for whatever pods come
  bool has_object = true;  ///< false: no object describes the group, its pods alone do
  std::string total;       ///< annotation with the number of the group's pods; empty: none
};

/// The kind called PodGroup that a scheduler brings.
struct PodGroupForm {
  std::string id;  ///< volcano-pod-group
  std::string doc;
  std::string group;                ///< of its API
  std::string versions;             ///< blank-separated
  KeyPath min;                      ///< K, below spec
  KeyPath queue;                    ///< below spec; empty: it names none
  std::vector<KeyPath> conditions;  ///< where its scheduler tells how it is with it

  /// What kubectl calls them: podgroups.scheduling.volcano.sh.
  std::string resource() const { return "podgroups." + group; }
};

/// A style that a word in a mark switches on, as YuniKorn's Hard.
struct SchedulerStyle {
  Mark mark;
  std::string contains;
  Mechanism mechanism = Mechanism::PerPod;
};

/// Where a pod has the list of task groups of its application, and the name of its own.
struct TaskGroupMarks {
  Mark list;
  Mark name;
};

/// Annotations with which each pod template asks where its own pods stand.
struct TemplateTopology {
  std::string required;           ///< node label: all of them in one domain of it
  std::string preferred;          ///< node label: as few domains of it as there are
  std::string slices;             ///< node label: so many of them at a time as ...
  std::string slice_size;         ///< ... this in one domain of it
  std::vector<std::string> open;  ///< with one of them nobody can tell where they stand
};

/// A setting of a controller that lists the kinds which a scheduler manages.
struct ManagedKinds {
  std::string of;       ///< the operator
  std::string setting;  ///< its list
  std::string pods;     ///< the word for pods by themselves; empty: there is none
};

/// A setting of an operator, by the names of their rows.
struct SettingName {
  std::string of;
  std::string setting;

  bool empty() const { return of.empty(); }
};

/// Namespaces all of whose pods somebody sends to a scheduler, by the values of its chart.
struct ManagedSpaces {
  std::string chart;
  KeyPath names;                   ///< a list of them
  KeyPath selector;                ///< of their labels; where it is there, the list counts for nothing
  std::vector<std::string> given;  ///< as the chart is shipped
};

/// Annotations of pods with which a scheduler gives them a share of a device.
struct DeviceShares {
  std::vector<std::string> keys;  ///< any of them; what its pods hold is called by it
  std::string devices;            ///< how many devices are shared, where it is not one
};

/// Who places pods, and how. One file of rules/schedulers a row; docs/gangs.md shows them.
struct Scheduler {
  std::string id;
  std::string doc;
  std::string like;                         ///< the scheduler whose row it takes over
  std::string shown;                        ///< in reports about clusters; its id where nothing else is said
  std::vector<std::string> names;           ///< schedulerNames
  std::vector<std::string> operator_words;  ///< what operators' settings call it, besides its id
  Path path = Path::In;
  Mechanism mechanism = Mechanism::PerPod;
  std::optional<Mechanism> without_group;   ///< for pods of no group
  std::optional<std::int64_t> keeps_short;  ///< hold-and-release: a pod that does not fit ends the wait, unless the
                                            ///< missing pods are at most so many percent of K
  bool preempts_pods = false;               ///< evicts single pods, of any gang, for one of a higher priority
  bool may_preempt_pods = false;            ///< may do so: releases and settings differ
  std::vector<MembershipMark> membership;   ///< where a pod says which group it belongs to
  std::optional<GangSystem> membership_of;  ///< whose group that is
  std::optional<PodGroupForm> pod_group;    ///< its own kind of PodGroup
  std::vector<GangSystem> groups;           ///< whose PodGroups it reads
  std::optional<Mark> sub_group;            ///< where a pod says which sub-group of its PodGroup it belongs to
  SettingName group_under_default;          ///< decides whether kube-scheduler reads them; empty: it never does
  std::vector<Mark> min;                    ///< K beside the pods
  std::vector<Mark> reserves;               ///< what may bring room for all pods before the first is placed
  std::string guaranteed_field;             ///< where K would be written
  std::string binds;                        ///< the scheduler that binds its pods, where it only admits; else itself
  std::optional<ManagedKinds> manages;      ///< absent: all kinds
  std::optional<Mark> admits;               ///< the mark that sends a workload through it whatever schedulerName says
  std::vector<std::string> placed_by;       ///< annotations with which an admitter places the pods itself
  std::optional<TaskGroupMarks> task_groups;
  std::optional<SchedulerStyle> style;
  std::string queue_object;  ///< kind of its queues; empty: none that files show
  bool queue_in_namespace = false;
  std::vector<Mark> queue;
  std::vector<std::string> given_queues;  ///< those that are always there
  SettingName queue_key;                  ///< decides which key it looks for; empty: always those of `queue`
  std::optional<ManagedSpaces> spaces;
  std::vector<Mark> required_topology;
  std::optional<TemplateTopology> template_topology;
  DeviceShares shares;
  std::vector<Mark> priority_class;  ///< where it looks for that of a gang; empty: the pods' own counts
  std::vector<Mark> preemptibility;  ///< whether others may take the place of a gang
  std::string chart;                 ///< name of the Helm chart that installs it; empty: none that files show
  std::vector<std::string> image;    ///< words that the image of its scheduler has
  std::vector<std::string> sources;

  /// Whether a container of that image is it.
  bool is_image(std::string_view name) const;
};

/// A setting of an operator that decides something.
struct OperatorOption {
  std::string name;
  std::string flag;          ///< of its Deployment's command line; empty: none
  std::string legacy_flag;   ///< an older switch ...
  std::string legacy_means;  ///< ... and the value it stands for
  std::string legacy_helm;
  std::string legacy_config;
  std::string helm;                     ///< path in the values of its chart
  std::string config;                   ///< path in its Configuration object
  std::string config_absent;            ///< what a Configuration without it means
  std::vector<std::string> unless;      ///< paths in either that make it depend on more
  std::optional<std::string> fallback;  ///< as shipped; absent: nothing is usual
  std::vector<std::string> list;        ///< as shipped, of a list
  std::string says;                     ///< what is assumed, as a sentence about the operator
  std::string words;                    ///< how the setting is called where nothing is usual
  std::string means;                    ///< the scheduler that `true` stands for; empty: it is no switch
  std::string gate;                     ///< the feature gate of Kubernetes that it is; empty: none
  std::string gate_before;              ///< the release from which on the gate decides nothing of it; empty: none
};

/// The object that holds an operator's settings.
struct OperatorConfig {
  std::string id;        ///< kuberay-configuration
  std::string api;       ///< its group; empty: there is none that files show
  std::string versions;  ///< blank-separated
  std::string kind;
  std::string doc;
};

/// A controller whose settings decide about gangs. One file of rules/operators a row.
struct Operator {
  std::string id;
  std::string doc;
  std::vector<std::string> image;  ///< words that its image's name has
  std::string chart;               ///< name of its Helm chart
  std::string chart_image;         ///< path of its image in the values of the chart
  std::string chart_config;        ///< path of its Configuration, as a text, in the values of the chart
  OperatorConfig config;
  std::vector<OperatorOption> settings;
  std::vector<std::string> sources;

  const OperatorOption* find(std::string_view setting) const;
  /// Whether a container of that image is it.
  bool is_image(std::string_view name) const;
};

/// What is known of schedulers and operators, sorted by id. The shipped one lives as long as the program.
struct SchedulerBook {
  std::vector<Scheduler> schedulers;
  std::vector<Operator> operators;

  static const SchedulerBook& shipped();
  static const SchedulerBook& or_shipped(const SchedulerBook* book) { return book == nullptr ? shipped() : *book; }
  const Scheduler* find(std::string_view id) const;
  /// By schedulerName.
  const Scheduler* named(std::string_view scheduler_name) const;
  /// Whose PodGroups these are; by the group of their API.
  const Scheduler* owner_of_groups(std::string_view api_group) const;
  /// By what an operator's setting calls it.
  const Scheduler* for_word(std::string_view word) const;
  const Operator* find_operator(std::string_view id) const;
};

/// `operators.training-operator.gang-scheduler-name`: the name under which a setting can be stated.
std::string setting_name(std::string_view operator_id, std::string_view setting);
/// "training-operator runs without ..., as shipped (1.9); say otherwise with `operators...` in muster.yaml".
std::string assumption_of(const Operator& which, const OperatorOption& option);

}  // namespace muster
