#include "pipeline/alert_expressions.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::size_t kLongestExpression = 4000;

/// What stands behind `expr:`, without its quotes; of a block all its lines.
std::string_view expression_at(std::string_view text, const std::vector<TextLine>& lines, std::size_t i,
                               std::size_t key) {
  const std::string_view line = lines[i].text;
  std::string_view value = trim(line.substr(key + 5));
  if (value.starts_with('|') || value.starts_with('>')) {
    std::size_t last = i;
    for (std::size_t j = i + 1; j < lines.size() && (lines[j].blank() || lines[j].indent() > key); ++j) {
      if (!lines[j].blank()) last = j;
    }
    if (last == i) return {};
    const std::size_t begin = lines[i + 1].begin;
    return text.substr(begin, lines[last].begin + lines[last].text.size() - begin);
  }
  if (value.size() > 1 && (value.front() == '"' || value.front() == '\'')) {
    const std::size_t end = value.rfind(value.front());
    return end == 0 ? std::string_view() : value.substr(1, end - 1);
  }
  return trim(value.substr(0, value.find(" #")));
}

/// The place behind the bracket that closes the one here; npos: none does.
std::size_t behind_brackets(std::string_view text, std::size_t open) {
  int depth = 0;
  char quote = '\0';
  for (std::size_t at = open; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == '\\') ++at;
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '(' || c == '{' || c == '[') {
      ++depth;
    } else if ((c == ')' || c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return text.npos;
}

bool is_metric_letter(char c) { return is_word_char(c) || c == ':'; }

std::string_view metric_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_metric_letter(text[end])) ++end;
  return end > 0 && !is_digit(text[0]) ? text.substr(0, end) : std::string_view();
}

/// `metric` or `metric{...}` and nothing else: its name.
std::string_view bare_metric(std::string_view text) {
  text = trim(text);
  const std::string_view name = metric_at(text);
  const std::string_view rest = trim(text.substr(name.size()));
  if (name.empty() || (!rest.empty() && (rest.front() != '{' || behind_brackets(rest, 0) != rest.size()))) return {};
  return name;
}

/// Without the comparison at its end, `> 5`, and brackets around the rest; `compared` says whether there was one.
std::string_view without_comparison(std::string_view text, bool* compared) {
  text = trim(text);
  const std::size_t sign = text.find_last_of("<>=");
  if (sign != text.npos) {
    const std::string_view number = trim(text.substr(sign + 1));
    std::size_t begin = sign;
    while (begin > 0 && std::string_view("<>=!").find(text[begin - 1]) != std::string_view::npos) --begin;
    if (!number.empty() && number.find_first_not_of("0123456789.eE+-") == number.npos) {
      if (compared != nullptr) *compared = text[begin] == '>';
      text = trim(text.substr(0, begin));
    }
  }
  while (text.starts_with('(') && behind_brackets(text, 0) == text.size())
    text = without_comparison(text.substr(1, text.size() - 2), nullptr);
  return text;
}

/// `sum(...)` without labels that stay: what stands in its brackets; `kept` takes one with labels, too.
std::optional<std::string_view> in_aggregate(std::string_view text, bool kept) {
  constexpr std::array<std::string_view, 5> kAggregates{"sum", "max", "min", "avg", "count"};
  const std::string_view name = metric_at(text);
  if (std::ranges::find(kAggregates, name) == kAggregates.end()) return std::nullopt;
  std::string_view rest = trim(text.substr(name.size()));
  if (rest.starts_with("by") || rest.starts_with("without")) {
    const std::size_t open = rest.find('(');
    const std::size_t end = open == rest.npos ? rest.npos : behind_brackets(rest, open);
    if (!kept || end == rest.npos) return std::nullopt;
    rest = trim(rest.substr(end));
  }
  if (!rest.starts_with('(')) return std::nullopt;
  const std::size_t end = behind_brackets(rest, 0);
  if (end == rest.npos) return std::nullopt;
  const std::string_view behind = trim(rest.substr(end));
  const bool labels = behind.starts_with("by") || behind.starts_with("without");
  if (!behind.empty() && (!kept || !labels || behind_brackets(behind, behind.find('(')) != behind.size()))
    return std::nullopt;
  return rest.substr(1, end - 2);
}

/// Names of counters of events, as clients write them; the `_total` of sizes and of counts of things is no counter.
bool counts_events(std::string_view metric) {
  constexpr std::array<std::string_view, 20> kEvents{"error",    "errors",    "failure",    "failures",  "failed",
                                                     "restarts", "restarted", "evicted",    "evictions", "dropped",
                                                     "rejected", "disrupted", "terminated", "timeouts",  "preempted",
                                                     "retries",  "crashes",   "exceptions", "kills",     "reconnects"};
  if (!metric.ends_with("_total") || metric.starts_with("slurm_")) return false;
  metric.remove_suffix(6);
  return std::ranges::find(kEvents, metric.substr(metric.rfind('_') + 1)) != kEvents.end();  // npos + 1 is 0
}

