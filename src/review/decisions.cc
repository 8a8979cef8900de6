#include <algorithm>
#include <map>
#include <tuple>

#include "base/parallel.h"
#include "base/strings.h"
#include "decide/circumstances.h"
#include "decide/decide.h"
#include "review/fill.h"

namespace muster {
namespace {

/// Workloads, from the first, for which is asked what would turn a choice.
constexpr std::size_t kMostAsked = 60;

/// A choice of one workload, and the output of a table that gives it.
struct Asked {
  std::string id;
  const Choice* choice = nullptr;
  std::vector<std::string> options;
  std::string output;  ///< table.output; empty: an add-on
};

std::vector<Asked> choices_of(const Decision& decision) {
  std::vector<Asked> out;
  out.push_back({"control-plane", &decision.primary, {}, "control-plane.primary"});
  if (decision.primary.value && decision.host.value != decision.primary.value)
    out.push_back({"host", &decision.host, {}, "control-plane.host"});
  out.push_back({"placement", &decision.runs_on, {}, "placement.runs_on"});
  for (const AddonChoice& addon : decision.addons)
    out.push_back({"addon/" + addon.id, &addon.level, addon.options, ""});
  out.push_back({"hybrid", &decision.hybrid, {}, "hybrid.mode"});
  for (const NamedChoice& further : decision.choices) out.push_back({further.id, &further.choice, {}, ""});
  return out;
}

const TableOutput* output_of(const RuleBook& book, const std::string& name) {
  const std::size_t dot = name.find('.');
  const Table* table = book.find_table(name.substr(0, dot));
  if (table == nullptr || table->hit == HitPolicy::Collect) return nullptr;
  return dot == std::string::npos ? &table->outputs.front() : table->find_output(name.substr(dot + 1));
}

class Decisions {
 public:
  Decisions(const ReviewSubject& subject, Review& review) : subject_(subject), review_(review) {}

  void run() {
    const Circumstances around(subject_.model, subject_.book, subject_.site);
    std::vector<std::vector<ReviewDecision>> by_workload(subject_.decisions.size());
    in_parallel(by_workload.size(), subject_.threads, [&](std::size_t i) {
      for (const Asked& asked : choices_of(subject_.decisions[i]))
        by_workload[i].push_back(answer(asked, i < kMostAsked, subject_.model.workloads[i], around.site_of(i)));
    });
    for (std::size_t i = 0; i < by_workload.size(); ++i) {
      for (ReviewDecision& one : by_workload[i]) join_in(std::move(one), subject_.model.workloads[i].name.value);
    }
    fleet();
    // What is needed nowhere is no news.
    std::ranges::stable_sort(review_.decisions, {}, [](const ReviewDecision& decision) {
      return std::tuple(decision.choice.value == "none", -static_cast<int>(decision.choice.reversibility),
                        !decision.choice.value, decision.id);
    });
  }

 private:
  ReviewDecision answer(const Asked& asked, bool with_flips, const Workload& workload, const Site& site) const {
    const std::string output = !asked.output.empty() ? asked.output : asked.id;
    ReviewDecision one{asked.id, *asked.choice, asked.options, {}, {}};
    if (!with_flips) return one;
    one.flips = asked.id.starts_with("addon/") ? addon_flips(asked, workload, site)
                                               : flips(output, *asked.choice, workload, site);
    return one;
  }

  /// Workloads of one choice for one reason share a row.
  void join_in(ReviewDecision one, const std::string& workload) {
    std::string key =
        one.id + "\n" + one.choice.value.value_or("") + "\n" + one.choice.rule + "\n" + one.choice.because;
    for (const std::string& value : one.choice.possible) key += "\n" + value;
    for (const std::string& fact : one.choice.unknown) key += "\n?" + fact;
    for (const ReviewFlip& flip : one.flips) {
      key += "\n" + flip.value;
      for (const FactChange& change : flip.changes) key += "\n" + change.fact + "=" + change.to;
    }
    const auto [at, fresh] = rows_.try_emplace(key, review_.decisions.size());
    if (fresh) {
      review_.decisions.push_back(std::move(one));
    } else {
      forget_what_differs(one.flips, review_.decisions[at->second].flips);
    }
    review_.decisions[at->second].workloads.push_back(workload);
  }

  /// Values that the workloads of a row do not share.
  static void forget_what_differs(const std::vector<ReviewFlip>& flips, std::vector<ReviewFlip>& of_row) {
    for (std::size_t f = 0; f < flips.size(); ++f) {
      for (std::size_t c = 0; c < flips[f].changes.size(); ++c) {
        std::string& from = of_row[f].changes[c].from;
        if (from != flips[f].changes[c].from) from.clear();
      }
    }
  }

