#include <algorithm>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "cli/explain_book.h"
#include "cli/knowledge_text.h"

namespace muster {
namespace {

/// A column for names that fits the longest, within reason.
class Column {
 public:
  void fit(const std::string& text) { width_ = std::min(std::max(width_, text.size()), std::size_t{36}); }
  std::string label(const std::string& text) const {
    const std::string name = printable(text);
    return "  " + name + std::string(name.size() < width_ ? width_ - name.size() : 0, ' ') + "  ";
  }
  std::size_t indent() const { return width_ + 4; }

 private:
  std::size_t width_ = 0;
};

struct Row {
  std::string name;
  std::string text;
};

void write_rows(std::string_view title, const std::vector<Row>& rows, std::ostream& out) {
  if (rows.empty()) return;
  out << "\n" << title << "\n";
  Column column;
  for (const Row& row : rows) column.fit(row.name);
  for (const Row& row : rows) out << wrapped(column.label(row.name), printable(row.text), column.indent());
}

void write_sources(const std::vector<std::string>& sources, std::ostream& out) {
  out << "\nSources\n";
  for (const std::string& source : sources) out << wrapped("  ", printable(source), 4);
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back("`" + word + "`");
  return join(out, ", ");
}

/// `a` and `b`
std::string quoted_all(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back("`" + word + "`");
  return join(out, " and ");
}

std::string text_of(const KindField& field) {
  std::string out(name_of(field.type));
  switch (field.from) {
    case KindField::From::Object: out += " at " + path_text(field.path); break;
    case KindField::From::Annotation: out += ", annotation " + path_text(field.path); break;
    case KindField::From::Label: out += ", label " + path_text(field.path); break;
  }
  if (field.fallback)
    out += field.type == KindField::Type::Text ? ", else \"" + *field.fallback + "\"" : ", else " + *field.fallback;
  return out;
}

void add_expression(std::vector<Row>& rows, const std::string& name, const std::optional<Expr>& expr) {
  if (expr) rows.push_back({name, std::string(expr->text())});
}

/// Where somebody can say how a setting is.
std::string places_of(const Operator& which, const OperatorOption& option) {
  std::vector<std::string> out;
  if (!option.flag.empty()) out.push_back("the flag " + option.flag + " of its Deployment");
  if (!option.legacy_flag.empty())
    out.push_back(option.legacy_flag + ", which stands for `" + option.legacy_means + "`");
  if (!option.config.empty() && !which.config.api.empty())
    out.push_back(option.config + " of its " + which.config.kind + " (" + which.config.api + "), also in a ConfigMap");
  if (!option.config.empty() && !which.chart_config.empty())
    out.push_back("the same in " + which.chart_config + " of the values of its chart");
  if (!option.helm.empty()) out.push_back(option.helm + " of the values of its chart");
  out.push_back("`operators` of muster.yaml or a fleet file, --set");
  return join(out, "; ");
}

std::string shipped_of(const OperatorOption& option) {
  if (!option.list.empty()) return join(option.list, ", ");
  if (!option.fallback) return "nothing is usual" + (option.words.empty() ? "" : ": " + option.words);
  return option.fallback->empty() ? "nothing" : "`" + *option.fallback + "`";
}

void add_option(const Operator& which, const OperatorOption& option, std::vector<Row>& rows) {
  rows.push_back({"name", setting_name(which.id, option.name)});
  rows.push_back({"as shipped", shipped_of(option) + (option.says.empty() ? "" : ": it " + option.says)});
  rows.push_back({"read from", places_of(which, option)});
}

std::string title_of_kind(const KindFile& kind) {
  std::vector<std::string> apis;
  for (const std::string_view version : split(kind.versions, ' '))
    apis.push_back((kind.group.empty() ? "" : kind.group + "/") + std::string(version));
  return "kind " + kind.id + ": " + kind.kind + " of " + join(apis, ", ");
}

std::string paths_text(const std::vector<KeyPath>& paths) {
  std::vector<std::string> out;
  for (const KeyPath& path : paths) out.push_back(path_text(path));
  return join(out, ", ");
}

void explain_roles(const KindFile& kind, std::ostream& out) {
  out << "\nPods: N is the sum of their counts\n";
  for (const RoleForm& role : kind.roles) {
    out << wrapped("  ",
                   printable((role.each ? "for each of " + path_text(*role.each) : role.name) +
                             (role.in.empty() ? "" : " of its " + role.in)),
                   4);
    std::vector<Row> rows;
    add_expression(rows, "  only if", role.when);
    if (role.has_pods)
      rows.push_back(
          {"  template", path_text(role.pods) + (role.otherwise ? ", else " + path_text(*role.otherwise) : "")});
    if (!role.containers.empty()) rows.push_back({"  containers", paths_text(role.containers)});
    if (!role.resources.empty()) rows.push_back({"  resources", paths_text(role.resources)});
    if (!role.accelerators.empty()) rows.push_back({"  accelerators", text_of(role.accelerators, kind)});
    for (const KindField& field : role.fields) rows.push_back({"  " + field.name, text_of(field)});
    rows.push_back({"  count", text_of(role.count, kind)});
    if (!role.min.empty()) rows.push_back({"  at least", text_of(role.min, kind)});
    if (!role.required_topology.empty()) rows.push_back({"  within one", text_of(role.required_topology, kind)});
    add_expression(rows, "  helper if", role.helper);
    add_expression(rows, "  later if", role.late);
    for (const auto& [name, expr] : role.sums) rows.push_back({"  adds to " + name, std::string(expr.text())});
    Column column;
    for (const Row& row : rows) column.fit(row.name);
    for (const Row& row : rows) out << wrapped(column.label(row.name), printable(row.text), column.indent());
  }
}

void explain_sets(const KindFile& kind, std::ostream& out) {
  for (const SetForm& set : kind.sets) {
    std::vector<Row> rows;
    for (const KindField& field : set.fields) rows.push_back({field.name, text_of(field)});
    add_expression(rows, "only if", set.when);
    add_expression(rows, "pods of role", set.takes);
    for (const auto& [name, choices] :
         std::initializer_list<std::pair<std::string, const KindChoices*>>{{"instances", &set.instances},
                                                                           {"at least", &set.min},
                                                                           {"at least pods", &set.min_pods},
                                                                           {"within one", &set.required_topology},
                                                                           {"highest tier", &set.highest_tier}}) {
      if (!choices->empty()) rows.push_back({name, text_of(*choices, kind)});
    }
    if (set.apart) rows.push_back({"beyond", "placed later, each as a gang of its own"});
    write_rows("Pods that are taken as one, for each of " + printable(path_text(set.each)), rows, out);
  }
}

void explain_pods(const KindPods& pods, std::ostream& out) {
  std::vector<Row> rows;
  if (!pods.labels.empty()) rows.push_back({"label", quoted_list(pods.labels)});
  if (!pods.group_label.empty()) rows.push_back({"a gang for each", pods.group_label});
  if (!pods.size_annotation.empty()) rows.push_back({"its size", "annotation " + pods.size_annotation});
  if (!pods.resource.empty()) rows.push_back({"for kubectl", pods.resource});
  if (!pods.makes.empty()) rows.push_back({"makes", join(pods.makes, ", ")});
  if (rows.empty()) return;
  rows.push_back({"end by themselves", std::string(name_of(pods.ends))});
  write_rows("Its pods in a cluster", rows, out);
}

void explain_together(const KindFile& kind, const Knowledge& knowledge, std::ostream& out) {
  std::vector<Row> rows;
  for (const auto& [scheduler, choices] : kind.together) rows.push_back({scheduler, text_of(choices, kind)});
  rows.push_back(
      {kind.together.empty() ? "all" : "others", "as `muster explain SCHEDULER` says for kinds that say nothing"});
  write_rows("K, the pods that are placed together, by scheduler", rows, out);
  if (!kind.operator_setting) return;
  const KindOperator& setting = *kind.operator_setting;
  const Operator* which = knowledge.schedulers().find_operator(setting.id);
  const OperatorOption* option = which == nullptr ? nullptr : which->find(setting.option);
  if (option == nullptr) return;
  rows.clear();
  add_option(*which, *option, rows);
  add_expression(rows, "decides where", setting.when);
  rows.push_back({"K if it names one", text_of(setting.together, kind)});
  write_rows("The operator's setting, where no schedulerName is written", rows, out);
}

/// What it says of other objects.
void explain_others(const KindFile& kind, std::ostream& out) {
  std::vector<Row> rows;
  for (const ReferenceForm& form : kind.refers)
    rows.push_back({form.name, join(form.kinds, " or ") + " called by " + path_text(form.path)});
  for (const WrapForm& form : kind.wraps)
    rows.push_back({"holds", (form.text ? "texts of objects at " : "objects at ") +
                                 (form.each ? "each of " + path_text(*form.each) + " " : "") + path_text(form.at)});
  if (!kind.used_by.empty()) rows.push_back({"used by", join(kind.used_by, ", ")});
  if (!rows.empty()) write_rows("Other objects", rows, out);
}

void explain_gang(const KindFile& kind, const Knowledge& knowledge, std::ostream& out) {
  std::vector<Row> rows;
  for (const KindField& field : kind.fields) rows.push_back({field.name, text_of(field)});
  write_rows(kind.base.empty() ? "Fields" : "Fields, below " + path_text(kind.base), rows, out);
  explain_sets(kind, out);
  if (!kind.roles.empty()) explain_roles(kind, out);
  rows.clear();
  if (!kind.instances.empty()) rows.push_back({"instances", text_of(kind.instances, kind)});
  if (!kind.requested.empty()) rows.push_back({"asks for K", text_of(kind.requested, kind)});
  if (!kind.queue.empty()) rows.push_back({"queue", text_of(kind.queue, kind)});
  if (!kind.highest_tier.empty()) rows.push_back({"highest tier", text_of(kind.highest_tier, kind)});
  if (!kind.required_topology.empty()) rows.push_back({"within one", text_of(kind.required_topology, kind)});
  add_expression(rows, "one collective", kind.collective);
  add_expression(rows, "elastic", kind.elastic);
  add_expression(rows, "starts", kind.startup);
  add_expression(rows, "restarts whole", kind.restarts_whole);
  add_expression(rows, "also if evicted", kind.restarts_evicted);
  add_expression(rows, "scheduler", kind.scheduler);
  if (!kind.framework.empty()) rows.push_back({"Kueue calls it", kind.framework});
  write_rows("The gang", rows, out);
  if (!kind.roles.empty()) explain_together(kind, knowledge, out);
}

void explain_kind(const KindFile& kind, const Knowledge& knowledge, std::ostream& out) {
  out << wrapped("", printable(title_of_kind(kind)), 2) << wrapped("", printable(kind.doc), 0);
  explain_others(kind, out);
  explain_gang(kind, knowledge, out);
  for (const PartForm& part : kind.parts) {
    out << "\n"
        << wrapped("",
                   printable(part.each ? "A gang for each of " + path_text(*part.each) : "The gang " + part.name) +
                       (part.when ? ", if " + printable(std::string(part.when->text())) : ""),
                   2);
    explain_gang(part.form, knowledge, out);
  }
  explain_pods(kind.pods, out);
  write_sources(kind.sources, out);
}

void explain_scheduler(const Scheduler& row, const Knowledge& knowledge, std::ostream& out) {
  out << wrapped("scheduler " + row.id + ": ", printable(row.doc), 2);
  std::vector<Row> rows;
  if (!row.like.empty()) rows.push_back({"like", row.like});
  rows.push_back({"schedulerName", row.names.empty() ? "none of its own" : quoted_list(row.names)});
  std::string mechanism(name_of(row.mechanism));
  if (row.without_group) mechanism += ", pods of no group " + std::string(name_of(*row.without_group));
  if (row.style)
    mechanism += ", " + std::string(name_of(row.style->mechanism)) + " where " + text_of(row.style->mark) + " holds `" +
                 row.style->contains + "`";
  rows.push_back({"mechanism", mechanism});
  if (row.admits) rows.push_back({"admits by", text_of(*row.admits)});
  if (!row.binds.empty()) rows.push_back({"binds", "it does not; scheduler " + row.binds + " does"});
  if (row.manages)
    rows.push_back({"manages", "the kinds in `" + setting_name(row.manages->of, row.manages->setting) + "`"});
  if (!row.placed_by.empty()) rows.push_back({"places by itself", "with any of " + quoted_list(row.placed_by)});
  if (!row.membership.empty()) rows.push_back({"membership", text_of(row.membership)});
  std::vector<std::string> groups;
  for (const GangSystem group : row.groups) groups.emplace_back(name_of(group));
  if (!groups.empty()) rows.push_back({"PodGroups", "it reads those of " + join(groups, ", ")});
  if (!row.group_under_default.empty())
    rows.push_back({"default-scheduler", "reads its PodGroups depending on `" +
                                             setting_name(row.group_under_default.of, row.group_under_default.setting) +
                                             "`"});
  if (row.pod_group) rows.push_back({"its PodGroup", row.pod_group->group + " " + row.pod_group->versions});
  if (row.sub_group) rows.push_back({"sub-group", text_of(*row.sub_group)});
  if (row.task_groups) rows.push_back({"task groups", text_of(row.task_groups->list)});
  if (!row.reserves.empty()) rows.push_back({"room before", "may come with " + text_of(row.reserves)});
  if (!row.queue.empty()) rows.push_back({"queue", text_of(row.queue)});
  if (!row.queue_object.empty())
    rows.push_back(
        {"queue object", row.queue_object + (row.queue_in_namespace ? ", of the namespace" : ", of the cluster")});
  if (!row.given_queues.empty()) rows.push_back({"given queues", join(row.given_queues, ", ")});
  if (!row.required_topology.empty()) rows.push_back({"topology", text_of(row.required_topology)});
  if (row.template_topology) {
    rows.push_back({"pods of a template", "within one " + row.template_topology->required});
    if (!row.template_topology->slices.empty())
      rows.push_back(
          {"so many at a time", row.template_topology->slice_size + " within one " + row.template_topology->slices});
  }
  write_rows("How it works", rows, out);
  rows.clear();
  if (!row.min.empty()) rows.push_back({"written", text_of(row.min)});
  if (!row.guaranteed_field.empty()) rows.push_back({"would be written", row.guaranteed_field});
  for (const KindFile* kind : knowledge.described()) {
    for (const auto& [scheduler, choices] : kind->together) {
      if (scheduler == row.id || (scheduler == row.like && !row.like.empty()))
        rows.push_back({kind->id, text_of(choices, *kind)});
    }
  }
  rows.push_back({rows.empty() ? "all kinds" : "other kinds", row.admits ? "N" : "1"});
  write_rows("K, the pods that are placed together, by kind", rows, out);
  write_sources(row.sources, out);
}

void explain_operator(const Operator& which, const Knowledge& knowledge, std::ostream& out) {
  out << wrapped("operator " + which.id + ": ", printable(which.doc), 2);
  const bool has_flags =
      std::ranges::any_of(which.settings, [](const OperatorOption& option) { return !option.flag.empty(); });
  if (!which.image.empty() && has_flags)
    out << wrapped("", "known by an image whose name holds " + printable(quoted_all(which.image)), 0);
  for (const OperatorOption& option : which.settings) {
    std::vector<Row> rows;
    add_option(which, option, rows);
    std::vector<std::string> kinds;
    for (const KindFile* kind : knowledge.described()) {
      if (kind->operator_setting && kind->operator_setting->id == which.id &&
          kind->operator_setting->option == option.name)
        kinds.push_back(kind->kind);
    }
    if (!kinds.empty()) rows.push_back({"decides for", join(kinds, ", ")});
    write_rows("Setting " + printable(option.name), rows, out);
  }
  write_sources(which.sources, out);
}

class Paragraphs {
 public:
  explicit Paragraphs(std::ostream& out) : out_(out) {}
  void next() {
    if (any) out_ << "\n";
    any = true;
  }
  bool any = false;

