#include "cli/knowledge_text.h"

#include "base/strings.h"

namespace muster {

std::string path_text(const KeyPath& path) { return join(path, "."); }

std::string text_of(const KindChoices& choices, const KindFile& kind) {
  std::vector<std::string> out;
  for (const KindChoice& choice : choices) {
    const bool setting = choice.unknown == "setting" && kind.operator_setting.has_value();
    std::string text =
        choice.is ? std::string(choice.is->text())
        : setting ? "what " + setting_name(kind.operator_setting->id, kind.operator_setting->option) + " makes of it"
                  : "unknown until " + choice.unknown + " is known";
    if (choice.when) text += " where " + std::string(choice.when->text());
    if (!choice.when && !choice.bare.empty() && choices.size() > 1 && &choice != &choices.back())
      text += " where it is there";
    out.push_back(std::move(text));
  }
  return join(out, ", else ");
}

std::string text_of(const Mark& mark) {
  const std::string_view in = mark.in == Mark::In::Label        ? "label "
                              : mark.in == Mark::In::Annotation ? "annotation "
                                                                : "field spec.";
  return std::string(in) + mark.key + (mark.on == Mark::On::Object ? " of the object" : " of the pods");
}

std::string text_of(const std::vector<Mark>& marks) {
  std::vector<std::string> out;
  for (const Mark& mark : marks) out.push_back(text_of(mark));
  return join(out, ", else ");
}

std::string text_of(const std::vector<MembershipMark>& marks) {
  return text_of(std::vector<Mark>(marks.begin(), marks.end()));
}

}  // namespace muster
