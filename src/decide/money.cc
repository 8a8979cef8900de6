#include "decide/money.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <initializer_list>

#include "base/strings.h"
#include "facts/site_facts.h"

namespace muster {
namespace {

constexpr double kYears = 3;

/// How full platforms of each level are, by the course; nobody measured this fleet.
struct Level {
  std::string_view level;
  double low;
  double high;
};
constexpr std::array kLevels{Level{"1", 0.20, 0.30}, Level{"2", 0.40, 0.60}, Level{"3", 0.60, 0.80},
                             Level{"4", 0.80, 0.95}};

/// How full GPUs are under the device plugin, and under claims of devices, as vendors report it; nobody else has.
constexpr double kPluginLow = 0.45;
constexpr double kPluginHigh = 0.60;
constexpr double kClaimsLow = 0.70;
constexpr double kClaimsHigh = 0.85;

constexpr std::string_view kGuide = "orchestration decision guide";
constexpr std::string_view kCourse = "GPU fleet course, orchestration chapter";

/// 688, 2.5, 300,000.
std::string plain(double value) {
  if (std::abs(value) < 9e15 && value == std::floor(value) && value >= 0)
    return with_thousands(static_cast<std::uint64_t>(value));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

struct Input {
  std::string_view fact;
  std::string_view unit;
};
constexpr Input kGpus{"gpus_per_node", "GPUs"};  // of all pools
constexpr Input kHour{"economics.gpu_hour_usd", "USD an hour"};
constexpr Input kSalary{"economics.engineer_usd_per_year", "USD an engineer"};
constexpr Input kStranded{"economics.stranded_share", ""};
constexpr Input kTwoPlanes{"economics.two_plane_engineers", "engineers"};
constexpr Input kOwnTeam{"requirements.platform_engineers", "engineers"};
constexpr Input kGain{"economics.bought_goodput_gain", ""};
constexpr Input kLicence{"economics.licence_usd_per_gpu_year", "USD a GPU"};

/// The inputs of one figure: numbers to reckon with, words for the formula, the names of those missing.
class Inputs {
 public:
  Inputs(const Fleet& fleet, std::initializer_list<Input> inputs) {
    for (const Input& input : inputs) {
      const std::optional<double> value = value_of(fleet, input.fact);
      values_.push_back(value.value_or(std::nan("")));
      words_.push_back(value ? plain(*value) + (input.unit.empty() ? "" : " ") + std::string(input.unit)
                             : std::string(input.fact));
      if (!value && std::ranges::find(missing_, input.fact) == missing_.end()) missing_.emplace_back(input.fact);
    }
  }

  double operator[](std::size_t index) const { return values_[index]; }

  /// Puts the words into the places of `{}`.
  std::string formula(std::string_view form) const {
    std::string out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < form.size(); ++i) {
      const bool place = form.substr(i, 2) == "{}" && next < words_.size();
      if (place) {
        out += words_[next++];
        ++i;
      } else {
        out += form[i];
      }
    }
    return out;
  }

  const std::vector<std::string>& missing() const { return missing_; }

 private:
  static std::optional<double> value_of(const Fleet& fleet, std::string_view name) {
    if (name != kGpus.fact) return number_of(fleet.fact(name));
    const std::optional<std::int64_t> count = gpu_count(fleet);
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
  }

  std::vector<double> values_;
  std::vector<std::string> words_;
  std::vector<std::string> missing_;
};

MoneyFigure figure_of(std::string_view id, std::string_view what, std::string_view unit, std::string_view source,
                      std::string_view form, const Inputs& inputs, double low, std::optional<double> high = {}) {
  MoneyFigure out{
      std::string(id), std::string(what), std::string(unit), inputs.formula(form), std::string(source), {}, {},
      inputs.missing()};
  // A break-even that divides by nothing is nowhere.
  if (out.missing.empty() && std::isfinite(low)) {
    out.low = low;
    out.high = high.value_or(low);
  }
  return out;
}

MoneyFigure fleet_cost(const Fleet& fleet) {
  const Inputs in(fleet, {kGpus, kHour});
  return figure_of("fleet", "what all GPUs cost", "USD a year", kCourse, "{} · {} · 8,760 h", in,
                   in[0] * in[1] * kHoursPerYear);
}

MoneyFigure point_of_goodput(const Fleet& fleet) {
  const Inputs in(fleet, {kGpus, kHour});
  return figure_of("goodput-point", "what one point of goodput is worth", "USD a year", kGuide,
                   "0.01 · {} · {} · 8,760 h", in, 0.01 * in[0] * in[1] * kHoursPerYear);
}

MoneyFigure idle(const Fleet& fleet, const std::optional<std::string>& maturity) {
  const auto level = std::ranges::find(kLevels, maturity.value_or(""), &Level::level);
  const bool known = level != kLevels.end();
  const Inputs in(fleet, {kGpus, kHour});
  const double usd = in[0] * in[1] * kHoursPerYear;
  const std::string share =
      known ? "(" + plain(1 - level->high) + " to " + plain(1 - level->low) + ")" : "(1 - utilisation of the level)";
  const std::string source = std::string(kCourse) + ": utilisation of platforms by maturity, not measured here";
  MoneyFigure out = figure_of("idle", "what usually idles on platforms of this maturity", "USD a year", source,
                              share + " · {} · {} · 8,760 h", in, known ? (1 - level->high) * usd : std::nan(""),
                              known ? (1 - level->low) * usd : std::nan(""));
  if (!known) out.missing.emplace_back("maturity");
  return out;
}

/// By vendors' word, and so in a unit of its own: it stands beside no cost that was reckoned.
MoneyFigure claims_fill(const Fleet& fleet) {
  const Inputs in(fleet, {kGpus, kHour});
  const double usd = in[0] * in[1] * kHoursPerYear;
  const std::string form = "(" + plain(kClaimsLow) + " - " + plain(kPluginHigh) + " to " + plain(kClaimsHigh) + " - " +
                           plain(kPluginLow) + ") · {} · {} · 8,760 h";
  return figure_of("claims-fill", "what claims of devices fill that the device plugin leaves idle, as vendors report",
                   "USD a year, by vendors", "vendors' reports (plugin 45 to 60 % full, DRA 70 to 85 %), not measured",
                   form, in, (kClaimsLow - kPluginHigh) * usd, (kClaimsHigh - kPluginLow) * usd);
}

void add_two_planes(const Fleet& fleet, std::vector<MoneyFigure>& out) {
  const Inputs border(fleet, {kStranded, kGpus, kHour});
  out.push_back(figure_of("stranded", "what idles at the border of two planes", "USD a year", kGuide,
                          "{} · {} · {} · 8,760 h", border, border[0] * border[1] * border[2] * kHoursPerYear));
  const Inputs people(fleet, {kTwoPlanes, kSalary});
  out.push_back(figure_of("two-planes", "who runs the second plane", "USD a year", kGuide, "{} · {}", people,
                          people[0] * people[1]));
  const Inputs even(fleet, {kTwoPlanes, kSalary, kStranded, kHour});
  out.push_back(figure_of("two-planes-break-even", "size from which joining the planes pays", "GPUs", kGuide,
                          "{} · {} / ({} · {} · 8,760 h)", even,
                          even[0] * even[1] / (even[2] * even[3] * kHoursPerYear)));
}

void add_platform(const Fleet& fleet, std::vector<MoneyFigure>& out) {
  const double others = number_of(fleet.fact("economics.bought_platform_engineers")).value_or(0);
  const std::string theirs = others == 0 ? "0 engineers (none is stated)" : plain(others) + " engineers";
  const Inputs own(fleet, {kOwnTeam, kSalary, kGain, kGpus, kHour});
  out.push_back(figure_of("own-platform", "a platform of one's own, with the goodput that the bought one has more",
                          "USD in three years", kGuide, "3 · ({} · {} + {} · {} · {} · 8,760 h)", own,
                          kYears * (own[0] * own[1] + own[2] * own[3] * own[4] * kHoursPerYear)));
  const Inputs bought(fleet, {kLicence, kGpus, kSalary});
  out.push_back(figure_of("bought-platform", "a bought platform", "USD in three years", kGuide,
                          "3 · ({} · {} + " + theirs + " · {})", bought,
                          kYears * (bought[0] * bought[1] + others * bought[2])));
  const Inputs even(fleet, {kLicence, kGpus, kGain, kGpus, kHour, kSalary});
  const double saved = even[0] * even[1] - even[2] * even[3] * even[4] * kHoursPerYear;
  out.push_back(figure_of("own-platform-break-even", "engineers up to which a platform of one's own costs no more",
                          "engineers", kGuide, "({} · {} - {} · {} · {} · 8,760 h) / {} + " + theirs, even,
                          std::max(saved / even[5] + others, 0.0)));
}

}  // namespace

std::vector<MoneyFigure> money_of(const Fleet& fleet, const std::optional<std::string>& maturity) {
  std::vector<MoneyFigure> out;
  const bool says = std::ranges::any_of(fleet_facts(), [&](const FactDef& fact) {
    return fact.name.starts_with("economics.") && fleet.fact(fact.name).known();
  });
  if (!says) return out;
  out.push_back(fleet_cost(fleet));
  out.push_back(point_of_goodput(fleet));
  out.push_back(idle(fleet, maturity));
  out.push_back(claims_fill(fleet));
  add_two_planes(fleet, out);
  add_platform(fleet, out);
  return out;
}

}  // namespace muster
