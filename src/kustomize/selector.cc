#include "kustomize/selector.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "base/strings.h"

namespace muster::kustomize {
namespace {

constexpr std::int64_t kMaxSelectorMemory = 1 << 20;

/// A pattern for a whole text; none matches all.
class Pattern {
 public:
  explicit Pattern(std::string_view text) {
    if (text.empty()) return;
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(kMaxSelectorMemory);
    re2_ = std::make_unique<RE2>("^(?:" + std::string(text) + ")$", options);
  }
  bool good() const { return re2_ == nullptr || re2_->ok(); }
  bool matches(std::string_view text) const {
    return re2_ == nullptr || RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *re2_);
  }

 private:
  std::unique_ptr<RE2> re2_;
};

/// Splits at commas outside of parentheses.
std::vector<std::string_view> requirements_of(std::string_view selector) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  int open = 0;
  for (std::size_t i = 0; i <= selector.size(); ++i) {
    const char c = i < selector.size() ? selector[i] : ',';
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || (open > 0 && i < selector.size())) continue;
    out.push_back(trim(selector.substr(begin, i - begin)));
    begin = i + 1;
  }
  return out;
}

bool holds(const Tree* pairs, std::string_view one, Work& work, bool& out) {
  const auto value_of = [&](std::string_view key) { return pairs == nullptr ? nullptr : pairs->find(trim(key)); };
  for (const std::string_view sign : {"!=", "==", "="}) {
    const std::size_t at = one.find(sign);
    if (at == one.npos) continue;
    const Tree* value = value_of(one.substr(0, at));
    const bool same = value != nullptr && value->text == trim(one.substr(at + sign.size()));
    out = sign == "!=" ? !same : same;
    return true;
  }
  const std::size_t open = one.find('(');
  if (open != one.npos) {
    const std::vector<std::string_view> words = split_blanks(one.substr(0, open));
    if (words.size() != 2 || !one.ends_with(')') || (words[1] != "in" && words[1] != "notin"))
      return work.fail("the selector `" + std::string(one) + "` cannot be read");
    const Tree* value = value_of(words[0]);
    bool among = false;
    for (const std::string_view word : split(one.substr(open + 1, one.size() - open - 2), ','))
      among = among || (value != nullptr && value->text == trim(word));
    out = words[1] == "in" ? among : !among;
    return true;
  }
  out = one.starts_with('!') ? value_of(one.substr(1)) == nullptr : value_of(one) != nullptr;
  return true;
}

}  // namespace

bool matches_pairs(const Tree* pairs, std::string_view selector, Work& work, bool& out) {
  out = true;
  if (trim(selector).empty()) return true;
  for (const std::string_view one : requirements_of(selector)) {
    bool good = false;
    if (one.empty() || !holds(pairs, one, work, good)) return work.fail("a selector of labels cannot be read");
    out = out && good;
  }
  return true;
}

bool select(const std::vector<Resource>& objects, const Tree& target, Work& work, std::vector<std::size_t>& out) {
  const Pattern group(text_at(target, "group"));
  const Pattern version(text_at(target, "version"));
  const Pattern kind(text_at(target, "kind"));
  const Pattern name(text_at(target, "name"));
  const Pattern space(text_at(target, "namespace"));
  for (const Pattern* pattern : {&group, &version, &kind, &name, &space}) {
    if (!pattern->good()) return work.fail("a `target` has a pattern that cannot be read");
  }
  if (!work.spend(objects.size() * 10)) return false;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Resource& resource = objects[i];
    if (resource.object.is_null()) continue;
    const Id now = resource.id();
    const Id first = resource.first_id();
    if (!space.matches(first.effective_space()) && !space.matches(now.effective_space())) continue;
    if (!name.matches(first.name) && !name.matches(now.name)) continue;
    if (!group.matches(now.type.group) || !version.matches(now.type.version) || !kind.matches(now.type.kind)) continue;
    const Tree* metadata = resource.object.find("metadata");
    bool labels = false;
    bool annotations = false;
    if (!matches_pairs(metadata == nullptr ? nullptr : metadata->find("labels"), text_at(target, "labelSelector"), work,
                       labels) ||
        !matches_pairs(metadata == nullptr ? nullptr : metadata->find("annotations"),
                       text_at(target, "annotationSelector"), work, annotations))
      return false;
    if (labels && annotations) out.push_back(i);
  }
  return true;
}

}  // namespace muster::kustomize
