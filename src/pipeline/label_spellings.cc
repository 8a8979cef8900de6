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

std::string letters_alone(std::string_view value) {
  std::string out = to_lower(value);
  std::erase_if(out, [](char c) { return c == '-' || c == '_' || c == '.'; });
  return out;
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
      for (std::size_t i = 0; i < inputs_.files.size(); ++i) gather(i, key, uses, set, said);
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
      if (!value.is_text() || key.empty() || key == "kubernetes.io/hostname" || value.text().size() < 4) continue;
      if (uses_.size() < kMostKeys || uses_.contains(key)) uses_[key].push_back({value.text(), value.where});
    }
  }

  void gather(std::size_t i, std::string_view key, const std::vector<Use>& uses, std::set<std::string_view>& set,
              std::set<std::string_view>& said) const {
    const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
    const bool selects =
        std::ranges::any_of(uses, [&](const Use& use) { return use.where.file == static_cast<FileId>(i); });
    for (std::size_t at = text.find(key); at != text.npos && set.size() < kMostValues; at = text.find(key, at + 1)) {
      if (at > 0 && (is_label_char(text[at - 1]) || text[at - 1] == '/')) continue;
      std::size_t next = at + key.size();
      // `pool=gpu_pool` is a variable; of `example.com/pool=gpu_pool` there is no doubt.
      const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
      const bool label = contains(key, "/") || contains(text.substr(line, at - line), "label");
      const bool sets = label && text.substr(next, 1) == "=";
      while (next < text.size() && std::string_view("\"' :=").find(text[next]) != std::string_view::npos) ++next;
      std::size_t end = next;
      while (end < text.size() && is_label_char(text[end])) ++end;
      const std::string_view value = text.substr(next, end - next);
      if (value.empty() || next == at + key.size()) continue;
      if (sets) set.insert(value);
      if (!selects) said.insert(value);
    }
  }

  void judge(std::string_view key, const Use& use, const std::set<std::string_view>& set,
             const std::set<std::string_view>& said) {
    if (set.contains(use.value) || said.contains(use.value)) return;
    const auto meant = std::ranges::find_if(
        set, [&](std::string_view value) { return letters_alone(value) == letters_alone(use.value); });
    if (meant == set.end()) return;
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
