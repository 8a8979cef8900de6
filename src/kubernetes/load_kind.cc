#include <algorithm>
#include <array>

#include "base/strings.h"
#include "kubernetes/kind_file.h"
#include "kubernetes/kind_keys.h"
#include "rulebook/book_assets.h"

namespace muster {
namespace {

const Type& type_of(KindField::Type type) {
  switch (type) {
    case KindField::Type::Int:
    case KindField::Type::Count: return kIntType;
    case KindField::Type::Text: return kStringType;
    case KindField::Type::Bool: return kBoolType;
    case KindField::Type::Any: return kDynType;
  }
  return kDynType;
}

void add_variables(const std::vector<KindField>& fields, CompileEnv& env) {
  for (const KindField& field : fields) {
    env.variables.push_back({field.name, type_of(field.type)});
    env.variables.push_back({"has_" + field.name, kBoolType});
  }
}

class Loader {
 public:
  explicit Loader(BookReader& reader) : reader_(reader) {}

  KindFile run(const Node& root) {
    KindFile out;
    Document model;
    if (root["like"].exists()) read_model(root, model);
    if (!like_.exists()) check_kind_keys(root, reader_);
    out.id = reader_.text(root, "id");
    out.group = reader_.text_or(root, "api", "");
    out.versions = join(reader_.texts(root["versions"]), " ");
    if (out.versions.empty()) reader_.wrong(root.where(), "a kind needs `versions`");
    out.kind = reader_.text(root, "kind");
    out.doc = reader_.text(root, "doc");
    out.shown = reader_.text_or(root, "shown", out.kind);
    read_pods(root["pods"], out.pods);
    out.used_by = reader_.texts(root["used_by"]);
    out.listed = truth(root["listed"]);
    read_references(with(root, "refers")["refers"], out.refers);
    read_wraps(root["wraps"], out.wraps);
    read_form(root, out);
    const Node parts = with(root, "parts")["parts"];
    reader_.want_list(parts);
    if (parts.exists() && !out.roles.empty()) reader_.wrong(parts.where(), "a kind has `roles` or `parts`, not both");
    for (std::size_t i = 0; parts.is_sequence() && i < parts.size(); ++i)
      out.parts.push_back(read_part(parts.item(i), out));
    out.sources = reader_.texts(root["sources"]);
    if (out.sources.empty()) reader_.wrong(root.where(), "a kind needs sources");
    return out;
  }

 private:
  Loader(BookReader& reader, const CompileEnv& env, const std::vector<KindField>* kind_fields)
      : reader_(reader), env_(env), kind_fields_(kind_fields) {}

  /// The mapping that has the key: the row itself, or the one it is like.
  Node with(const Node& root, std::string_view key) const {
    return !root[key].exists() && like_.exists() ? like_ : root;
  }

  /// What a row says of its gangs stands in another, shipped one.
  void read_model(const Node& root, Document& model) {
    reader_.known_keys(root, {"id", "api", "versions", "kind", "doc", "shown", "pods", "like", "base", "metadata",
                              "used_by", "wraps", "framework", "labels_from_template", "evidence", "sources"});
    const std::string id = reader_.text(root, "like");
    const bool good = read_book_asset("rules/kinds/" + id + ".yaml", model) && !model.root()["like"].exists();
    if (good)
      like_ = model.root();
    else
      reader_.wrong(root["like"].where(), "there is no shipped kind `" + id + "` with roles of its own");
  }

  /// Everything about a gang, of a kind or of a part of one.
  void read_form(const Node& root, KindFile& out) {
    out.base = key_path(reader_.text_or(with(root, "base"), "base", ""));
    out.metadata = key_path(reader_.text_or(with(root, "metadata"), "metadata", "metadata"));
    out.fields = read_fields(with(root, "fields")["fields"]);
    add_variables(out.fields, env_);
    const Node sets = with(root, "sets")["sets"];
    reader_.want_list(sets);
    for (std::size_t i = 0; sets.is_sequence() && i < sets.size(); ++i) out.sets.push_back(read_set(sets.item(i), out));
    if (const Node roles = with(root, "roles")["roles"]; roles.exists()) read_roles(roles, out);
    read_gang(root, out);
    out.framework = reader_.text_or(with(root, "framework"), "framework", "");
    out.labels_from_template = truth(with(root, "labels_from_template")["labels_from_template"]);
    out.may_run_operator = truth(with(root, "may_run_operator")["may_run_operator"]);
    for (const std::string& field : reader_.texts(with(root, "evidence")["evidence"])) out.evidence.emplace_back(field);
  }

