#include "kubernetes/operator_settings.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "gang/scheduler.h"
#include "syntax/embedded.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

/// The value of a flag in a container's words; nullopt when it is not there.
std::optional<std::string> flag_value(const Node& container, std::string_view flag, Span& where) {
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < words.size(); ++i) {
      const std::string_view word = words.item(i).text();
      const std::string_view bare = word.starts_with("--") ? word : std::string_view{};
      if (!bare.starts_with(flag)) continue;
      where = words.item(i).where();
      if (bare.size() == flag.size()) {
        return i + 1 < words.size() && !words.item(i + 1).text().starts_with('-')
                   ? std::string(words.item(i + 1).text())
                   : "true";
      }
      if (bare[flag.size()] == '=') return std::string(bare.substr(flag.size() + 1));
    }
  }
  return std::nullopt;
}

void add_setting(const Operator& which, const OperatorOption& option, Located<std::string> value,
                 const NormaliseContext& context) {
  value.field = FieldName();
  context.model.operator_settings.push_back(
      {setting_name(which.id, option.name), std::move(value), context.file.path, context.file.bundle});
}

/// What another file decides, which may not be in the input: one that is there counts instead.
void add_elsewhere(const Operator& which, const OperatorOption& option, Span where, const NormaliseContext& context) {
  const std::string name = setting_name(which.id, option.name);
  context.model.operator_settings.push_back({name, unknown_until<std::string>("`" + name + "`", where),
                                             context.file.path, context.file.bundle, SaidBy::Elsewhere});
}

/// A patch changes the container of its name: what it leaves out is as the patched file says.
void read_container(const Node& container, const Operator& known, SaidBy said_by, const NormaliseContext& context) {
  Span where = container["image"].where();
  const bool elsewhere = flag_value(container, "--config", where).has_value();
  for (const OperatorOption& option : known.settings) {
    if (elsewhere) {
      add_elsewhere(known, option, where, context);
      continue;
    }
    if (option.flag.empty()) continue;
    std::optional<std::string> value = flag_value(container, option.flag, where);
    if (!value && !option.legacy_flag.empty() && flag_value(container, option.legacy_flag, where) == "true")
      value = option.legacy_means;
    if (!value && said_by == SaidBy::Patch) continue;
    context.model.operator_settings.push_back({setting_name(known.id, option.name),
                                               set_to(value.value_or(""), where, FieldName(option.flag)),
                                               context.file.path, context.file.bundle, said_by});
  }
}

Node at_dotted(Node node, std::string_view path) {
  if (path.empty()) return {};
  for (const std::string_view step : split(path, '.')) node = node[step];
  return node;
}

bool is_switched_on(const Node& node) {
  if (!node.exists() || node.is_null() || is_false(node)) return false;
  return node.is_scalar() || node.size() > 0;
}

/// What makes it depend on more; does not exist where nothing does.
Node depends_on_more(const Node& root, const OperatorOption& option) {
  for (const std::string& path : option.unless) {
    if (const Node found = at_dotted(root, path); is_switched_on(found)) return found;
  }
  return {};
}

/// What a setting is, at one of its two places; absent where neither is there.
Located<std::string> read_at(const Node& root, const std::string& path, const std::string& legacy,
                             const OperatorOption& option, std::vector<Finding>& ignored) {
  const Node node = at_dotted(root, path);
  if (!is_switched_on(node) && is_true(at_dotted(root, legacy)))
    return set_to(option.legacy_means, at_dotted(root, legacy).where(), FieldName(option.name));
  if (!node.exists() || node.is_null()) return {};
  if (!node.is_sequence()) return read_text(node, "value", ignored);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < node.size(); ++i) words.emplace_back(node.item(i).text());
  return set_to(join(words, ","), node.key_where());
}

const Operator* owner_of(const Node& config, const NormaliseContext& context) {
  const std::string_view api = config["apiVersion"].text();
  for (const Operator& which : SchedulerBook::or_shipped(context.schedulers).operators) {
    const bool is_kind = !which.config.api.empty() && config["kind"].text() == which.config.kind;
    if (is_kind && api.substr(0, api.find('/')) == which.config.api) return &which;
  }
  return nullptr;
}

