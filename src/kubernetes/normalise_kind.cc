#include <algorithm>
#include <deque>
#include <set>

#include "base/capped.h"
#include "expr/functions.h"
#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "input/object_index.h"
#include "kubernetes/kind_file.h"
#include "kubernetes/kind_values.h"
#include "kubernetes/merged_metadata.h"
#include "kubernetes/operator_settings.h"
#include "syntax/embedded.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMaxParts = 1000;     // of one object
constexpr std::size_t kMostPatches = 1000;  // containers of one patch
constexpr std::size_t kUsualSlots = 64;     // two a field, and some more

std::string setting_of(const KindFile& form) {
  return form.operator_setting ? setting_name(form.operator_setting->id, form.operator_setting->option) : std::string();
}

/// A part of an object, by what it is called.
struct PartItem {
  Node node;
  Located<std::string> name;
};

/// Reads an object, or a part of one, by its description.
class KindReader {
 public:
  KindReader(const KindFile& kind, const KindFile& form, const Artifact& artifact, const NormaliseContext& context)
      : kind_(kind),
        form_(form),
        artifact_(artifact),
        context_(context),
        base_(at_path(artifact.object, kind.base)),
        kind_base_(base_),
        values_(context.findings, setting_of(form)) {
    slots_.reserve(kUsualSlots);
  }

  void run() {
    if (!base_.exists() && kind_.base.size() > 1) return;  // a RayJob that selects a running cluster
    begin(kind_.metadata);
    if (kind_.may_run_operator) read_operator_settings(base_["template"]["spec"], context_);
    add_references();
    add_fields(kind_.fields, base_);
    finish();
  }

  void run_part(const PartForm& part, PartItem item) {
    begin(kind_.metadata);
    add_references();
    add_fields(kind_.fields, base_);
    base_ = at_path(item.node, form_.base);
    if (part.own_metadata) work_.metadata = at_path(item.node, form_.metadata);
    if (item.name.known() && !item.name.value.empty()) work_.gang.id += "/" + item.name.value;
    if (item.name.where.placed()) work_.gang.where = item.name.where;
    values_.stand_at(work_.gang.where);
    values_.add_text(item.name.value, slots_);
    add_fields(form_.fields, base_);
    if (part.when && !values_.holds(part.when, slots_)) return;
    finish();
  }

 private:
  using Slots = KindValues::Slots;

  /// A copy with room for those of an item.
  static Slots with_more(const Slots& slots) {
    Slots out;
    out.reserve(slots.size() + kUsualSlots);
    out.insert(out.end(), slots.begin(), slots.end());
    return out;
  }

  void begin(const KeyPath& metadata) {
    static_cast<Object&>(work_.gang) = read_object(artifact_, context_);
    values_.stand_at(work_.gang.where);
    work_.metadata = at_path(artifact_.object, metadata);
    if (artifact_.wrap != nullptr && artifact_.wrap->queued_as_one)
      work_.outer_metadata = artifact_.wrapper["metadata"];
    for (const SharedText& field : kind_.evidence) add_evidence(field);
    for (const SharedText& field : form_.evidence) {
      if (&form_ != &kind_) add_evidence(field);
    }
  }

  /// Shared with the gang before it, and not with those of other files: threads would wait for each other.
  void add_evidence(std::string_view field) {
    std::vector<SharedText>& own = work_.gang.evidence;
    const Boxed<Gang>& gangs = context_.model.gangs;
    const bool beside = !gangs.empty() && own.size() < gangs.back().evidence.size();
    own.push_back(SharedText::like(beside ? gangs.back().evidence[own.size()] : SharedText(), field));
  }

  void add_references() {
    for (const ReferenceForm& form : kind_.refers) {
      const Located<std::string> name =
          read_text(at_path(base_, form.path), form.path.empty() ? FieldName("name") : FieldName(form.path.back()),
                    context_.findings);
      Node found;
      for (const std::string& kind : form.kinds) {
        if (found.exists() || context_.objects == nullptr || !name.is_set()) continue;
        found = context_.objects->find(form.group, kind, name.value, work_.gang.space, context_.file);
      }
      values_.add_reference(name, found.exists(), slots_);
      referred_[form.name] = found;
    }
  }

  void add_fields(const std::vector<KindField>& fields, const Node& from) {
    for (const KindField& field : fields) {
      const Node outer = field.in.empty() ? from : referred_[field.in];
      values_.add_field(field, outer, field.in.empty() ? work_.metadata : outer["metadata"], slots_);
    }
  }