  bool truth(const Node& node) { return node.exists() && reader_.boolean(node).value_or(false); }

  PartForm read_part(const Node& node, const KindFile& kind) {
    check_part_keys(node, reader_);
    PartForm part;
    if (node["for"].exists()) part.each = key_path(reader_.text(node, "for"));
    part.name = reader_.text_or(node, "name", "");
    part.name_path = key_path(reader_.text_or(node, "name_path", ""));
    part.unnamed = reader_.text_or(node, "unnamed", "part");
    part.own_metadata = node["metadata"].exists();
    CompileEnv env = fields_env_;
    env.variables.push_back({"part", kStringType});
    Loader loader(reader_, env, &kind.fields);
    loader.references_ = references_;
    loader.read_form(node, part.form);
    part.when = loader.expression(node["when"], loader.fields_env_);
    if (part.form.roles.empty()) reader_.wrong(node.where(), "a part has roles");
    return part;
  }

  void read_references(const Node& node, std::vector<ReferenceForm>& out) {
    reader_.want_mapping(node);
    for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) {
      const Node one = node.value(i);
      reader_.known_keys(one, {"api", "kinds", "name"});
      ReferenceForm form;
      form.name = node.key(i).text();
      check_name(form.name, one, {});
      form.group = reader_.text_or(one, "api", "");
      form.kinds = reader_.texts(one["kinds"]);
      form.path = key_path(reader_.text(one, "name"));
      references_.push_back(form.name);
      env_.variables.push_back({form.name, kStringType});
      env_.variables.push_back({"has_" + form.name, kBoolType});
      out.push_back(std::move(form));
    }
  }

  void read_wraps(const Node& node, std::vector<WrapForm>& out) {
    reader_.want_list(node);
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) {
      const Node one = node.item(i);
      reader_.known_keys(one, {"for", "at", "text", "queued_as_one", "whole", "instances", "usual"});
      WrapForm form;
      if (one["for"].exists()) form.each = key_path(reader_.text(one, "for"));
      form.at = key_path(reader_.text_or(one, "at", ""));
      form.text = truth(one["text"]);
      form.queued_as_one = truth(one["queued_as_one"]);
      form.whole = !one["whole"].exists() || truth(one["whole"]);
      form.instances = key_path(reader_.text_or(one, "instances", ""));
      form.usual = parse_int(reader_.text_or(one, "usual", "1")).value_or(1);
      out.push_back(std::move(form));
    }
  }

  /// The object that a field or role says it stands in.
  std::string reference(const Node& node) {
    if (!node["in"].exists()) return {};
    std::string name = reader_.text(node, "in");
    if (std::ranges::find(references_, name) == references_.end())
      reader_.wrong(node["in"].where(), "`refers` has no `" + name + "`");
    return name;
  }

  void read_pods(const Node& node, KindPods& out) {
    if (!node.exists()) return;  // whether they end is not known then
    reader_.known_keys(node, {"label", "group_label", "size_annotation", "resource", "ends", "needs_all", "makes"});
    out.labels = reader_.texts(node["label"]);
    out.group_label = reader_.text_or(node, "group_label", "");
    if (!out.group_label.empty() && out.labels.empty())
      reader_.wrong(node.where(), "a `group_label` parts what a `label` names");
    out.size_annotation = reader_.text_or(node, "size_annotation", "");
    out.resource = reader_.text_or(node, "resource", "");
    reader_.text(node, "ends");
    out.ends = reader_.word(node["ends"], Ends::Unknown);
    out.needs_all = node["needs_all"].exists() && reader_.boolean(node["needs_all"]).value_or(false);
    out.makes = reader_.texts(node["makes"]);
  }

  std::vector<KindField> read_fields(const Node& fields) {
    std::vector<KindField> out;
    reader_.want_mapping(fields);
    for (std::size_t i = 0; fields.is_mapping() && i < fields.size(); ++i) {
      out.push_back(read_field(std::string(fields.key(i).text()), fields.value(i), out));
    }
    return out;
  }

