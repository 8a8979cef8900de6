#include "kubernetes/known_charts.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/strings.h"
#include "embed/assets.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamed = 6;  // values in one message

/// A value at the top, and what may stand below it; nothing: anything.
using Sections = std::map<std::string_view, std::vector<std::string_view>>;
using Charts = std::map<std::string_view, Sections>;

const Charts& known_charts() {
  static const Charts kCharts = [] {
    Charts out;
    Sections* sections = nullptr;
    for (const std::string_view line : split(assets_below("schemas/chart.values").front().text, '\n')) {
      std::vector<std::string_view> words = split_blanks(line);
      if (words.empty()) continue;
      if (words[0] == "chart" && words.size() == 3) {
        sections = &out[words[1]];
      } else if (sections != nullptr) {
        const std::string_view key = words[0];
        words.erase(words.begin());
        sections->emplace(key, std::move(words));
      }
    }
    return out;
  }();
  return kCharts;
}

/// `{}`, `[]`, `null`: nobody misses it.
bool says_nothing(const Node& value) {
  return value.is_null() || (value.is_scalar() ? value.text().empty() : value.size() == 0);
}

bool is_asked(const Node& key, const Node& value) {
  const std::string_view name = key.text();
  return !name.empty() && name != "<<" && name != "global" && name != "tags" && name != "sops" &&
         !name.starts_with("x-") && !contains(name, "{{") && !says_nothing(value);
}

}  // namespace

bool is_known_chart(std::string_view chart) { return known_charts().contains(chart); }

void check_known_values(std::string_view chart, const Node& values, std::optional<Span> place,
                        std::vector<Finding>& findings) {
  const auto found = known_charts().find(chart);
  if (found == known_charts().end() || !values.is_mapping()) return;
  std::vector<std::string> unread;
  Span first;
  const auto say = [&](const Node& key, std::string path) {
    if (unread.empty()) first = place.value_or(key.where());
    unread.push_back("`" + std::move(path) + "`");
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Node key = values.key(i);
    const Node below = values.value(i);
    if (!is_asked(key, below)) continue;
    const auto section = found->second.find(key.text());
    if (section == found->second.end()) {
      say(key, std::string(key.text()));
      continue;
    }
    for (std::size_t k = 0; !section->second.empty() && below.is_mapping() && k < below.size(); ++k) {
      if (is_asked(below.key(k), below.value(k)) &&
          std::ranges::find(section->second, below.key(k).text()) == section->second.end())
        say(below.key(k), std::string(key.text()) + "." + std::string(below.key(k).text()));
    }
  }
  if (unread.empty()) return;
  const std::size_t more = unread.size() - std::min(unread.size(), kMostNamed);
  unread.resize(unread.size() - more);
  findings.push_back(problem("chart-value-unread", first,
                             "the chart `" + std::string(chart) + "` reads no value " + join(unread, ", ") +
                                 (more > 0 ? ", nor " + std::to_string(more) + " more" : "")));
}

}  // namespace muster