/// `where`: of a text that holds the object but not its places.
void read_config(const Node& config, const NormaliseContext& context, std::optional<Span> where) {
  const Operator* which = owner_of(config, context);
  if (which == nullptr) return;
  std::vector<Finding> ignored;  // whoever reads the object says what is wrong with it
  for (const OperatorOption& option : which->settings) {
    if (option.config.empty()) continue;
    if (const Node more = depends_on_more(config, option)) {
      add_elsewhere(*which, option, where.value_or(more.where()), context);
      continue;
    }
    Located<std::string> value = read_at(config, option.config, option.legacy_config, option, ignored);
    if (value.state == State::Absent || (value.is_set() && value.value.empty())) {
      // The file of a manager has no metadata: a manifest that has some is none, and others say what this leaves out.
      if (config["metadata"].exists()) continue;
      value = set_to(option.config_absent, config["kind"].where());
    }
    if (where) value.where = *where;
    add_setting(*which, option, std::move(value), context);
  }
}

/// The values of an operator's chart within those of a file: all of it, or what stands under the chart's name.
Node values_of(const Operator& which, const Node& root) {
  if (which.chart.empty()) return {};
  const Node nested = root[which.chart];
  if (nested.is_mapping()) return is_false(nested["enabled"]) ? Node{} : nested;
  const std::string_view image = at_dotted(root, which.chart_image).text();
  return which.is_image(image) ? root : Node{};
}

bool sets_something(const Operator& which, const Node& values) {
  if (at_dotted(values, which.chart_config).is_scalar()) return true;
  return std::ranges::any_of(which.settings, [&](const OperatorOption& option) {
    return at_dotted(values, option.helm).exists() || at_dotted(values, option.legacy_helm).exists();
  });
}

}  // namespace

void read_operator_config(const Node& config, const NormaliseContext& context) {
  read_config(config, context, std::nullopt);
}

void read_operator_config_text(const Node& text, const NormaliseContext& context) {
  if (!may_hold_operator_config(text.text(), SchedulerBook::or_shipped(context.schedulers))) return;
  const Embedded config = read_embedded(text, context.sources.file(text.where().file).text());
  if (config.readable)
    read_config(config.document.root(), context, config.in_place ? std::nullopt : std::optional(config.outer));
}

bool may_hold_operator_config(std::string_view text, const SchedulerBook& book) {
  return contains(text, "apiVersion") && std::ranges::any_of(book.operators, [&](const Operator& which) {
           return !which.config.api.empty() && contains(text, which.config.api) && contains(text, which.config.kind);
         });
}

bool is_operator_values(const Node& values, const SchedulerBook& book) {
  if (!values.is_mapping() || values["kind"].exists() || values["apiVersion"].exists()) return false;
  return std::ranges::any_of(book.operators,
                             [&](const Operator& which) { return sets_something(which, values_of(which, values)); });
}

void read_operator_values(const Node& values, const NormaliseContext& context) {
  std::vector<Finding> ignored;
  for (const Operator& which : SchedulerBook::or_shipped(context.schedulers).operators) {
    const Node own = values_of(which, values);
    if (!sets_something(which, own)) continue;
    if (const Node text = at_dotted(own, which.chart_config); text.is_scalar())
      read_operator_config_text(text, context);
    for (const OperatorOption& option : which.settings) {
      if (option.helm.empty()) continue;
      if (const Node more = depends_on_more(own, option)) {
        add_elsewhere(which, option, more.where(), context);
        continue;
      }
      Located<std::string> value = read_at(own, option.helm, option.legacy_helm, option, ignored);
      if (value.state != State::Absent) add_setting(which, option, std::move(value), context);
    }
  }
}

void read_operator_settings(const Node& pod_spec, const NormaliseContext& context) {
  const Node containers = pod_spec["containers"];
  for (std::size_t i = 0; containers.is_sequence() && i < containers.size(); ++i) {
    const std::string_view image = containers.item(i)["image"].text();
    for (const Operator& known : SchedulerBook::or_shipped(context.schedulers).operators) {
      const bool patch = image.empty() && known.is_image(containers.item(i)["name"].text());
      if (patch || known.is_image(image))
        read_container(containers.item(i), known, patch ? SaidBy::Patch : SaidBy::Files, context);
    }
  }
}

}  // namespace muster