  KindField read_field(std::string name, const Node& node, const std::vector<KindField>& before) {
    reader_.known_keys(node, {"path", "annotation", "label", "type", "default", "in"});
    check_name(name, node, before);
    KindField field;
    field.name = std::move(name);
    if (node["annotation"].exists()) {
      field.from = KindField::From::Annotation;
      field.path = {reader_.text(node, "annotation")};
    } else if (node["label"].exists()) {
      field.from = KindField::From::Label;
      field.path = {reader_.text(node, "label")};
    } else {
      // A list of steps where one of them has a dot.
      field.path = node["path"].is_sequence() ? reader_.texts(node["path"]) : key_path(reader_.text(node, "path"));
    }
    field.shown = field.path.empty() ? field.name : field.path.back();
    field.in = reference(node);
    reader_.text(node, "type");
    field.type = reader_.word(node["type"], KindField::Type::Int);
    if (node["default"].exists()) {
      field.fallback = reader_.text(node, "default");
      check_default(field, node["default"], before);
    }
    return field;
  }

  /// Expressions call it by its name.
  void check_name(const std::string& name, const Node& node, const std::vector<KindField>& before) {
    constexpr std::array<std::string_view, 7> kTaken{"all", "first", "in_sets", "index", "key", "min_sets", "part"};
    const bool word = !name.empty() && !is_digit(name.front()) &&
                      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == name.npos;
    const bool taken = std::ranges::find(kTaken, name) != kTaken.end() || name.starts_with("has_");
    if (!word || taken)
      reader_.wrong(node.key_where(),
                    "`" + name + "` is no name of a field" +
                        (taken ? ": it stands for something else" : ": a small letter, then letters, digits and _"));
    if (std::ranges::find(before, name, &KindField::name) != before.end())
      reader_.wrong(node.key_where(), "there are two fields called `" + name + "`");
  }

  void check_default(const KindField& field, const Node& node, const std::vector<KindField>& before) {
    const std::string& text = *field.fallback;
    const bool other =
        std::ranges::any_of(before, [&](const KindField& one) { return one.name == text && one.type == field.type; });
    const bool number = field.type == KindField::Type::Int || field.type == KindField::Type::Count;
    const bool literal = number                                ? parse_int(text).has_value()
                         : field.type == KindField::Type::Bool ? text == "true" || text == "false"
                                                               : field.type == KindField::Type::Text;
    if (!literal && !other)
      reader_.wrong(node.where(), "`" + text + "` is neither a value of this type nor an earlier field");
  }

  std::optional<Expr> expression(const Node& node, const CompileEnv& env, const Type& wanted = kBoolType) {
    if (!node.exists()) return std::nullopt;
    std::optional<Expr> out = reader_.expression(node, env);
    if (out && !fits(out->type(), wanted))
      reader_.wrong(node.where(), "expected " + name_of(wanted) + ", got " + name_of(out->type()));
    return out;
  }

  KindChoice read_choice(const Node& node, const CompileEnv& env,
                         const std::vector<const std::vector<KindField>*>& fields, const Type& wanted) {
    KindChoice out;
    const Node is = node.is_mapping() ? node["is"] : node;
    if (node.is_mapping()) {
      reader_.known_keys(node, {"when", "is", "unknown"});
      out.when = expression(node["when"], env);
      out.unknown = reader_.text_or(node, "unknown", "");
    }
    if (!out.unknown.empty()) return out;
    if (!is.exists()) reader_.wrong(node.where(), "`is` is missing");
    out.is = expression(is, env, wanted);
    for (const std::vector<KindField>* list : fields) {
      for (const KindField& field : *list) {
        if (field.name == trim(is.text())) out.bare = field.name;
      }
    }
    return out;
  }

  KindChoices read_choices(const Node& node, const CompileEnv& env,
                           const std::vector<const std::vector<KindField>*>& fields, const Type& wanted = kIntType) {
    KindChoices out;
    if (!node.exists()) return out;
    if (!node.is_sequence()) {
      out.push_back(read_choice(node, env, fields, wanted));
      return out;
    }
    for (std::size_t i = 0; i < node.size(); ++i) out.push_back(read_choice(node.item(i), env, fields, wanted));
    return out;
  }

