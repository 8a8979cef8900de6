#include "pipeline/label_spellings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

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
    std::vector<std::string_view> labelling;
    for (std::size_t i = 0; i < inputs_.files.size() && !uses_.empty(); ++i) {
      if (sets_labels(text_of(i))) labelling.push_back(text_of(i));
    }
    for (const auto& [key, uses] : uses_) {
      const std::string sign = std::string(key) + "=";
      if (std::ranges::none_of(labelling, [&](std::string_view text) { return contains(text, sign); })) continue;
      std::set<std::string_view> set;   // `key=value`
      std::set<std::string_view> said;  // in a file without selectors of it
      bool open = false;
      for (std::size_t i = 0; i < inputs_.files.size() && !open; ++i) gather(i, key, uses.files, set, said, open);
      if (!open && !set.empty()) judge(key, uses.all, set, said);
    }
  }

 private:
  struct Use {
    std::string_view value;
    Span where;
  };
  struct Uses {
    std::vector<Use> all;
    std::set<FileId> files;
  };

  std::string_view text_of(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// Whether some line may label a node: `kubectl label nodes a b/c=d`.
  static bool sets_labels(std::string_view text) {
    return some_line_with(text, "label", [](std::string_view line) { return contains(line, "="); });
  }

  void note(const WrittenValue& labels) {
    for (std::size_t i = 0; i < labels.items().size() && labels.kind == WrittenValue::Kind::Map; ++i) {
      const WrittenValue& value = labels.items()[i];
      const std::string_view key = labels.keys()[i];
      if (!value.is_text() || !contains(key, "/") || key == "kubernetes.io/hostname" || value.text().size() < 4)
        continue;
      if (uses_.size() >= kMostKeys && !uses_.contains(key)) continue;
      Uses& uses = uses_[key];
      uses.all.push_back({value.text(), value.where});
      uses.files.insert(value.where.file);
    }
  }

  void gather(std::size_t i, std::string_view key, const std::set<FileId>& selecting, std::set<std::string_view>& set,
              std::set<std::string_view>& said, bool& open) const {
    const std::string_view text = text_of(i);
    const bool selects = selecting.contains(static_cast<FileId>(i));
    for (std::size_t at = find_part(text, key); at != text.npos && set.size() < kMostValues;
         at = find_part(text, key, at + 1)) {
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

  void judge(std::string_view key, const std::vector<Use>& uses, const std::set<std::string_view>& set,
             const std::set<std::string_view>& said) {
    std::map<std::string, std::string_view> letters;  // the first value with them
    for (const std::string_view value : set) letters.try_emplace(letters_alone(value), value);
    std::map<std::string_view, std::string_view> meant_by;  // empty: nothing else is meant
    for (const Use& use : uses) {
      const auto [at, first] = meant_by.try_emplace(use.value);
      if (first && !set.contains(use.value) && !said.contains(use.value))
        at->second = meant(use.value, letters, set, said);
      if (at->second.empty()) continue;
      findings_.push_back(problem("node-label-value-misspelt", use.where,
                                  "the label `" + std::string(key) + "` is wanted to be `" + std::string(use.value) +
                                      "`, and the input sets it to `" + std::string(at->second) + "`"));
      findings_.back().fix = spell(use.where, at->second);
    }
  }

  /// The one value with the same letters; empty: none, or another is near, too.
  static std::string_view meant(std::string_view wanted, const std::map<std::string, std::string_view>& letters,
                                const std::set<std::string_view>& set, const std::set<std::string_view>& said) {
    const std::string own = letters_alone(wanted);
    const auto found = letters.find(own);
    if (found == letters.end()) return {};
    const auto other = [&](std::string_view value) {
      return value != found->second && (letters_alone(value) == own || edit_distance(value, wanted, 1) <= 1);
    };
    return std::ranges::any_of(set, other) || std::ranges::any_of(said, other) ? std::string_view() : found->second;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, Uses> uses_;
};

}  // namespace

void find_label_spellings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  LabelSpellings(inputs, model, findings).run();
}

}  // namespace muster
