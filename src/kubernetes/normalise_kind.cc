#include <algorithm>
#include <deque>

#include "base/capped.h"
#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "kubernetes/any_value.h"
#include "kubernetes/kind_file.h"
#include "kubernetes/operator_settings.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// Reads an object by its description. Values keep their places: the fields an expression uses say where its result
/// stands.
class KindReader {
 public:
  KindReader(const KindFile& kind, const Artifact& artifact, const NormaliseContext& context)
      : kind_(kind), artifact_(artifact), context_(context), base_(at_path(artifact.object, kind.base)) {
    eval_.read.arena = &arena_;
  }

  void run() {
    if (!base_.exists() && kind_.base.size() > 1) return;  // a RayJob that selects a running cluster
    static_cast<Object&>(work_.gang) = read_object(artifact_, context_);
    work_.metadata = at_path(artifact_.object, kind_.metadata);
    work_.gang.evidence = kind_.evidence;
    if (kind_.may_run_operator) read_operator_settings(base_["template"]["spec"], context_);
    for (const KindField& field : kind_.fields) add_field(field, base_, gang_slots_);
    for (const SetForm& form : kind_.sets) add_sets(form);
    for (const RoleForm& form : kind_.roles) add_roles(form);
    finish_roles();
    finish_gang();
    finish_pod_workload(std::move(work_), context_);
  }

 private:
  using Slots = std::vector<Value>;

  // --- fields ---

  template <class T>
  const Located<T>& keep(Located<T> value, std::deque<Located<T>>& store) {
    store.push_back(std::move(value));
    return store.back();
  }

  static Value as_value(const Located<std::int64_t>& read) { return Value::of(read.value); }
  static Value as_value(const Located<std::string>& read) { return Value::of(std::string_view(read.value)); }
  static Value as_value(const Located<bool>& read) { return Value::of(read.value); }

  template <class T>
  void add_value(const Located<T>& read, bool written, Slots& slots) {
    Value value = Value::absent();
    if (read.unknown()) value = Value::unknown(arena_.make(UnknownNeed{read.needs, nullptr}));
    if (read.known()) value = as_value(read);
    slots.push_back(value.with_origin(&read));
    slots.push_back(Value::of(written).with_origin(&read));
  }

  void add_field(const KindField& field, const Node& from, Slots& slots) {
    const Node node =
        field.from == KindField::From::Object
            ? at_path(from, field.path)
            : work_.metadata[field.from == KindField::From::Label ? "labels" : "annotations"][field.path.front()];
    const IntStyle style = field.from == KindField::From::Object ? IntStyle::Strict : IntStyle::QuotesToo;
    switch (field.type) {
      case KindField::Type::Int: return add_int(field, read_int(node, field.shown, context_.findings, style), slots);
      case KindField::Type::Text: return add_text(field, read_text(node, field.shown, context_.findings), slots);
      case KindField::Type::Bool: return add_bool(field, node, slots);
      case KindField::Type::Any: break;
    }
    const bool written = node.exists() && !node.is_null();
    const Located<bool>& read = keep(written ? set_to(true, node.key_where(), field.shown) : Located<bool>{}, bools_);
    slots.push_back((written ? any_value(node, eval_) : Value::null()).with_origin(&read));
    slots.push_back(Value::of(written).with_origin(&read));
  }

  void add_int(const KindField& field, Located<std::int64_t> read, Slots& slots) {
    read.field = field.shown;
    const bool written = read.state != State::Absent;
    if (!written && field.fallback) {
      if (const std::optional<std::int64_t> number = parse_int(*field.fallback)) {
        read = defaulted_to(*number, read.where, read.field);
      } else if (const auto other = ints_by_name_.find(*field.fallback); other != ints_by_name_.end()) {
        read = *other->second;
      }
    }
    const Located<std::int64_t>& kept = keep(std::move(read), ints_);
    ints_by_name_[field.name] = &kept;
    add_value(kept, written, slots);
  }

  void add_text(const KindField& field, Located<std::string> read, Slots& slots) {
    const bool written = read.state != State::Absent;
    if (!written && field.fallback) read = defaulted_to(*field.fallback, read.where, field.shown);
    read.field = field.shown;
    add_value(keep(std::move(read), texts_), written, slots);
  }