  SetForm read_set(const Node& node, KindFile& kind) {
    reader_.known_keys(node, {"for", "fields", "name_path", "unnamed", "when", "takes", "instances", "min", "min_pods",
                              "required_topology", "highest_tier", "apart"});
    SetForm form;
    form.each = key_path(reader_.text(node, "for"));
    form.fields = read_fields(node["fields"]);
    form.name_path = key_path(reader_.text(node, "name_path"));
    form.unnamed = reader_.text_or(node, "unnamed", "");
    CompileEnv env;
    env.variables = env_.variables;
    env.variables.push_back({"key", kStringType});
    env.variables.push_back({"index", kIntType});
    add_variables(form.fields, env);
    const std::vector<const std::vector<KindField>*> fields{&kind.fields, &form.fields};
    form.when = expression(node["when"], env);
    form.instances = read_choices(node["instances"], env, fields);
    form.min = read_choices(node["min"], env, fields);
    form.min_pods = read_choices(node["min_pods"], env, fields);
    form.required_topology = read_choices(node["required_topology"], env, fields, kStringType);
    form.highest_tier = read_choices(node["highest_tier"], env, fields);
    form.apart = node["apart"].exists() && reader_.boolean(node["apart"]).value_or(false);
    form.takes = expression(node["takes"], env, kDynType);
    if (!form.takes) reader_.wrong(node.where(), "a pod set needs `takes`");
    if (form.takes && !fits(form.takes->type(), kStringType) && !fits(form.takes->type(), kStringListType))
      reader_.wrong(node["takes"].where(), "expected the name of a role, or a list of them");
    return form;
  }

  void read_roles(const Node& roles, KindFile& out) {
    if (!roles.is_sequence() || roles.size() == 0) reader_.wrong(roles.where(), "a workload kind has roles");
    for (std::size_t i = 0; roles.is_sequence() && i < roles.size(); ++i)
      out.roles.push_back(read_role(roles.item(i), out));
  }

  RoleForm read_role(const Node& node, KindFile& kind) {
    check_role_keys(node, reader_);
    RoleForm form;
    if (node["for"].exists()) form.each = key_path(reader_.text(node, "for"));
    form.in = reference(node);
    form.at = key_path(reader_.text_or(node, "at", ""));
    form.fields = read_fields(node["fields"]);
    form.name = reader_.text_or(node, "name", "");
    form.name_path = key_path(reader_.text_or(node, "name_path", ""));
    form.unnamed = reader_.text_or(node, "unnamed", "");
    form.bare = node["pod_spec"].exists();
    read_pod_form(node, form);
    CompileEnv env;
    env.variables = env_.variables;
    env.variables.push_back({"key", kStringType});
    env.variables.push_back({"index", kIntType});
    env.variables.push_back({"in_sets", kIntType});
    env.variables.push_back({"min_sets", kIntType});
    add_variables(form.fields, env);
    std::vector<const std::vector<KindField>*> fields{&kind.fields, &form.fields};
    if (kind_fields_ != nullptr) fields.push_back(kind_fields_);
    form.when = expression(node["when"], env);
    form.unless = expression(node["unless"], env);
    form.accelerators = read_choices(node["accelerators"], env, fields);
    form.accelerators_win = expression(node["accelerators_win"], env);
    form.accelerator = expression(node["accelerator"], env, kStringType);
    form.scheduler = read_choices(node["scheduler"], env, fields, kStringType);
    form.count = read_choices(node["count"], env, fields);
    if (form.count.empty()) reader_.wrong(node.where(), "a role needs a count");
    form.min = read_choices(node["min"], env, fields);
    form.required_topology = read_choices(node["required_topology"], env, fields, kStringType);
    form.helper = expression(node["helper"], env);
    form.late = expression(node["late"], env);
    const Node sums = node["sums"];
    reader_.want_mapping(sums);
    for (std::size_t i = 0; sums.is_mapping() && i < sums.size(); ++i) {
      const std::string name(sums.key(i).text());
      if (std::optional<Expr> expr = expression(sums.value(i), env, kIntType))
        form.sums.emplace_back(name, std::move(*expr));
      if (std::ranges::find(kind.sums, name) == kind.sums.end()) kind.sums.push_back(name);
    }
    return form;
  }