  /// For each other value the smallest change that leads there.
  std::vector<ReviewFlip> flips(const std::string& output, const Choice& choice, const Workload& workload,
                                const Site& site) const {
    std::vector<ReviewFlip> out;
    const TableOutput* words = output_of(subject_.book, output);
    if (words == nullptr || !choice.value) return out;
    const std::string name = output.find('.') == std::string::npos ? output + "." + words->name : output;
    for (const std::string& value : words->words) {
      if (value == *choice.value) continue;
      Result<WhyNot> answer = why_not(workload, subject_.book, site, name + "=" + value);
      if (!answer || (answer->changes.empty() && answer->fixed.empty())) continue;
      out.push_back(
          {value, answer->changes.empty() ? std::vector<FactChange>{} : answer->changes.front(), answer->fixed});
    }
    std::ranges::stable_sort(
        out, {}, [](const ReviewFlip& flip) { return flip.changes.empty() ? std::size_t{9} : flip.changes.size(); });
    return out;
  }

  /// Add-ons follow from what runs where: facts of the workload turned one at a time.
  std::vector<ReviewFlip> addon_flips(const Asked& asked, const Workload& workload, const Site& site) const {
    std::vector<ReviewFlip> out;
    if (!asked.choice->value) return out;
    const std::string addon = asked.id.substr(std::string_view("addon/").size());
    for (std::size_t f = 0; f < workload.facts.size() && out.size() < 3; ++f) {
      const Located<FactValue>& fact = workload.facts[f];
      const FactDef& def = workload_facts()[f];
      const bool flag = def.type == FactType::Bool;
      if (!fact.known() || !def.can_change || (!flag && def.name != "nodes")) continue;
      Workload turned = workload;
      if (flag) {
        turned.facts[f].value = !std::get<bool>(fact.value);
      } else {
        turned.facts[f].value = std::get<std::int64_t>(fact.value) > 1 ? std::int64_t{1} : std::int64_t{2};
      }
      const Decision then = decide(turned, subject_.book, site);
      const auto found = std::ranges::find(then.addons, addon, &AddonChoice::id);
      const std::string level = found == then.addons.end() ? "none" : found->level.value.value_or("");
      if (level.empty() || level == *asked.choice->value) continue;
      out.push_back(
          {level, {{std::string(def.name), text_of(fact.value), text_of(turned.facts[f].value), fact.where}}, {}});
    }
    return out;
  }

  static std::string text_of(const FactValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    return std::to_string(std::get<std::int64_t>(value));
  }

  void fleet() {
    if (subject_.decisions.empty()) return;
    const Site site = with_work(subject_.model, subject_.site, subject_.decisions);
    const Workload nobody = no_workload();
    const FleetDecision& fleet = review_.fleet_decision;
    const auto add = [&](const std::string& id, const std::string& output, const Choice& choice) {
      review_.decisions.push_back({id, choice, {}, {}, flips(output, choice, nobody, site)});
    };
    if (subject_.decisions.size() > 1) {
      add("fleet", "fleet.planes", fleet.planes);
      add("hybrid", "", fleet.hybrid);
    }
    for (const NamedChoice& further : fleet.choices) add(further.id, further.id, further.choice);
  }

  const ReviewSubject& subject_;
  Review& review_;
  std::map<std::string, std::size_t> rows_;
};

}  // namespace

void fill_decisions(const ReviewSubject& subject, Review& review) {
  review.has_workloads = !subject.model.workloads.empty();
  review.decided = &subject.decisions;
  review.fleet_decision = decide_fleet(subject.model, subject.book, subject.site, subject.decisions);
  Decisions(subject, review).run();
}

void fill_figures(const ReviewSubject& subject, Review& review) {
  review.economics = review.fleet_decision.economics;
  const Fleet* fleet = only_fleet(subject.model);
  if (fleet == nullptr) return;
  review.spares = spares_of(*fleet);
  const auto& choices = review.fleet_decision.choices;
  const auto maturity = std::ranges::find(choices, "maturity", &NamedChoice::id);
  review.money = money_of(*fleet, maturity == choices.end() ? std::nullopt : maturity->choice.value);
  const bool knows_rate = fleet->fact("reliability.gpu_hours_per_interruption").known();
  for (const Workload& workload : subject.model.workloads) {
    const Located<FactValue>& serves = workload.fact("long_lived_services");
    const Located<FactValue>& nodes = workload.fact("nodes");
    const bool is_service = serves.known() && std::get<bool>(serves.value);
    if (is_service || (nodes.known() && std::get<std::int64_t>(nodes.value) < 2)) continue;
    std::optional<Goodput> goodput =
        knows_rate ? goodput_of(workload, *fleet) : goodput_at(workload, kPublishedRateLow);
    if (!goodput) continue;
    const std::optional<double> useful = useful_share(workload, *fleet, *goodput);
    review.goodput.push_back({workload.name.value, *std::move(goodput), useful,
                              knows_rate ? std::nullopt : goodput_at(workload, kPublishedRateHigh)});
  }
  // The largest jobs are hit most often.
  std::ranges::stable_sort(review.goodput, std::ranges::greater{},
                           [](const ReviewGoodput& job) { return job.goodput.gpus; });
}

}  // namespace muster