  void add_bool(const KindField& field, const Node& node, Slots& slots) {
    const bool written = node.exists() && !node.is_null();
    Located<bool> read;
    if (written) {
      read = set_to(node.text() == "true", node.where(), field.shown);
    } else if (field.fallback) {
      read = defaulted_to(*field.fallback == "true", node.where(), field.shown);
    }
    add_value(keep(std::move(read), bools_), written, slots);
  }

  // --- expressions ---

  Value eval(const Expr& expr, const Slots& slots) {
    eval_.slots = slots;
    eval_.steps = 0;
    return expr.eval(eval_);
  }

  bool holds(const std::optional<Expr>& expr, const Slots& slots) {
    if (!expr) return false;
    const Value value = eval(*expr, slots);
    return value.is(Value::Kind::Bool) && value.as_bool();
  }

  /// Where the fields that an expression uses are written: the first that is set, else the first. `math` of math.least
  /// is no field: it has no type.
  Origin origin_of(const Expr& expr, const Slots& slots) const {
    std::vector<const AstNode*> used;
    for (const AstNode& node : expr.ast().nodes) {
      if (node.op == Op::Ident && node.type != nullptr && node.slot < slots.size() &&
          slots[node.slot].origin() != nullptr)
        used.push_back(&node);
    }
    std::ranges::stable_sort(used, {}, &AstNode::begin);
    const Origin* best = nullptr;
    for (const AstNode* node : used) {
      const Origin* origin = slots[node->slot].origin();
      if (best == nullptr || (best->state != State::Set && origin->state == State::Set)) best = origin;
    }
    Origin out;
    if (best != nullptr) out = *best;
    if (best == nullptr || !out.where.placed()) out.where = work_.gang.where;
    if (out.state != State::Set) out.state = State::Defaulted;
    out.needs.clear();
    return out;
  }

  static std::string needs_of(const Value& value) {
    return value.is(Value::Kind::Unknown) && value.needs() != nullptr ? std::string(value.needs()->needs)
                                                                      : "a value that can be computed with";
  }

  static void take(const Value& value, std::int64_t& out) { out = value.as_int(); }
  static void take(const Value& value, std::string& out) { out = value.as_text(); }
  static void take(const Value& value, bool& out) { out = value.as_bool(); }

  template <class T>
  static constexpr Value::Kind kKindOf = std::is_same_v<T, std::int64_t> ? Value::Kind::Int
                                         : std::is_same_v<T, bool>       ? Value::Kind::Bool
                                                                         : Value::Kind::String;

  template <class T>
  Located<T> located(const Expr& expr, const Slots& slots) {
    const Value value = eval(expr, slots);
    Located<T> out;
    static_cast<Origin&>(out) = origin_of(expr, slots);
    if (value.is(kKindOf<T>)) {
      take(value, out.value);
      return out;
    }
    return unknown_until<T>(needs_of(value), out.where, out.field);
  }

  /// The first choice that applies; absent where none does.
  template <class T>
  Located<T> choose(const KindChoices& choices, const Slots& slots) {
    for (const KindChoice& choice : choices) {
      if (choice.when) {
        const Value applies = eval(*choice.when, slots);
        if (applies.is(Value::Kind::Unknown))
          return unknown_until<T>(needs_of(applies), origin_of(*choice.when, slots).where);
        if (!applies.is(Value::Kind::Bool) || !applies.as_bool()) continue;
      }
      if (!choice.unknown.empty()) {
        // What only a setting decides carries the setting's own name: link() looks for that.
        const bool setting = choice.unknown == "setting" && kind_.operator_setting;
        const std::string needs =
            setting ? setting_name(kind_.operator_setting->id, kind_.operator_setting->option) : choice.unknown;
        return unknown_until<T>(needs, choice.when ? origin_of(*choice.when, slots).where : work_.gang.where);
      }
      if (!choice.bare.empty() && slots[choice.is->ast().nodes[choice.is->ast().root].slot].is(Value::Kind::Absent))
        continue;
      return located<T>(*choice.is, slots);
    }
    return {};
  }

  // --- pod sets and roles ---