  void read_pod_form(const Node& node, RoleForm& form) {
    const auto paths = [&](std::string_view key) {
      std::vector<KeyPath> out;
      for (const std::string& path : reader_.texts(node[key])) out.push_back(key_path(path));
      return out;
    };
    form.containers = paths("containers");
    form.resources = paths("resources");
    form.resources_win = truth(node["resources_win"]);
    read_patches(node["patches"], form.patches);
    const std::string_view pods = form.bare ? "pod_spec" : "pods";
    const bool other = !form.containers.empty() || !form.resources.empty() || node["accelerators"].exists();
    form.has_pods = node[pods].exists() || !other;
    form.pods = key_path(form.has_pods ? reader_.text(node, pods) : "");
    if (node["otherwise"].exists()) form.otherwise = key_path(reader_.text(node, "otherwise"));
    if (node["metadata"].exists()) form.metadata = key_path(reader_.text(node, "metadata"));
    if (node["metadata_under"].exists()) form.metadata_under = key_path(reader_.text(node, "metadata_under"));
  }

  void read_patches(const Node& node, std::vector<PatchForm>& out) {
    reader_.want_list(node);
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) {
      const Node one = node.item(i);
      reader_.known_keys(one, {"at", "container", "text", "outer"});
      out.push_back({key_path(reader_.text(one, "at")), reader_.text_or(one, "container", ""), truth(one["text"]),
                     truth(one["outer"])});
    }
  }

  void read_gang(const Node& root, KindFile& out) {
    fields_env_ = env_;
    env_.variables.push_back({"all", kIntType});
    env_.variables.push_back({"first", kIntType});
    for (const std::string& sum : out.sums) env_.variables.push_back({sum, kIntType});
    std::vector<const std::vector<KindField>*> fields{&out.fields};
    if (kind_fields_ != nullptr) fields.push_back(kind_fields_);
    out.instances = read_choices(with(root, "instances")["instances"], env_, fields);
    out.requested = read_choices(with(root, "requested")["requested"], env_, fields);
    out.queue = read_choices(with(root, "queue")["queue"], env_, fields, kStringType);
    out.highest_tier = read_choices(with(root, "highest_tier")["highest_tier"], env_, fields);
    out.required_topology =
        read_choices(with(root, "required_topology")["required_topology"], env_, fields, kStringType);
    out.topology_rests_on = reader_.text_or(with(root, "topology_rests_on"), "topology_rests_on", "");
    const Node together = with(root, "together")["together"];
    reader_.want_mapping(together);
    for (std::size_t i = 0; together.is_mapping() && i < together.size(); ++i) {
      out.together.emplace_back(std::string(together.key(i).text()), read_choices(together.value(i), env_, fields));
    }
    out.collective = expression(with(root, "collective")["collective"], env_, kDynType);
    if (out.collective && !fits(out.collective->type(), kBoolType) && !fits(out.collective->type(), kStringType))
      reader_.wrong(with(root, "collective")["collective"].where(),
                    "expected true or false, or `yes`, `no` or `shape`");
    out.elastic = expression(with(root, "elastic")["elastic"], env_);
    out.startup = expression(with(root, "startup")["startup"], env_, kStringType);
    out.restarts_whole = expression(with(root, "restarts_whole")["restarts_whole"], env_);
    out.restarts_evicted = expression(with(root, "restarts_evicted")["restarts_evicted"], env_);
    out.scheduler = expression(with(root, "scheduler")["scheduler"], env_, kStringType);
    out.operator_setting = read_operator(with(root, "operator")["operator"], fields);
    out.once_stated = read_operator(with(root, "once_stated")["once_stated"], fields);
  }

  std::optional<KindOperator> read_operator(const Node& node,
                                            const std::vector<const std::vector<KindField>*>& fields) {
    if (!node.exists()) return std::nullopt;
    reader_.known_keys(node, {"id", "setting", "when", "together", "means"});
    return KindOperator{reader_.text(node, "id"), reader_.text(node, "setting"), expression(node["when"], env_),
                        read_choices(node["together"], env_, fields), expression(node["means"], env_, kStringType)};
  }

  BookReader& reader_;
  CompileEnv env_;
  CompileEnv fields_env_;                                ///< before the sums of a gang are known
  const std::vector<KindField>* kind_fields_ = nullptr;  ///< of the kind that a part belongs to
  std::vector<std::string> references_;
  Node like_;
};

}  // namespace

KindFile load_kind(const Node& root, BookReader& reader) { return Loader(reader).run(root); }

}  // namespace muster
