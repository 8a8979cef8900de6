#include "gang/load_scheduler.h"

#include <array>

#include "base/strings.h"

namespace muster {
namespace {

struct MarkKey {
  std::string_view key;
  Mark::In in;
};
constexpr std::array kMarkKeys{MarkKey{"label", Mark::In::Label}, MarkKey{"annotation", Mark::In::Annotation},
                               MarkKey{"field", Mark::In::Field}};

Mark read_mark_row(const Node& node, BookReader& reader) {
  Mark mark;
  bool found = false;
  for (const MarkKey& one : kMarkKeys) {
    if (!node[one.key].exists()) continue;
    if (found) reader.wrong(node.where(), "a mark is one of label, annotation and field");
    mark.in = one.in;
    mark.key = reader.text(node, one.key);
    found = true;
  }
  if (!found) reader.wrong(node.where(), "expected a label, an annotation or a field");
  mark.on = reader.word_of(node["on"], {"template", "object"}, "template") == "object" ? Mark::On::Object
                                                                                       : Mark::On::Template;
  mark.stray_is_harmless = reader.word_of(node["stray"], {"harmless"}, "") == "harmless";
  mark.until = reader.text_or(node, "until", "");
  return mark;
}

std::optional<Mark> read_mark(const Node& node, BookReader& reader) {
  if (!node.exists()) return std::nullopt;
  reader.known_keys(node, {"label", "annotation", "field", "on", "stray", "until"});
  return read_mark_row(node, reader);
}

std::vector<Mark> read_marks(const Node& list, BookReader& reader) {
  std::vector<Mark> out;
  reader.want_list(list);
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) out.push_back(*read_mark(list.item(i), reader));
  return out;
}

/// `podgroup-*`: names that begin so; `*`: all.
std::optional<std::string> read_made(const Node& node, BookReader& reader) {
  const std::string text = reader.text_or(node, "made", "");
  if (text.empty()) return std::nullopt;
  if (!text.ends_with('*')) reader.wrong(node["made"].where(), "expected how the names begin, with `*` behind it");
  return text.substr(0, text.size() - 1);
}

void read_membership(const Node& list, Scheduler& out, BookReader& reader) {
  reader.want_list(list);
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node node = list.item(i);
    reader.known_keys(node, {"label", "annotation", "field", "stray", "with", "owned_with", "made", "object", "total"});
    MembershipMark mark;
    static_cast<Mark&>(mark) = read_mark_row(node, reader);
    mark.with = reader.text_or(node, "with", "");
    mark.owned_with = reader.text_or(node, "owned_with", "");
    mark.made = read_made(node, reader);
    mark.has_object = reader.word_of(node["object"], {"none"}, "").empty();
    mark.total = reader.text_or(node, "total", "");
    out.membership.push_back(std::move(mark));
  }
  if (out.membership.empty()) return;
  out.membership_of = enum_of<GangSystem>(out.id);
  if (!out.membership_of) reader.wrong(list.where(), "`" + out.id + "` has no groups that muster knows");
}

void read_pod_group(const Node& node, Scheduler& out, BookReader& reader) {
  if (!node.exists()) {
    for (const MembershipMark& mark : out.membership) {
      if (mark.has_object) return reader.wrong("`" + out.id + "` says who is in a PodGroup, not what one is");
    }
    return;
  }
  reader.known_keys(node, {"doc", "api", "versions", "min", "queue", "conditions"});
  PodGroupForm form;
  form.id = out.id + "-pod-group";
  form.doc = reader.text(node, "doc");
  form.group = reader.text(node, "api");
  form.versions = join(reader.texts(node["versions"]), " ");
  form.min = key_path(reader.text(node, "min"));
  form.queue = key_path(reader.text_or(node, "queue", ""));
  for (const std::string& path : reader.texts(node["conditions"])) form.conditions.push_back(key_path(path));
  if (!out.membership_of) reader.wrong(node.where(), "a PodGroup needs a membership: how its pods name it");
  out.pod_group = std::move(form);
}

SettingName read_setting_name(const Node& node, BookReader& reader) {
  reader.known_keys(node, {"operator", "setting"});
  return {reader.text(node, "operator"), reader.text(node, "setting")};
}

void read_queue(const Node& node, Scheduler& out, BookReader& reader) {
  if (!node.exists()) return;
  reader.known_keys(node, {"object", "scope", "read", "given", "key"});
  out.queue_object = reader.text_or(node, "object", "");
  reader.text(node, "scope");
  out.queue_in_namespace = reader.word_of(node["scope"], {"namespace", "cluster"}, "") == "namespace";
  out.queue = read_marks(node["read"], reader);
  out.given_queues = reader.texts(node["given"]);
  if (const Node key = node["key"]; key.exists()) out.queue_key = read_setting_name(key, reader);
}

