#include "kubernetes/check_template.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kValues = ".Values.";
constexpr std::size_t kMostOfTemplate = 20;  // of one file
constexpr std::size_t kNear = 120;           // how far a key stands from its value

class TemplateCheck {
 public:
  TemplateCheck(std::string_view text, FileId file, std::vector<Finding>& findings)
      : text_(text), file_(file), findings_(findings) {}

  void run() {
    for (std::size_t at = text_.find("{{"); at != text_.npos && said_ < kMostOfTemplate; at = text_.find("{{", at)) {
      const std::size_t end = text_.find("}}", at);
      if (end == text_.npos) return;
      action(at + 2, end);
      at = end + 2;
    }
  }

 private:
  void action(std::size_t begin, std::size_t end) {
    std::string_view body = text_.substr(begin, end - begin);
    if (body.starts_with('-')) body.remove_prefix(1);
    if (trim(body).starts_with("/*")) return;
    char quote = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const char c = text_[i];
      if (quote != 0) {
        if (c == '\\' && quote == '"') ++i;
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '`') {
        quote = c;
      } else if (text_.substr(i, kValues.size()) == kValues) {
        i = path(i, end);
      }
    }
    printed(begin, end);
  }

  /// Where the path of a value ends. Source: golang/go:src/text/template/parse/lex.go (1.25), lexField.
  std::size_t path(std::size_t begin, std::size_t end) {
    std::size_t at = begin + 1;
    while (at < end && (is_word_char(text_[at]) || text_[at] == '.')) ++at;
    const bool follows = at + 1 < end && is_word_char(text_[at + 1]);
    if (at >= end || !follows || (text_[at] != '/' && text_[at] != '-')) return at;
    std::size_t stop = at;
    while (stop < end && (is_word_char(text_[stop]) || text_[stop] == '.' || text_[stop] == '/' || text_[stop] == '-'))
      ++stop;
    say("helm-value-path-broken", begin, stop,
        "`" + std::string(text_.substr(begin, stop - begin)) + "` is no path: a template ends at `" +
            std::string(1, text_[at]) + "`");
    return stop;
  }

  /// `nodeSelector: {{ .Values.nodeSelector }}`, where nothing makes YAML of it.
  void printed(std::size_t begin, std::size_t end) {
    constexpr std::array<std::string_view, 7> kMaps{"affinity",           "nodeSelector", "podAnnotations",
                                                    "podSecurityContext", "resources",    "securityContext",
                                                    "tolerations"};
    const std::string_view body = trim_dashes(text_.substr(begin, end - begin));
    if (!body.starts_with(kValues) || !std::ranges::all_of(body, [](char c) { return is_word_char(c) || c == '.'; })) return;
    const std::size_t from = begin - 2 - std::min(begin - 2, kNear);
    std::string_view before = text_.substr(from, begin - 2 - from);
    before = trim(before.substr(before.rfind('\n') + 1));
    const std::string_view behind = text_.substr(end + 2, kNear);
    if (!before.ends_with(':') || !trim(behind.substr(0, behind.find('\n'))).empty()) return;
    const std::string_view key = before.substr(0, before.size() - 1);
    if (std::ranges::find(kMaps, key) == kMaps.end() || body.substr(body.rfind('.') + 1) != key) return;
    say("helm-map-printed", begin - 2, end + 2, "`" + std::string(key) + "` is printed as Go prints it: map[...]");
  }

  static std::string_view trim_dashes(std::string_view body) {
    if (body.starts_with('-')) body.remove_prefix(1);
    if (body.ends_with('-')) body.remove_suffix(1);
    return trim(body);
  }

  void say(std::string_view rule, std::size_t begin, std::size_t end, std::string message) {
    ++said_;
    findings_.push_back(problem(std::string(rule),
                                {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                                std::move(message)));
  }

  std::string_view text_;
  FileId file_;
  std::vector<Finding>& findings_;
  std::size_t said_ = 0;
};

}  // namespace

void check_template(std::string_view text, FileId file, std::vector<Finding>& findings) {
  if (contains(text, kValues)) TemplateCheck(text, file, findings).run();
}

}  // namespace muster