 private:
  std::ostream& out_;
};

}  // namespace

bool explain_knowledge(std::string_view name, const Knowledge& knowledge, std::ostream& out) {
  Paragraphs paragraphs(out);
  for (const KindFile* kind : knowledge.described()) {
    if (kind->id != name && !equals_ignoring_case(kind->kind, name)) continue;
    paragraphs.next();
    explain_kind(*kind, knowledge, out);
  }
  for (const Scheduler& row : knowledge.schedulers().schedulers) {
    if (row.id != name && std::ranges::find(row.names, name) == row.names.end()) continue;
    paragraphs.next();
    explain_scheduler(row, knowledge, out);
  }
  for (const Operator& which : knowledge.schedulers().operators) {
    if (which.id != name) continue;
    paragraphs.next();
    explain_operator(which, knowledge, out);
  }
  for (const Kind& kind : knowledge.kinds().all()) {
    const bool named = kind.id == name || (!kind.object_kind.empty() && equals_ignoring_case(kind.object_kind, name));
    if (!named || kind.described != nullptr) continue;
    paragraphs.next();
    out << kind.id << ": " << kind.doc
        << (kind.group.empty() ? "" : ", " + std::string(kind.group) + " " + std::string(kind.versions)) << "\n";
  }
  return paragraphs.any;
}

void add_known_names(const Knowledge& knowledge, std::vector<std::string_view>& out) {
  for (const Kind& kind : knowledge.kinds().all()) {
    out.push_back(kind.id);
    if (!kind.object_kind.empty() && std::ranges::find(out, kind.object_kind) == out.end())
      out.push_back(kind.object_kind);
  }
  for (const Scheduler& row : knowledge.schedulers().schedulers) out.push_back(row.id);
  for (const Operator& which : knowledge.schedulers().operators) out.push_back(which.id);
}

}  // namespace muster
