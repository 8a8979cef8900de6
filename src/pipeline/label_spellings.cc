#include "pipeline/label_spellings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostKeys = 200;     // labels that are asked for
constexpr std::size_t kMostValues = 2000;  // of one of them

/// Without case and separators, but for one between two digits: `r1-12` is not `r11-2`.
std::string letters_alone(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool separates = value[i] == '-' || value[i] == '_' || value[i] == '.';
    const bool digits = i > 0 && i + 1 < value.size() && is_digit(value[i - 1]) && is_digit(value[i + 1]);
    if (!separates || digits) out += separates ? '-' : value[i];
  }
  return to_lower(out);
}

/// The line before a place, of a long one its end.
std::string_view line_before(std::string_view text, std::size_t at) {
  constexpr std::size_t kFar = 500;
  const std::string_view near = text.substr(at < kFar ? 0 : at - kFar, std::min(at, kFar));
  return near.substr(near.rfind('\n') + 1);  // npos + 1 is 0
}

bool is_label_char(char c) { return is_word_char(c) || c == '-' || c == '.'; }

class LabelSpellings {
 public:
  LabelSpellings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings) {
    for (const Manifest& one : model.manifests) {
      const std::string_view kind = one.def->collection;
      if (kind == "flavor_objects") note(one.part("node_labels"));
      if (kind == "pods" || kind == "pod_makers") note(one.part("node_selector"));
    }
  }

  void run() {
    for (const auto& [key, uses] : uses_) {
      std::set<std::string_view> set;   // `key=value`
      std::set<std::string_view> said;  // in a file without selectors of it
      bool open = false;
      for (std::size_t i = 0; i < inputs_.files.size() && !open; ++i) gather(i, key, uses, set, said, open);
      if (open) continue;
      for (const Use& use : uses) judge(key, use, set, said);
    }
  }

 private:
  struct Use {
    std::string_view value;
    Span where;
  };

  void note(const WrittenValue& labels) {
    for (std::size_t i = 0; i < labels.items().size() && labels.kind == WrittenValue::Kind::Map; ++i) {
      const WrittenValue& value = labels.items()[i];
      const std::string_view key = labels.keys()[i];
      if (!value.is_text() || !contains(key, "/") || key == "kubernetes.io/hostname" || value.text().size() < 4)
        continue;
      if (uses_.size() < kMostKeys || uses_.contains(key)) uses_[key].push_back({value.text(), value.where});
    }
  }

  void gather(std::size_t i, std::string_view key, const std::vector<Use>& uses, std::set<std::string_view>& set,
              std::set<std::string_view>& said, bool& open) const {
    const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
    const bool selects =
        std::ranges::any_of(uses, [&](const Use& use) { return use.where.file == static_cast<FileId>(i); });
    for (std::size_t at = text.find(key); at != text.npos && set.size() < kMostValues; at = text.find(key, at + 1)) {
      if (at > 0 && (is_label_char(text[at - 1]) || text[at - 1] == '/')) continue;
      std::size_t next = at + key.size();
      // `kubectl label`, --node-labels; a selector, `-l`, sets nothing.
      const bool sets = text.substr(next, 1) == "=" && contains(line_before(text, at), "label");
      while (next < text.size() && std::string_view("\"' :=").find(text[next]) != std::string_view::npos) ++next;
      std::size_t end = next;
      while (end < text.size() && is_label_char(text[end])) ++end;
      const std::string_view value = text.substr(next, end - next);
      // A variable may be each value.
      if (end < text.size() && std::string_view("$<{%").find(text[end]) != std::string_view::npos) {
        open = true;
        return;
      }
      if (value.empty() || next == at + key.size()) continue;
      if (sets) set.insert(value);
      if (!selects) said.insert(value);
    }
  }

  void judge(std::string_view key, const Use& use, const std::set<std::string_view>& set,
             const std::set<std::string_view>& said) {
    if (set.contains(use.value) || said.contains(use.value)) return;
    const auto same = [&](std::string_view value) { return letters_alone(value) == letters_alone(use.value); };
    const auto near = [&](std::string_view value) { return same(value) || edit_distance(value, use.value, 1) <= 1; };
    const auto meant = std::ranges::find_if(set, same);
    if (meant == set.end()) return;
    const auto other = [&](std::string_view value) { return value != *meant && near(value); };
    if (std::ranges::any_of(set, other) || std::ranges::any_of(said, other)) return;
    findings_.push_back(problem("node-label-value-misspelt", use.where,
                                "the label `" + std::string(key) + "` is wanted to be `" + std::string(use.value) +
                                    "`, and the input sets it to `" + std::string(*meant) + "`"));
    findings_.back().fix = spell(use.where, *meant);
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, std::vector<Use>> uses_;
};

}  // namespace

void find_label_spellings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  LabelSpellings(inputs, model, findings).run();
}

}  // namespace muster
