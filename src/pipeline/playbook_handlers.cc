#include "pipeline/playbook_handlers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::size_t kMostHandlers = 5000;
constexpr std::size_t kMostNotified = 20'000;

template <class Take>
void each_text(const Node& value, const Take& take) {
  if (value.is_scalar()) take(value);
  for (std::size_t i = 0; value.is_sequence() && i < value.size(); ++i) each_text(value.item(i), take);
}

class PlaybookHandlers {
 public:
  PlaybookHandlers(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings)
      : input_(inputs), texts_(texts), findings_(findings) {}

  void run() {
    for (const PlaybookText& text : texts_.all) {
      const auto note = [&](const Node& task) {
        note_names(text, task);
        mappings(task["notify"]);
      };
      each_task_of(text, note, note);
    }
    if (any_ || !texts_.whole || handlers_.empty() || handlers_.size() > kMostHandlers) return;
    for (const PlaybookText& text : texts_.all) {
      const auto look = [&](const Node& task) { each_text(task["notify"], [&](const Node& one) { judge(one); }); };
      each_task_of(text, look, look);
    }
  }

 private:
  void note_names(const PlaybookText& text, const Node& task) {
    const auto note = [&](const Node& name) {
      names_.insert(name.text());
      const bool handler = text.part != PlaybookText::Part::Tasks;
      if (handler && contains(name.text(), "{{")) any_ = true;
      if (handler) handlers_.insert(name.text());
    };
    each_text(task["name"], note);
    each_text(task["listen"], note);
  }

  void mappings(const Node& notify) {
    for (std::size_t i = 0; notify.is_sequence() && i < notify.size(); ++i) {
      if (notify.item(i).is_mapping())
        findings_.push_back(problem("playbook-notify-unknown", notify.item(i).where(),
                                    "an item of `notify` is a mapping, not the name of a handler"));
    }
  }

  void judge(const Node& one) {
    const std::string_view name = one.text();
    if (name.empty() || contains(name, "{{") || names_.contains(name) || ++judged_ > kMostNotified) return;
    const std::size_t colon = name.rfind(" : ");  // `role : handler`
    if (colon != name.npos && names_.contains(name.substr(colon + 3))) return;
    const std::string_view near = like(name);
    if (near.empty() || is_named_elsewhere(name)) return;
    findings_.push_back(
        problem("playbook-notify-unknown", one.where(),
                "no handler is called `" + std::string(name) + "`; one is `" + std::string(near) + "`"));
  }

  /// The handler that was meant.
  std::string_view like(std::string_view name) {
    if (names_of_handlers_.empty()) names_of_handlers_.assign(handlers_.begin(), handlers_.end());
    return near_.nearest(name, names_of_handlers_).value_or(std::string_view{});
  }

  /// A file that was not read as one of Ansible may have it.
  bool is_named_elsewhere(std::string_view name) {
    const std::string key = "name: " + std::string(name);
    return input_.is_said_in_line(name, [&](std::size_t, std::string_view line) {
      const std::string_view words = trim(line);
      return words.ends_with(key) || contains(words, "name: \"" + std::string(name)) ||
             contains(words, "name: '" + std::string(name)) || contains(words, "listen");
    });
  }

  InputNames input_;
  const PlaybookTexts& texts_;
  std::vector<Finding>& findings_;
  std::set<std::string_view> names_;     ///< of all tasks, and what they listen to
  std::set<std::string_view> handlers_;  ///< of those that are handlers, or stand in a file of plays
  std::vector<std::string_view> names_of_handlers_;
  bool any_ = false;                     ///< a handler has a name that is put together
  NearMisses near_;
  std::size_t judged_ = 0;
};

}  // namespace

void check_playbook_handlers(const Inputs& inputs, const PlaybookTexts& texts, std::vector<Finding>& findings) {
  if (!texts.all.empty()) PlaybookHandlers(inputs, texts, findings).run();
}

}  // namespace muster