  Located<std::string> name_of_item(const Node& item, const KeyPath& path, const std::string& unnamed, std::size_t i) {
    Located<std::string> name =
        read_text(at_path(item, path), path.empty() ? "name" : std::string_view(path.back()), context_.findings);
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
      Slots slots = gang_slots_;
      slots.push_back(Value::of(arena_.copy(set.name.value)));
      slots.push_back(Value::of(static_cast<std::int64_t>(i)));
      for (const KindField& field : form.fields) add_field(field, item, slots);
      if (form.when && !holds(form.when, slots)) continue;
      set.instances = choose<std::int64_t>(form.instances, slots);
      set.min_instances = choose<std::int64_t>(form.min, slots);
      set.min_pods = choose<std::int64_t>(form.min_pods, slots);
      set.required_topology = choose<std::string>(form.required_topology, slots);
      set.highest_tier = choose<std::int64_t>(form.highest_tier, slots);
      set.apart = form.apart;
      if (form.takes) add_taken(eval(*form.takes, slots), work_.gang.pod_sets.size());
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
    for (const Located<std::int64_t>& count : {instances, least}) {
      Slots both;
      add_value(keep(Located<std::int64_t>(count), ints_), true, both);
      slots.push_back(both.front());
    }
  }

  void add_roles(const RoleForm& form) {
    if (!form.each) {
      const Node block = at_path(base_, form.at);
      return add_one(form, block, base_,
                     Located<std::string>{set_to(form.name, form.at.empty() ? work_.gang.where : block.key_where())},
                     0);
    }
    const Node list = at_path(base_, *form.each);
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

  void add_one(const RoleForm& form, const Node& item, const Node& pods_from, Located<std::string> name,
               std::size_t index) {
    if (!form.each && form.at.empty()) name.state = State::Defaulted;  // pods of one template need no name
    Slots slots = gang_slots_;
    slots.push_back(Value::of(arena_.copy(name.value)));
    slots.push_back(Value::of(static_cast<std::int64_t>(index)));
    const auto found = set_of_role_.find(name.value);
    const std::optional<std::size_t> set = found == set_of_role_.end() ? std::nullopt : std::optional(found->second);
    add_set_counts(set, slots);
    for (const KindField& field : form.fields) add_field(field, item, slots);
    Node pods = at_path(pods_from, form.pods);
    if (!pods.exists() && form.otherwise) pods = at_path(pods_from, *form.otherwise);
    const PodTemplate made_from = form.bare ? PodTemplate{pods_from, pods} : PodTemplate::of(pods);
    add_role(work_, made_from, std::move(name), choose<std::int64_t>(form.count, slots), context_);
    Role& role = work_.gang.roles.back();
    if (role.count.state == State::Absent) role.count = defaulted_to<std::int64_t>(0, role.where);
    role.min = choose<std::int64_t>(form.min, slots);
    role.pod_set = set;
    role.required_topology = choose<std::string>(form.required_topology, slots);
    role.helper = holds(form.helper, slots);
    late_.push_back(holds(form.late, slots));
    for (const auto& [sum, expr] : form.sums) {
      const Located<std::int64_t> part = located<std::int64_t>(expr, slots);
      const auto [at, fresh] = sums_.try_emplace(sum, part);
      if (fresh || at->second.unknown()) continue;
      if (part.unknown())
        at->second = part;
      else {
        const std::int64_t total = add_capped(at->second.value, part.value);
        if (!at->second.is_set()) at->second = part;  // the first that is written says where
        at->second.value = total;
      }
    }
  }

  void finish_roles() {
    const Located<std::int64_t> all = total_of(work_.gang);
    add_total(all);
    add_total(work_.gang.roles.empty() ? defaulted_to<std::int64_t>(0, work_.gang.where)
                                       : work_.gang.roles.front().count);
    for (const std::string& name : kind_.sums) {
      const auto found = sums_.find(name);
      add_total(found == sums_.end() ? defaulted_to<std::int64_t>(0, work_.gang.where) : found->second);
    }
    if (kind_.scheduler) {
      Located<std::string> scheduler = located<std::string>(*kind_.scheduler, gang_slots_);
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
    work_.gang.first_stage = defaulted_to(first, work_.gang.where, "dependsOn");
  }

  void add_total(Located<std::int64_t> total) {
    const Located<std::int64_t>& kept = keep(std::move(total), ints_);
    Slots both;
    add_value(kept, true, both);
    gang_slots_.push_back(both.front());
  }

  void finish_gang() {
    Gang& gang = work_.gang;
    gang.instances = choose<std::int64_t>(kind_.instances, gang_slots_);
    work_.requested = choose<std::int64_t>(kind_.requested, gang_slots_);
    gang.queue = choose<std::string>(kind_.queue, gang_slots_);
    gang.highest_tier = choose<std::int64_t>(kind_.highest_tier, gang_slots_);
    gang.required_topology = choose<std::string>(kind_.required_topology, gang_slots_);
    gang.topology_rests_on = kind_.topology_rests_on;
    for (const auto& [scheduler, choices] : kind_.together) {
      Located<std::int64_t> together = choose<std::int64_t>(choices, gang_slots_);
      if (together.state != State::Absent) work_.together[scheduler] = std::move(together);
    }
    if (kind_.elastic) gang.elastic = located<bool>(*kind_.elastic, gang_slots_);
    if (kind_.restarts_whole) {
      const Value whole = eval(*kind_.restarts_whole, gang_slots_);
      const bool no = !whole.is(Value::Kind::Unknown) && !(whole.is(Value::Kind::Bool) && whole.as_bool());
      gang.restarts_whole =
          no ? defaulted_to(false, gang.where, "policies") : located<bool>(*kind_.restarts_whole, gang_slots_);
    }
    if (kind_.restarts_evicted) gang.restarts_evicted = located<bool>(*kind_.restarts_evicted, gang_slots_);
    set_startup();
    set_coupling();
    set_operator();
    work_.framework = kind_.framework;
    work_.labels_from_template = kind_.labels_from_template;
  }

  void set_startup() {
    if (!kind_.startup || work_.gang.startup == Startup::Staged) return;
    const Value value = eval(*kind_.startup, gang_slots_);
    const std::optional<Startup> startup =
        value.is(Value::Kind::String) ? enum_of<Startup>(value.as_text()) : std::nullopt;
    if (startup) work_.gang.startup = *startup;
  }

  /// true: by its kind; false: never by itself; "shape", or nothing: shape and command tell.
  void set_coupling() {
    using Coupling = PodWorkload::Coupling;
    if (!kind_.collective) return;
    const Value value = eval(*kind_.collective, gang_slots_);
    if (value.is(Value::Kind::Bool))
      work_.coupling = value.as_bool() ? Coupling::ByKind : Coupling::NeverByItself;
    else if (value.is(Value::Kind::String))
      work_.coupling = value.as_text() == "no"    ? Coupling::NeverByItself
                       : value.as_text() == "yes" ? Coupling::ByKind
                                                  : Coupling::ByCommand;
    else if (value.is(Value::Kind::Unknown) && kind_.collective->type().kind == TypeKind::Bool)
      work_.coupling = Coupling::ByKind;
  }

  void set_operator() {
    if (!kind_.operator_setting) return;
    if (kind_.operator_setting->when && !holds(kind_.operator_setting->when, gang_slots_)) return;
    work_.gang.operator_id = kind_.operator_setting->id;
    work_.gang.operator_option = kind_.operator_setting->option;
    work_.gang.operator_guaranteed = choose<std::int64_t>(kind_.operator_setting->together, gang_slots_);
  }

  const KindFile& kind_;
  const Artifact& artifact_;
  const NormaliseContext& context_;
  Node base_;
  PodWorkload work_;
  Arena arena_;
  EvalContext eval_;
  Slots gang_slots_;
  std::deque<Located<std::int64_t>> ints_;
  std::deque<Located<std::string>> texts_;
  std::deque<Located<bool>> bools_;
  std::map<std::string, const Located<std::int64_t>*, std::less<>> ints_by_name_;
  std::map<std::string, Located<std::int64_t>, std::less<>> sums_;
  std::vector<bool> late_;
  std::map<std::string, std::size_t, std::less<>> set_of_role_;
};

}  // namespace

void normalise_kind(const KindFile& kind, const Artifact& artifact, const NormaliseContext& context) {
  KindReader(kind, artifact, context).run();
}

}  // namespace muster
