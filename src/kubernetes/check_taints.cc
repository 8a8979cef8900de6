#include "kubernetes/check_taints.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 3> kEffects{"NoExecute", "NoSchedule", "PreferNoSchedule"};

struct Taint {
  std::string_view key;
  std::string_view effect;
  Span where;
};

/// An item of `tolerations`, as far as it is written.
struct TolerationOfPod {
  std::string_view key;
  std::string_view effect;  ///< empty: any
  Span where;               ///< of the effect
};

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  const bool quotes = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quotes ? text.substr(1, text.size() - 2) : text;
}

class Taints {
 public:
  Taints(std::string_view text, FileId file) : text_(text), file_(file), lines_(lines_of(text)) {}

  void run(std::vector<Finding>& findings) {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (contains(lines_[i].text, "kubectl taint ")) read_taints(lines_[i].text);
      if (trim(lines_[i].text) == "tolerations:") read_tolerations(i);
    }
    std::map<std::string_view, const Taint*> first;  // of each key
    for (const Taint& taint : taints_) first.emplace(taint.key, &taint);
    for (const TolerationOfPod& one : tolerations_) {
      const auto found = first.find(one.key);
      if (found == first.end() || is_matched(one.key, found->second->effect)) continue;
      const Taint& taint = *found->second;
      findings.push_back(problem("taint-effect-not-tolerated", one.where,
                                 "the toleration of `" + std::string(one.key) + "` is for " + std::string(one.effect) +
                                     ", and the taint that is set here has " + std::string(taint.effect)));
      findings.back().related.push_back({taint.where, "the taint"});
      first.erase(found);
    }
  }

 private:
  Span span(std::string_view part) const { return span_of_part(file_, text_, part); }

  /// `KEY=VALUE:EFFECT` and `KEY:EFFECT`; a `-` behind it takes the taint away.
  void read_taints(std::string_view line) {
    for (const std::string_view word : split_blanks(line)) {
      const std::size_t colon = word.rfind(':');
      if (colon == word.npos || std::ranges::find(kEffects, word.substr(colon + 1)) == kEffects.end()) continue;
      const std::string_view key = word.substr(0, std::min(word.find('='), colon));
      if (key.find_first_of("$<{\"'") == key.npos) taints_.push_back({key, word.substr(colon + 1), span(word)});
    }
  }

  void read_tolerations(std::size_t at) {
    const std::size_t indent = lines_[at].indent();
    TolerationOfPod one;
    const auto keep = [&] {
      if (!one.key.empty()) tolerations_.push_back(one);
      one = {};
    };
    for (std::size_t i = at + 1; i < lines_.size(); ++i) {
      std::string_view line = trim(lines_[i].text);
      const bool item = line.starts_with("- ");
      if (line.empty() || lines_[i].indent() < indent || (lines_[i].indent() == indent && !item)) break;
      if (item) keep();
      if (item) line = trim(line.substr(2));
      const std::size_t colon = line.find(':');
      const std::string_view name = line.substr(0, colon);
      const std::string_view value = colon == line.npos ? std::string_view() : unquoted(line.substr(colon + 1));
      if (name == "key") one.key = value;
      if (name == "key" && !one.where.placed()) one.where = span(line);
      if (name == "effect") one.effect = value;
      if (name == "effect") one.where = span(line);
    }
    keep();
  }

  /// Some toleration of the text is for that effect, or for any.
  bool is_matched(std::string_view key, std::string_view effect) const {
    return std::ranges::any_of(tolerations_, [&](const TolerationOfPod& one) {
      return one.key == key && (one.effect.empty() || one.effect == effect);
    });
  }

  std::string_view text_;
  FileId file_;
  std::vector<TextLine> lines_;
  std::vector<Taint> taints_;
  std::vector<TolerationOfPod> tolerations_;
};

}  // namespace

void check_taints(std::string_view text, FileId file, std::vector<Finding>& findings) {
  if (contains(text, "kubectl taint ") && contains(text, "tolerations:")) Taints(text, file).run(findings);
}

}  // namespace muster