std::optional<ManagedSpaces> read_spaces(const Node& node, BookReader& reader) {
  if (!node.exists()) return std::nullopt;
  reader.known_keys(node, {"chart", "names", "selector", "given"});
  return ManagedSpaces{reader.text(node, "chart"), key_path(reader.text(node, "names")),
                       key_path(reader.text(node, "selector")), reader.texts(node["given"])};
}

std::optional<ManagedKinds> read_managed(const Node& node, BookReader& reader) {
  if (!node.exists()) return std::nullopt;
  reader.known_keys(node, {"operator", "setting", "pods"});
  return ManagedKinds{reader.text(node, "operator"), reader.text(node, "setting"), reader.text_or(node, "pods", "")};
}

std::vector<GangSystem> read_groups(const Node& list, BookReader& reader) {
  std::vector<GangSystem> out;
  reader.want_list(list);
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i)
    out.push_back(reader.word(list.item(i), GangSystem::Volcano));
  return out;
}

std::optional<SchedulerStyle> read_style(const Node& node, BookReader& reader) {
  if (!node.exists()) return std::nullopt;
  reader.known_keys(node, {"label", "annotation", "field", "on", "contains", "mechanism"});
  return SchedulerStyle{read_mark_row(node, reader), reader.text(node, "contains"),
                        reader.word(node["mechanism"], Mechanism::PerPod)};
}

std::optional<TaskGroupMarks> read_task_group_marks(const Node& node, BookReader& reader) {
  if (!node.exists()) return std::nullopt;
  reader.known_keys(node, {"list", "name"});
  const std::optional<Mark> list = read_mark(node["list"], reader);
  const std::optional<Mark> name = read_mark(node["name"], reader);
  if (!list || !name) reader.wrong(node.where(), "task groups need a `list` and the `name` of a pod's own");
  return TaskGroupMarks{list.value_or(Mark{}), name.value_or(Mark{})};
}

std::optional<TemplateTopology> read_template_topology(const Node& node, BookReader& reader) {
  if (!node.exists()) return std::nullopt;
  reader.known_keys(node, {"required", "preferred", "slices", "slice_size", "open"});
  return TemplateTopology{reader.text(node, "required"), reader.text_or(node, "preferred", ""),
                          reader.text_or(node, "slices", ""), reader.text_or(node, "slice_size", ""),
                          reader.texts(node["open"])};
}

OperatorOption read_option(std::string name, const Node& node, BookReader& reader) {
  reader.known_keys(node, {"flag", "legacy", "helm", "config", "absent", "unless", "default", "says", "words", "means",
                           "gate", "gate_before"});
  OperatorOption option;
  option.name = std::move(name);
  option.flag = reader.text_or(node, "flag", "");
  option.legacy_flag = reader.text_or(node["legacy"], "flag", "");
  reader.known_keys(node["legacy"], {"flag", "helm", "config", "means"});
  option.legacy_helm = reader.text_or(node["legacy"], "helm", "");
  option.legacy_config = reader.text_or(node["legacy"], "config", "");
  option.legacy_means = reader.text_or(node["legacy"], "means", "");
  option.helm = reader.text_or(node, "helm", "");
  option.config = reader.text_or(node, "config", "");
  option.config_absent = reader.text_or(node, "absent", "");
  option.unless = reader.texts(node["unless"]);
  const Node fallback = node["default"];
  if (fallback.is_sequence()) option.list = reader.texts(fallback);
  if (fallback.exists() && !fallback.is_sequence()) option.fallback = std::string(fallback.text());
  option.says = reader.text_or(node, "says", "");
  option.words = reader.text_or(node, "words", "");
  option.means = reader.text_or(node, "means", "");
  option.gate = reader.text_or(node, "gate", "");
  option.gate_before = reader.text_or(node, "gate_before", "");
  if (fallback.exists() && option.says.empty()) reader.wrong(node.where(), "a default needs words: `says`");
  return option;
}

OperatorConfig read_operator_config(const Node& node, const std::string& id, BookReader& reader) {
  OperatorConfig out;
  if (!node.exists()) return out;
  reader.known_keys(node, {"api", "versions", "kind", "doc"});
  out.id = id + "-configuration";
  out.api = reader.text(node, "api");
  out.versions = join(reader.texts(node["versions"]), " ");
  if (out.versions.empty()) reader.wrong(node.where(), "a Configuration needs `versions`");
  out.kind = reader.text_or(node, "kind", "Configuration");
  out.doc = reader.text_or(node, "doc", "Configuration of " + id);
  return out;
}

