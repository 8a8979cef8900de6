#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "expr/expr.h"
#include "input/kind.h"
#include "rulebook/book_reader.h"
#include "syntax/document.h"
#include "syntax/key_path.h"

namespace muster {

/// A typed value of an object that expressions may use: `NAME`, and `has_NAME` for whether somebody wrote it.
struct KindField {
  enum class Type : unsigned char { Int, Count, Text, Bool, Any };  ///< Count: an Int that may stand in quotes
  enum class From : unsigned char { Object, Annotation, Label };
  std::string name;
  Type type = Type::Int;
  From from = From::Object;
  KeyPath path;                         ///< of one step for annotations and labels
  std::string shown;                    ///< the last step: what findings call it
  std::optional<std::string> fallback;  ///< a literal of its type, or another field's name
  std::string in;                       ///< the object it stands in, a name among `refers`; empty: the workload itself
};

template <>
struct EnumNames<KindField::Type> {
  static constexpr std::string_view names[] = {"int", "count", "text", "bool", "any"};
};

/// One way to come by a value; taken when its condition holds and it is there.
struct KindChoice {
  std::optional<Expr> when;
  std::optional<Expr> is;
  std::string unknown;  ///< instead of `is`: what would decide it
  std::string bare;     ///< the field that `is` consists of, if it is no more than that
};
using KindChoices = std::vector<KindChoice>;

/// A pod set for each item of a list; with its fields and `key` (its name) `takes` names the roles whose pods stand in
/// it: one, or a list.
struct SetForm {
  KeyPath each;
  std::vector<KindField> fields;
  KeyPath name_path;
  std::string unnamed;
  std::optional<Expr> when;  ///< else the item makes none
  std::optional<Expr> takes;
  KindChoices instances;
  KindChoices min;
  KindChoices min_pods;
  KindChoices required_topology;
  KindChoices highest_tier;
  bool apart = false;
};

/// Another object of the input, which a workload names: `NAME` is what it is called, `has_NAME` whether it is there.
struct ReferenceForm {
  std::string name;
  std::string group;
  std::vector<std::string> kinds;  ///< the object's; the first that has one of that name
  KeyPath path;                    ///< of the name it is called by
};

/// Objects that stand whole within another: in a list or map, or one.
struct WrapForm {
  std::optional<KeyPath> each;
  KeyPath at;
  bool text = false;           ///< written out as a text of YAML
  bool queued_as_one = false;  ///< the queue of the outer object is theirs
  bool whole = true;           ///< false: whoever makes it adds to it, such as its name
  KeyPath instances;           ///< of the outer object: how many of it run at once; empty: one
  std::int64_t usual = 1;      ///< where that is not written
};

/// What is laid over the pods of a role.
struct PatchForm {
  KeyPath at;             ///< below what the paths of the role begin at in the workload's own object
  std::string container;  ///< a container is there, for the one of that name; empty: a PodSpec
  bool text = false;      ///< written out as a text of YAML or JSON
  bool outer = false;     ///< of a part: `at` is below the object's base
};

/// Pods of one template, or of each item of a list or map of templates.
struct RoleForm {
  std::optional<KeyPath> each;    ///< the list or map; absent: one role
  std::optional<Expr> when;       ///< else there is no such role
  std::optional<Expr> unless;     ///< nor where this holds
  std::string in;                 ///< the object it stands in, a name among `refers`
  KeyPath at;                     ///< of one role: the block it stands in
  std::vector<KindField> fields;  ///< from the item
  std::string name;               ///< of one role; "key" of a map; empty: by name_path
  KeyPath name_path;
  std::string unnamed;   ///< what an item without a name is called, before its index
  bool has_pods = true;  ///< something is written at `pods`
  KeyPath pods;
  bool bare = false;                 ///< a PodSpec is at `pods`; the labels and annotations stand on the item itself
  std::optional<KeyPath> otherwise;  ///< the template where there is none at `pods`
  std::optional<KeyPath> metadata;   ///< where the pods' labels and annotations stand, if not beside their spec
  std::optional<KeyPath> metadata_under;  ///< and where others do, that count where those do not say the same key
  // In a role that stands in another object these two are the workload's own.
  std::vector<KeyPath> containers;       ///< of the pods, outside of a PodSpec: one, or a list
  std::vector<KeyPath> resources;        ///< limits and requests of a container that an operator adds
  bool resources_win = false;            ///< where they are there, they stand for those of the containers
  std::vector<PatchForm> patches;        ///< in the order in which they are applied
  KindChoices accelerators;              ///< that a pod asks for in a field of its kind's own
  std::optional<Expr> accelerators_win;  ///< where it holds they stand for those of the containers
  std::optional<Expr> accelerator;       ///< their resource
  KindChoices scheduler;                 ///< of pods whose spec names none
  KindChoices count;
  KindChoices min;
  KindChoices required_topology;
  std::optional<Expr> helper;
  std::optional<Expr> late;  ///< created only after other roles
  std::vector<std::pair<std::string, Expr>> sums;
};

/// Whose setting turns a gang scheduler on, and K then.
struct KindOperator {
  std::string id;
  std::string option;
  std::optional<Expr> when;
  KindChoices together;
  std::optional<Expr> means;  ///< the scheduler that `true` stands for
};

/// Whether pods of a workload that have all they need end by themselves.
enum class Ends : unsigned char { Yes, No, Unknown };

template <>
struct EnumNames<Ends> {
  static constexpr std::string_view names[] = {"yes", "no", "unknown"};
};

/// What is known of the pods of a workload as they run in a cluster.
struct KindPods {
  std::vector<std::string> labels;  ///< that name the workload; of several any
  std::string group_label;          ///< each of its values is a gang of its own
  std::string size_annotation;      ///< pods of such a gang
  std::string resource;             ///< what deleting gives the pods back, for kubectl; empty: only the pods themselves
  Ends ends = Ends::Unknown;
  bool needs_all = false;          ///< its pods need each other, whatever they run
  std::vector<std::string> makes;  ///< ids of the kinds that it makes objects of, to which its pods belong
};

struct PartForm;

/// A workload kind as a file of rules/kinds describes it.
struct KindFile {
  std::string id;
  std::string group;
  std::string versions;  ///< blank-separated
  std::string kind;
  std::string doc;
  std::string shown;  ///< in reports about clusters: `Job (volcano)`; the kind where nothing else is said
  KindPods pods;
  KeyPath base;      ///< where paths begin; a workload without it brings no pods
  KeyPath metadata;  ///< of the object whose labels and annotations count
  std::vector<KindField> fields;
  std::vector<SetForm> sets;
  std::vector<RoleForm> roles;  ///< none: pods may belong to it, and nothing of it is read
  std::vector<PartForm> parts;  ///< instead of roles: several gangs
  std::vector<ReferenceForm> refers;
  std::vector<WrapForm> wraps;
  std::vector<std::string> used_by;  ///< ids of the kinds whose objects name it
  bool listed = false;               ///< it is known, and brings no pods itself
  std::vector<std::string> sums;     ///< names, in the order of their variables
  KindChoices instances;
  KindChoices requested;
  KindChoices queue;
  KindChoices highest_tier;
  KindChoices required_topology;
  std::string topology_rests_on;
  std::vector<std::pair<std::string, KindChoices>> together;
  std::optional<Expr> collective;
  std::optional<Expr> elastic;
  std::optional<Expr> startup;
  std::optional<Expr> restarts_whole;
  std::optional<Expr> restarts_evicted;
  std::optional<Expr> scheduler;
  std::optional<KindOperator> operator_setting;
  std::optional<KindOperator> once_stated;  ///< another, which decides only where somebody states it
  std::string framework;                    ///< what Kueue calls it
  bool labels_from_template = false;
  bool may_run_operator = false;  ///< its pods may be an operator, whose flags are read
  std::vector<SharedText> evidence;
  std::vector<std::string> sources;

  /// Whether objects of it are read; else their pods only belong to it.
  bool is_read() const { return listed || !roles.empty() || !parts.empty() || !wraps.empty() || !used_by.empty(); }
};

/// One of several gangs that an object makes, or one for each item of a list or map. `form` is written as a kind is;
/// its expressions also know the fields of the kind and `part`, which it is called by.
struct PartForm {
  std::optional<KeyPath> each;
  std::string name;
  KeyPath name_path;
  std::string unnamed;
  std::optional<Expr> when;   ///< with the fields of `form`; else there is none
  bool own_metadata = false;  ///< `form.metadata` is of the part: a queue may be named there
  KindFile form;
};

/// Reads a description; what is wrong in it goes to the reader, with "did you mean".
KindFile load_kind(const Node& root, BookReader& reader);

/// Adds the gangs of an object to the model.
void normalise_kind(const KindFile& kind, const Artifact& artifact, const NormaliseContext& context);

}  // namespace muster
