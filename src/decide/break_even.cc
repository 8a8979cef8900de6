#include "decide/break_even.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "rulebook/table_value.h"

namespace muster {
namespace {

constexpr std::string_view kSlurmShare = "work.slurm_share";
constexpr double kFarthest = 100;  // times the number as it is; a fleet a hundred times as large is another fleet
constexpr int kHalvings = 40;

using Answers = std::map<std::string, std::string>;

struct Number {
  std::string fact;
  double now = 0;
  double least = 0;
  double most = 0;
  bool whole = false;
};

/// Three digits, rounded to the side on which the choice stays.
double three_digits(double value, bool upwards) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  // What is a round number already stays one; facts are handed on with six decimals.
  const double steps = value / unit;
  const double nearest = std::round(steps);
  if (std::abs(steps - nearest) < 1e-3) return nearest * unit;
  return (upwards ? std::floor(steps) : std::ceil(steps)) * unit;
}

std::string number_text(const Number& number, double value) {
  if (number.whole) return std::to_string(static_cast<std::int64_t>(value));
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  if (std::string_view(text).find('e') == std::string_view::npos) return text;
  if (std::abs(value) >= 1) return std::to_string(static_cast<std::int64_t>(std::llround(value)));
  // The same three digits as people write them; what is handed on has six decimals.
  std::snprintf(text, sizeof text, "%.8f", value);
  std::string out = text;
  out.erase(out.find_last_not_of('0') + 1);
  return out;
}

class Seeker {
 public:
  Seeker(const Model& model, const Site& site, const AskAgain& ask) : site_(site), ask_(ask) {
    model_.fleets = model.fleets;
    derived_ = read_site_facts(model_);
  }

  std::vector<BreakEven> run() {
    const Answers now = ask_(site_);
    for (const Number& number : numbers()) {
      for (const bool upwards : {true, false}) seek(number, upwards, now);
    }
    std::ranges::stable_sort(out_, {}, &BreakEven::choice);
    return std::move(out_);
  }

 private:
  std::vector<Number> numbers() const {
    std::vector<Number> out;
    for (std::size_t f = 0; f < fleet_facts().size(); ++f) {
      const FactDef& def = fleet_facts()[f];
      const Located<FactValue>& fact = model_.fleets.front().facts[f];
      if (!fact.known() || (def.type != FactType::Int && def.type != FactType::Double)) continue;
      const auto* whole = std::get_if<std::int64_t>(&fact.value);
      const double now = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(fact.value);
      out.push_back({std::string(def.name), now, def.least, def.most, whole != nullptr});
    }
    if (const std::optional<double> share = slurm_share_of(site_))
      out.push_back({std::string(kSlurmShare), *share, 0, 1, false});
    return out;
  }

  Answers ask(const Number& number, double value) {
    Site other = site_;
    if (number.fact == kSlurmShare) {
      other.facts[number.fact] = std::to_string(value);
      return ask_(other);
    }
    Located<FactValue>& fact = model_.fleets.front().facts[*fact_index(fleet_facts(), number.fact)];
    const FactValue before = fact.value;
    fact.value = number.whole ? FactValue(static_cast<std::int64_t>(value)) : FactValue(value);
    for (const auto& [name, text] : read_site_facts(model_)) {
      // What --set gave stays.
      const auto derived = derived_.find(name);
      const auto known = site_.facts.find(name);
      const bool as_derived =
          derived != derived_.end() && known != site_.facts.end() && known->second == derived->second;
      if (as_derived) other.facts[name] = text;
    }
    fact.value = before;
    return ask_(other);
  }

  void seek(const Number& number, bool upwards, const Answers& now) {
    std::map<std::string, bool> found;
    const double scale = number.whole       ? std::max(1.0, number.now)
                         : number.now > 0   ? number.now
                         : number.most <= 1 ? 0.01
                                            : 1;
    double same = number.now;
    for (double step = number.whole ? 1 : scale / 16;; step *= 2) {
      double next = upwards ? number.now + step : number.now - step;
      const double end = upwards ? std::min(number.most, number.now + kFarthest * scale) : number.least;
      const bool last = upwards ? next >= end : next <= end;
      if (last) next = end;
      if (next == same) return;
      const Answers there = ask(number, next);
      for (const auto& [choice, value] : now) {
        const auto other = there.find(choice);
        if (found[choice] || other == there.end() || other->second == value) continue;
        found[choice] = true;
        halve(number, upwards, choice, value, same, next);
      }
      if (last) return;
      same = next;
    }
  }

  /// Between a value with which a choice stays and one with which it does not.
  void halve(const Number& number, bool upwards, const std::string& choice, const std::string& value, double same,
             double changed) {
    std::string then;
    for (int i = 0; i < kHalvings; ++i) {
      double middle = (same + changed) / 2;
      if (number.whole) middle = upwards ? std::floor(middle) : std::ceil(middle);
      if (middle == same || middle == changed) break;
      const Answers there = ask(number, middle);
      const auto other = there.find(choice);
      (other != there.end() && other->second == value ? same : changed) = middle;
    }
    const Answers there = ask(number, changed);
    if (const auto other = there.find(choice); other != there.end()) then = other->second;
    out_.push_back({choice, value, number.fact, number_text(number, number.now), upwards,
                    number_text(number, number.whole ? same : three_digits(same, upwards)), then});
  }

  Model model_;  ///< the fleet alone
  const Site& site_;
  const AskAgain& ask_;
  SiteFacts derived_;
  std::vector<BreakEven> out_;
};

}  // namespace

std::optional<double> slurm_share_of(const Site& site) {
  const auto share = site.facts.find(kSlurmShare);
  const std::optional<TableValue> value =
      share == site.facts.end() ? std::nullopt : parse_value(InputType::Double, share->second);
  return value ? std::optional(std::get<double>(*value)) : std::nullopt;
}

std::vector<BreakEven> find_break_evens(const Model& model, const Site& site, const AskAgain& ask) {
  if (model.fleets.size() != 1) return {};
  return Seeker(model, site, ask).run();
}

}  // namespace muster