  void finish() {
    for (const SetForm& form : form_.sets) add_sets(form);
    for (const RoleForm& form : form_.roles) add_roles(form);
    if (work_.gang.roles.empty() && form_.roles.size() > 0 && has_optional_roles()) return;
    finish_roles();
    finish_gang();
    finish_pod_workload(std::move(work_), context_);
  }

  /// An object all of whose roles are optional may bring no pods.
  bool has_optional_roles() const {
    return std::ranges::all_of(form_.roles, [](const RoleForm& form) { return form.when || !form.in.empty(); });
  }

  // --- pod sets and roles ---

  Located<std::string> name_of_item(const Node& item, const KeyPath& path, const std::string& unnamed, std::size_t i) {
    Located<std::string> name =
        read_text(at_path(item, path), path.empty() ? FieldName("name") : FieldName(path.back()), context_.findings);
    if (name.state == State::Absent && !unnamed.empty())
      name = defaulted_to(unnamed + std::to_string(i), item.where(), "name");
    return name;
  }

  void add_sets(const SetForm& form) {
    const Node list = at_path(base_, form.each);
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node item = list.item(i);
      PodSet set;
      set.name = name_of_item(item, form.name_path, form.unnamed, i);
      set.where = set.name.where.placed() ? set.name.where : item.where();
      Slots slots = with_more(slots_);
      values_.add_text(set.name.value, slots);
      values_.add_index(i, slots);
      for (const KindField& field : form.fields) values_.add_field(field, item, work_.metadata, slots);
      if (form.when && !values_.holds(form.when, slots)) continue;
      set.instances = values_.choose<std::int64_t>(form.instances, slots);
      set.min_instances = values_.choose<std::int64_t>(form.min, slots);
      set.min_pods = values_.choose<std::int64_t>(form.min_pods, slots);
      set.required_topology = values_.choose<std::string>(form.required_topology, slots);
      set.highest_tier = values_.choose<std::int64_t>(form.highest_tier, slots);
      set.apart = form.apart;
      if (form.takes) add_taken(values_.eval(*form.takes, slots), work_.gang.pod_sets.size());
      work_.gang.pod_sets.push_back(std::move(set));
    }
  }

  /// Of several sets that take the pods of a role the first has them.
  void add_taken(const Value& roles, std::size_t set) {
    if (roles.is(Value::Kind::String)) set_of_role_.try_emplace(std::string(roles.as_text()), set);
    for (std::size_t i = 0; roles.is(Value::Kind::List) && i < roles.as_list().size; ++i) {
      const Value role = item(roles, i);
      if (role.is(Value::Kind::String)) set_of_role_.try_emplace(std::string(role.as_text()), set);
    }
  }

  /// How often a set of the gang is there, and how often it is needed: for the pods that stand in it.
  void add_set_counts(std::optional<std::size_t> set, Slots& slots) {
    const auto one_or = [&](const Located<std::int64_t>& count) {
      return count.state == State::Absent ? defaulted_to<std::int64_t>(1, work_.gang.where) : count;
    };
    const Located<std::int64_t> instances = one_or(set ? work_.gang.pod_sets[*set].instances : Located<std::int64_t>{});
    Located<std::int64_t> least = set ? work_.gang.pod_sets[*set].min_instances : instances;
    if (least.state == State::Absent) least = instances;
    values_.add_total(instances, slots);
    values_.add_total(least, slots);
  }

  void add_roles(const RoleForm& form) {
    const Node outer = form.in.empty() ? base_ : referred_[form.in];
    if (!outer.exists() && !form.in.empty()) return;
    if (!form.each) {
      const Node block = at_path(outer, form.at);
      return add_one(form, block, outer,
                     Located<std::string>{set_to(form.name, form.at.empty() ? work_.gang.where : block.key_where())},
                     0);
    }
    const Node list = at_path(outer, *form.each);
    for (std::size_t i = 0; i < list.size() && (list.is_sequence() || list.is_mapping()); ++i) {
      const Node item = list.is_mapping() ? list.value(i) : list.item(i);
      Located<std::string> name;
      if (list.is_mapping()) {
        name = set_to(std::string(list.key(i).text()), list.key(i).where());
      } else {
        name = name_of_item(item, form.name_path, form.unnamed, i);
      }
      add_one(form, item, item, std::move(name), i);
    }
  }

  /// What its pods are made from, wherever the kind writes it.
  PodTemplate template_of(const RoleForm& form, const Node& from) {
    PodTemplate out;
    if (form.has_pods) {
      Node pods = at_path(from, form.pods);
      if (!pods.exists() && form.otherwise) pods = at_path(from, *form.otherwise);
      out = form.bare ? PodTemplate{from, pods, {}, {}, false, {}, {}} : PodTemplate::of(pods);
    }
    if (form.metadata) out.metadata = at_path(from, *form.metadata);
    if (form.metadata_under) add_metadata(at_path(from, *form.metadata_under), out);
    const Node& own = form.in.empty() ? from : base_;
    for (const KeyPath& path : form.containers) {
      const Node found = at_path(own, path);
      if (found.is_mapping()) out.containers.push_back(found);
      for (std::size_t i = 0; found.is_sequence() && i < found.size(); ++i) out.containers.push_back(found.item(i));
    }
    for (const KeyPath& path : form.resources) {
      const Node found = at_path(own, path);
      if (found.is_mapping()) out.resources.push_back(found);
    }
    out.resources_win = form.resources_win && !out.resources.empty();
    for (const PatchForm& patch : form.patches)
      add_patch(patch, at_path(patch.outer ? kind_base_ : own, patch.at), out);
    return out;
  }

  void add_metadata(const Node& under, PodTemplate& out) {
    if (!out.metadata.is_mapping()) {
      out.metadata = under;
      return;
    }
    texts_.push_back(merged_metadata(out.metadata, under));
    out.metadata = texts_.back().root();
  }

  void add_patch(const PatchForm& form, Node patch, PodTemplate& out) {
    if (form.text && patch.exists()) {
      std::optional<Document> read = read_text_document(patch, nullptr);
      if (!read) {
        if (names_accelerator(patch.text())) unread_patch_ = patch.where();
        return;
      }
      texts_.push_back(std::move(*read));
      patch = texts_.back().root();
    }
    if (!patch.is_mapping()) return;
    if (!form.container.empty()) return out.patches.push_back({form.container, patch});
    out.spec_patches.push_back(patch);
    for (const std::string_view list : {"containers", "initContainers"}) {
      for (std::size_t i = 0; patch[list].is_sequence() && i < std::min(patch[list].size(), kMostPatches); ++i) {
        const Node container = patch[list].item(i);
        if (asks_for_filled_in(container["resources"])) unread_patch_ = container["resources"].key_where();
        if (form.text) out.patches.push_back({std::string(container["name"].text()), container});
      }
    }
  }

  /// `"{{inputs.parameters.resource}}": 1`: a resource that whoever starts it names.
  static bool asks_for_filled_in(const Node& resources) {
    for (const std::string_view list : {"limits", "requests"}) {
      const Node amounts = resources[list];
      for (std::size_t i = 0; amounts.is_mapping() && i < amounts.size(); ++i) {
        if (is_placeholder(amounts.key(i).text())) return true;
      }
    }
    return false;
  }

  void add_one(const RoleForm& form, const Node& item, const Node& pods_from, Located<std::string> name,
               std::size_t index) {
    if (!form.each && form.at.empty()) name.state = State::Defaulted;  // pods of one template need no name
    Slots slots = with_more(slots_);
    values_.add_text(name.value, slots);
    values_.add_index(index, slots);
    const auto found = set_of_role_.find(name.value);
    const std::optional<std::size_t> set = found == set_of_role_.end() ? std::nullopt : std::optional(found->second);
    add_set_counts(set, slots);
    for (const KindField& field : form.fields) {
      const Node outer = field.in.empty() ? item : referred_[field.in];
      values_.add_field(field, outer, field.in.empty() ? work_.metadata : outer["metadata"], slots);
    }
    if (form.when && !values_.holds(form.when, slots)) return;
    if (values_.holds(form.unless, slots)) return;
    add_role(work_, template_of(form, pods_from), std::move(name), values_.choose<std::int64_t>(form.count, slots),
             context_);
    Role& role = work_.gang.roles.back();
    if (role.count.state == State::Absent) role.count = defaulted_to<std::int64_t>(0, role.where);
    role.min = values_.choose<std::int64_t>(form.min, slots);
    role.pod_set = set;
    role.required_topology = values_.choose<std::string>(form.required_topology, slots);
    role.helper = values_.holds(form.helper, slots);
    late_.push_back(values_.holds(form.late, slots));
    add_accelerators(form, slots, role);
    if (unread_patch_.placed()) role.gpus_each = unknown_until<std::int64_t>("what its patch asks for", unread_patch_);
    unread_patch_ = {};
    if (role.scheduler.state == State::Absent) add_scheduler(form, slots, role);
    add_sums(form, slots);
  }

  void add_scheduler(const RoleForm& form, const Slots& slots, Role& role) {
    const Located<std::string> own = values_.choose<std::string>(form.scheduler, slots);
    if (own.unknown() || (own.known() && !own.value.empty())) role.scheduler = own;
  }

  /// Of a field of the kind's own, where no limits say them.
  void add_accelerators(const RoleForm& form, const Slots& slots, Role& role) {
    Located<std::int64_t> own = values_.choose<std::int64_t>(form.accelerators, slots);
    const bool wins = values_.holds(form.accelerators_win, slots);
    if (own.state == State::Absent) return;
    if (!wins && (role.accelerator.is_set() || (own.known() && own.value == 0))) return;
    if (own.known() && own.value == 0) {
      role.accelerator = {};
    } else if (own.known() && !role.accelerator.is_set()) {
      role.accelerator = set_to<std::string>("nvidia.com/gpu", own.where, "resources");
      if (form.accelerator) role.accelerator.value = values_.located<std::string>(*form.accelerator, slots).value;
    }
    role.gpus_each = std::move(own);
  }

  void add_sums(const RoleForm& form, const Slots& slots) {
    for (const auto& [sum, expr] : form.sums) {
      const Located<std::int64_t> part = values_.located<std::int64_t>(expr, slots);
      const auto [at, fresh] = sums_.try_emplace(sum, part);
      if (fresh || at->second.unknown()) continue;
      if (part.unknown()) {
        at->second = part;
      } else {
        const std::int64_t total = add_capped(at->second.value, part.value);
        if (!at->second.is_set()) at->second = part;  // the first that is written says where
        at->second.value = total;
      }
    }
  }

  void finish_roles() {
    const Located<std::int64_t> all = total_of(work_.gang);
    values_.add_total(all, slots_);
    values_.add_total(
        work_.gang.roles.empty() ? defaulted_to<std::int64_t>(0, work_.gang.where) : work_.gang.roles.front().count,
        slots_);
    for (const std::string& name : form_.sums) {
      const auto found = sums_.find(name);
      values_.add_total(found == sums_.end() ? defaulted_to<std::int64_t>(0, work_.gang.where) : found->second, slots_);
    }
    if (form_.scheduler) {
      Located<std::string> scheduler = values_.located<std::string>(*form_.scheduler, slots_);
      // A webhook writes it into the pods: for the path that is as good as written.
      if (scheduler.state == State::Defaulted) scheduler = set_to(scheduler.value, work_.gang.where, "schedulerName");
      for (Role& role : work_.gang.roles) {
        if (role.scheduler.state == State::Absent) role.scheduler = scheduler;
      }
    }
    if (std::ranges::find(late_, true) == late_.end()) return;
    work_.gang.startup = Startup::Staged;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < late_.size(); ++i) {
      if (!late_[i] && work_.gang.roles[i].count.known()) first = add_capped(first, work_.gang.roles[i].count.value);
    }
    work_.gang.remarks.own().first_stage = defaulted_to(first, work_.gang.where, "dependsOn");
  }

  void finish_gang() {
    Gang& gang = work_.gang;
    gang.instances = values_.choose<std::int64_t>(form_.instances, slots_);
    if (artifact_.wrap != nullptr && !artifact_.wrap->instances.empty()) gang.instances = made_by_outer(gang.instances);
    work_.requested = values_.choose<std::int64_t>(form_.requested, slots_);
    gang.queue = values_.choose<std::string>(form_.queue, slots_);
    gang.highest_tier = values_.choose<std::int64_t>(form_.highest_tier, slots_);
    gang.required_topology = values_.choose<std::string>(form_.required_topology, slots_);
    gang.topology_rests_on = form_.topology_rests_on;
    for (const auto& [scheduler, choices] : form_.together) {
      Located<std::int64_t> together = values_.choose<std::int64_t>(choices, slots_);
      if (together.state != State::Absent) work_.together[scheduler] = std::move(together);
    }
    if (form_.elastic) gang.elastic = values_.located<bool>(*form_.elastic, slots_);
    if (form_.restarts_whole) {
      const Value whole = values_.eval(*form_.restarts_whole, slots_);
      const bool no = !whole.is(Value::Kind::Unknown) && !(whole.is(Value::Kind::Bool) && whole.as_bool());
      gang.restarts_whole =
          no ? defaulted_to(false, gang.where, "policies") : values_.located<bool>(*form_.restarts_whole, slots_);
    }
    if (form_.restarts_evicted) gang.restarts_evicted = values_.located<bool>(*form_.restarts_evicted, slots_);
    set_startup();
    set_coupling();
    set_operator();
    work_.framework = form_.framework;
    work_.labels_from_template = form_.labels_from_template;
  }

  /// As often as the object it stands in has it made at once.
  Located<std::int64_t> made_by_outer(const Located<std::int64_t>& own) const {
    const WrapForm& wrap = *artifact_.wrap;
    Located<std::int64_t> out = read_int(at_path(artifact_.wrapper, wrap.instances), FieldName(wrap.instances.back()),
                                         context_.findings, IntStyle::Strict);
    if (out.state == State::Absent) out = defaulted_to(wrap.usual, work_.gang.where, out.field);
    if (own.unknown() || out.unknown()) return out.unknown() ? out : own;
    if (own.known() && own.state != State::Absent) out.value = multiply_capped(out.value, own.value);
    return out;
  }

  void set_startup() {
    if (!form_.startup || work_.gang.startup == Startup::Staged) return;
    const Value value = values_.eval(*form_.startup, slots_);
    const std::optional<Startup> startup =
        value.is(Value::Kind::String) ? enum_of<Startup>(value.as_text()) : std::nullopt;
    if (startup) work_.gang.startup = *startup;
  }

  /// true: by its kind; false: never by itself; "shape", or nothing: shape and command tell.
  void set_coupling() {
    using Coupling = PodWorkload::Coupling;
    if (!form_.collective) return;
    const Value value = values_.eval(*form_.collective, slots_);
    if (value.is(Value::Kind::Bool))
      work_.coupling = value.as_bool() ? Coupling::ByKind : Coupling::NeverByItself;
    else if (value.is(Value::Kind::String))
      work_.coupling = value.as_text() == "no"    ? Coupling::NeverByItself
                       : value.as_text() == "yes" ? Coupling::ByKind
                                                  : Coupling::ByCommand;
    else if (value.is(Value::Kind::Unknown) && form_.collective->type().kind == TypeKind::Bool)
      work_.coupling = Coupling::ByKind;
  }

  void set_operator() {
    if (set_operator(form_.operator_setting)) return;
    work_.gang.operator_once_stated = set_operator(form_.once_stated);
  }

  bool set_operator(const std::optional<KindOperator>& setting) {
    if (!setting || (setting->when && !values_.holds(setting->when, slots_))) return false;
    work_.gang.operator_id = setting->id;
    work_.gang.operator_option = setting->option;
    work_.gang.remarks.own().operator_guaranteed = values_.choose<std::int64_t>(setting->together, slots_);
    if (setting->means) work_.gang.remarks.own().operator_means = values_.located<std::string>(*setting->means, slots_);
    return true;
  }

  const KindFile& kind_;
  const KindFile& form_;  ///< the kind itself, or the part of it
  const Artifact& artifact_;
  const NormaliseContext& context_;
  Node base_;
  const Node kind_base_;
  std::deque<Document> texts_;  ///< of patches and of labels from two places: the templates have nodes of them
  PodWorkload work_;
  KindValues values_;
  Slots slots_;
  std::map<std::string, Node, std::less<>> referred_;
  std::map<std::string, Located<std::int64_t>, std::less<>> sums_;
  std::vector<bool> late_;
  Span unread_patch_;  ///< a text that names accelerators and cannot be read: somebody fills it in
  std::map<std::string, std::size_t, std::less<>> set_of_role_;
};