void check_keys(const Node& root, BookReader& reader) {
  reader.known_keys(root, {"id",
                           "doc",
                           "like",
                           "shown",
                           "names",
                           "operator_words",
                           "path",
                           "mechanism",
                           "without_group",
                           "keeps_short",
                           "preempts",
                           "membership",
                           "pod_group",
                           "groups",
                           "sub_group",
                           "group_under_default",
                           "min",
                           "reserves",
                           "shares",
                           "guaranteed_field",
                           "installs",
                           "admits",
                           "binds",
                           "manages",
                           "placed_by",
                           "preemptibility",
                           "priority_class",
                           "task_groups",
                           "style",
                           "queue",
                           "spaces",
                           "required_topology",
                           "template_topology",
                           "sources"});
}

}  // namespace

Scheduler load_scheduler(const Node& root, BookReader& reader) {
  check_keys(root, reader);
  Scheduler out;
  if (root["like"].exists())
    reader.known_keys(root, {"id", "doc", "like", "names", "operator_words", "installs", "sources"});
  out.id = reader.text(root, "id");
  out.doc = reader.text(root, "doc");
  out.like = reader.text_or(root, "like", "");
  out.shown = reader.text_or(root, "shown", out.id);
  out.names = reader.texts(root["names"]);
  out.operator_words = reader.texts(root["operator_words"]);
  out.path = reader.word(root["path"], Path::In);
  out.mechanism = reader.word(root["mechanism"], Mechanism::PerPod);
  if (root["without_group"].exists()) out.without_group = reader.word(root["without_group"], Mechanism::PerPod);
  if (const Node percent = root["keeps_short"]; percent.exists()) {
    out.keeps_short = parse_int(reader.text_of(percent));
    if (!out.keeps_short || *out.keeps_short < 0 || *out.keeps_short > 100)
      reader.wrong(percent.where(), "expected a percentage");
  }
  const std::string preempts = reader.word_of(root["preempts"], {"pods", "unknown"}, "");
  out.preempts_pods = preempts == "pods";
  out.may_preempt_pods = preempts == "unknown";
  read_membership(root["membership"], out, reader);
  read_pod_group(root["pod_group"], out, reader);
  out.groups = read_groups(root["groups"], reader);
  out.sub_group = read_mark(root["sub_group"], reader);
  if (const Node setting = root["group_under_default"]; setting.exists())
    out.group_under_default = read_setting_name(setting, reader);
  out.min = read_marks(root["min"], reader);
  out.reserves = read_marks(root["reserves"], reader);
  out.guaranteed_field = reader.text_or(root, "guaranteed_field", "");
  out.admits = read_mark(root["admits"], reader);
  out.binds = reader.text_or(root, "binds", "");
  out.manages = read_managed(root["manages"], reader);
  out.placed_by = reader.texts(root["placed_by"]);
  out.task_groups = read_task_group_marks(root["task_groups"], reader);
  out.style = read_style(root["style"], reader);
  read_queue(root["queue"], out, reader);
  out.spaces = read_spaces(root["spaces"], reader);
  out.required_topology = read_marks(root["required_topology"], reader);
  out.template_topology = read_template_topology(root["template_topology"], reader);
  reader.known_keys(root["shares"], {"annotations", "devices"});
  out.shares.keys = reader.texts(root["shares"]["annotations"]);
  out.priority_class = read_marks(root["priority_class"], reader);
  out.preemptibility = read_marks(root["preemptibility"], reader);
  out.shares.devices = reader.text_or(root["shares"], "devices", "");
  reader.known_keys(root["installs"], {"chart", "image"});
  out.chart = reader.text_or(root["installs"], "chart", "");
  out.image = reader.texts(root["installs"]["image"]);
  out.sources = reader.texts(root["sources"]);
  if (out.sources.empty()) reader.wrong(root.where(), "a scheduler needs sources");
  return out;
}

Operator load_operator(const Node& root, BookReader& reader) {
  reader.known_keys(root, {"id", "doc", "image", "helm", "config", "settings", "sources"});
  Operator out;
  out.id = reader.text(root, "id");
  out.doc = reader.text(root, "doc");
  out.image = reader.texts(root["image"]);
  reader.known_keys(root["helm"], {"chart", "image", "config"});
  out.chart = reader.text_or(root["helm"], "chart", "");
  out.chart_image = reader.text_or(root["helm"], "image", "");
  out.chart_config = reader.text_or(root["helm"], "config", "");
  out.config = read_operator_config(root["config"], out.id, reader);
  const Node settings = root["settings"];
  reader.want_mapping(settings);
  for (std::size_t i = 0; settings.is_mapping() && i < settings.size(); ++i)
    out.settings.push_back(read_option(std::string(settings.key(i).text()), settings.value(i), reader));
  out.sources = reader.texts(root["sources"]);
  if (out.sources.empty()) reader.wrong(root.where(), "an operator needs sources");
  return out;
}

}  // namespace muster
