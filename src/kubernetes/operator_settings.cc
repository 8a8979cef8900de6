#include "kubernetes/operator_settings.h"

#include "base/strings.h"
#include "gang/scheduler.h"

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

void read_container(const Node& container, const Operator& known, const NormaliseContext& context) {
  Span where = container["image"].where();
  if (flag_value(container, "--config", where)) return;  // the answer is in another file
  for (const OperatorOption& option : known.settings) {
    if (option.flag.empty()) continue;
    std::optional<std::string> value = flag_value(container, option.flag, where);
    if (!value && !option.legacy_flag.empty() && flag_value(container, option.legacy_flag, where) == "true")
      value = option.legacy_means;
    context.model.operator_settings.push_back({setting_name(known.id, option.name),
                                               set_to(value.value_or(""), where, option.flag), context.file.path,
                                               context.file.bundle});
  }
}

}  // namespace

void read_operator_settings(const Node& pod_spec, const NormaliseContext& context) {
  const Node containers = pod_spec["containers"];
  for (std::size_t i = 0; containers.is_sequence() && i < containers.size(); ++i) {
    const std::string_view image = containers.item(i)["image"].text();
    for (const Operator& known : SchedulerBook::shipped().operators) {
      if (!known.image.empty() && contains(image, known.image) && contains(image, "operator"))
        read_container(containers.item(i), known, context);
    }
  }
}

}  // namespace muster