void normalise_part(const KindFile& kind, const PartForm& part, const Artifact& artifact,
                    const NormaliseContext& context) {
  const Node base = at_path(artifact.object, kind.base);
  const auto one = [&](PartItem item) {
    KindReader(kind, part.form, artifact, context).run_part(part, std::move(item));
  };
  if (!part.each) return one({base, defaulted_to<std::string>(std::string(part.name), {})});
  const Node list = at_path(base, *part.each);
  for (std::size_t i = 0; i < std::min(list.size(), kMaxParts) && (list.is_sequence() || list.is_mapping()); ++i) {
    if (list.is_mapping()) {
      one({list.value(i), set_to(std::string(list.key(i).text()), list.key(i).where())});
      continue;
    }
    const Node item = list.item(i);
    Located<std::string> name = read_text(at_path(item, part.name_path), "name", context.findings);
    if (name.state == State::Absent) name = defaulted_to(part.unnamed + std::to_string(i), item.where(), "name");
    one({item, std::move(name)});
  }
}

}  // namespace

void normalise_kind(const KindFile& kind, const Artifact& artifact, const NormaliseContext& context) {
  for (const PartForm& part : kind.parts) normalise_part(kind, part, artifact, context);
  if (!kind.roles.empty()) KindReader(kind, kind, artifact, context).run();
}

}  // namespace muster