/// The one `and` outside of brackets; npos: there are others, or one that says how sides are matched.
std::size_t only_and(std::string_view text) {
  std::size_t found = text.npos;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '(' || c == '{' || c == '[' || c == '"' || c == '\'') {
      const bool quote = c == '"' || c == '\'';
      const std::size_t end = quote ? text.find(c, at + 1) : behind_brackets(text, at);
      if (end == text.npos) return text.npos;
      at = quote ? end + 1 : end;
      continue;
    }
    const std::string_view name = metric_at(text.substr(at));
    if (name == "or" || name == "unless" || name == "on" || name == "ignoring" || name == "bool") return text.npos;
    if (name == "and") {
      if (found != text.npos) return text.npos;
      found = at;
    }
    at += std::max<std::size_t>(name.size(), 1);
  }
  return found;
}

/// What keeps the labels of its series, and has some: a metric, or a function of one over time.
bool has_labels(std::string_view side) {
  constexpr std::array<std::string_view, 10> kOverTime{"rate",          "irate",         "increase", "delta",
                                                       "deriv",         "avg_over_time", "changes",  "max_over_time",
                                                       "min_over_time", "last_over_time"};
  std::string_view metric = bare_metric(side);
  const std::string_view function = metric_at(side);
  if (metric.empty() && std::ranges::find(kOverTime, function) != kOverTime.end()) {
    const std::string_view rest = trim(side.substr(function.size()));
    if (!rest.starts_with('(') || behind_brackets(rest, 0) != rest.size()) return false;
    metric = metric_at(trim(rest.substr(1)));
  }
  // A recorded one may have none.
  return !metric.empty() && !contains(metric, ":") && metric.find_first_of("_") != metric.npos;
}

class AlertExpressions {
 public:
  AlertExpressions(FileId file, std::string_view text, std::vector<Finding>& findings)
      : file_(file), text_(text), findings_(findings) {}

  void run() {
    const std::vector<TextLine> lines = lines_of(text_);
    bool alert = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view line = lines[i].text;
      std::size_t key = line.find_first_not_of(' ');
      if (key == line.npos || line[key] == '#') continue;
      if (line.substr(key).starts_with("- ")) key = std::min(line.find_first_not_of(' ', key + 1), line.size());
      const std::string_view rest = line.substr(key);
      if (rest.starts_with("alert:")) alert = true;
      if (rest.starts_with("record:")) alert = false;
      if (!rest.starts_with("expr:")) continue;
      const std::string_view expression = expression_at(text_, lines, i, key);
      if (expression.empty() || expression.size() > kLongestExpression || contains(expression, "{{") ||
          contains(expression, "#"))
        continue;
      offset(expression);
      if (alert) counter(expression);
      if (alert) sides(expression);
    }
  }

 private:
  void report(std::string_view rule, std::string_view at, std::string message) {
    findings_.push_back(problem(rule, span_of_part(file_, text_, at), std::move(message)));
  }

  /// Source: prometheus/prometheus:promql/parser/parse.go, addOffset (3.0).
  void offset(std::string_view expression) {
    constexpr std::string_view kOffset = "offset";
    for (std::size_t at = expression.find(kOffset); at != expression.npos; at = expression.find(kOffset, at + 1)) {
      const std::string_view before = trim(expression.substr(0, at));
      const std::string_view behind = expression.substr(at + kOffset.size());
      const std::string_view duration = trim(behind);
      const bool word = at > 0 && !is_metric_letter(expression[at - 1]) && behind != duration && !duration.empty();
      if (!word || !before.ends_with(')') || !is_digit(duration.front())) continue;
      report("alert-offset-behind-brackets", expression.substr(at, kOffset.size()),
             "`offset` stands behind brackets, and Prometheus takes it behind a metric or a range alone");
      return;
    }
  }

  void counter(std::string_view expression) {
    bool above = false;
    std::string_view rest = without_comparison(expression, &above);
    if (const auto within = in_aggregate(rest, true)) rest = trim(*within);
    const std::string_view metric = bare_metric(rest);
    if (!above || !counts_events(metric)) return;
    report("alert-on-counter-total", metric,
           "`" + std::string(metric) + "` is compared as it is, and a counter never gets smaller");
  }

  /// Source: https://prometheus.io/docs/prometheus/latest/querying/operators/#logical-set-binary-operators
  void sides(std::string_view expression) {
    const std::size_t at = only_and(expression);
    if (at == expression.npos) return;
    const std::string_view left = without_comparison(expression.substr(0, at), nullptr);
    const std::string_view right = without_comparison(expression.substr(at + 3), nullptr);
    const bool never =
        (in_aggregate(left, false) && has_labels(right)) || (in_aggregate(right, false) && has_labels(left));
    if (!never) return;
    report("alert-sides-never-match", expression.substr(at, 3),
           "one side of `and` has no labels, and the other has some: no series of one is one of the other");
  }

  FileId file_;
  std::string_view text_;
  std::vector<Finding>& findings_;
};

}  // namespace

void find_alert_slips(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    if (inputs.files[i].reading != Reading::Whole || language_of(inputs.files[i].context.path) != Language::Data)
      continue;
    const std::string_view text = inputs.sources.file(file).text();
    if (contains(text, "expr:") && contains(text, "alert:")) AlertExpressions(file, text, findings).run();
  }
}

}  // namespace muster
