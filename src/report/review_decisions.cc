#include <algorithm>
#include <map>

#include "base/strings.h"
#include "report/review_parts.h"

namespace muster {
namespace {

constexpr std::size_t kMostDecisions = 120;
constexpr std::size_t kMostFlips = 2;
constexpr std::size_t kMostChanges = 3;  ///< in one of them: more is another workload

std::string one_change(const FactChange& change) {
  const std::string to = change.before.empty() ? code(change.to) : "older than " + code(change.before);
  return code(change.fact) + " were " + to + (change.from.empty() ? "" : " instead of " + code(change.from));
}

/// "`kubernetes` if `nodes` were 1 instead of 16".
std::string flip_words(const ReviewFlip& flip) {
  std::string out = code(flip.value);
  for (std::size_t i = 0; i < flip.changes.size(); ++i)
    out += (i == 0 ? " if " : " and ") + one_change(flip.changes[i]);
  return out;
}

/// All values that only other facts of the site would bring, in one line.
std::string fixed_words(const ReviewDecision& decision) {
  std::vector<std::string> values;
  std::vector<std::string> facts;
  for (const ReviewFlip& flip : decision.flips) {
    if (!flip.changes.empty() || flip.fixed.empty()) continue;
    values.push_back(flip.value);
    for (const std::string& fact : flip.fixed) {
      if (std::ranges::find(facts, fact) == facts.end()) facts.push_back(fact);
    }
  }
  if (values.empty()) return "";
  const bool work = std::ranges::all_of(facts, [](const std::string& fact) { return fact.starts_with("work."); });
  constexpr std::size_t kMostValues = 3;
  const std::size_t more = values.size() > kMostValues ? values.size() - kMostValues : 0;
  values.resize(values.size() - more);
  return one_of(values) + (more > 0 ? " or " + with_thousands(more) + " more" : "") + " only if " +
         (work ? "the work itself were different"
               : name_list(facts, 2) + " were different, which " + (facts.size() > 1 ? "are facts" : "is a fact") +
                     " of the site");
}

std::string flips_words(const ReviewDecision& decision, std::size_t most) {
  std::string out;
  std::size_t left_out = 0;
  const auto add = [&](const std::string& line) { out += (out.empty() ? "" : std::string(1, kLineBreak)) + line; };
  for (const ReviewFlip& flip : decision.flips) {
    if (flip.changes.empty() || flip.changes.size() > kMostChanges) continue;
    most == 0 ? static_cast<void>(++left_out) : add(flip_words(flip));
    most -= most == 0 ? 0 : 1;
  }
  if (out.empty()) out = fixed_words(decision);
  if (out.empty()) return "no other value by one change";
  if (left_out > 0) add(count_of(left_out, "more value"));
  return out;
}

/// Of what is not needed: the first value that would be something.
std::string first_words(const ReviewDecision& decision) {
  ReviewDecision one = decision;
  one.flips.resize(std::min<std::size_t>(one.flips.size(), 1));
  return flips_words(one, 1);
}

using Cells = std::vector<PageCell>;

std::string for_whom(const ReviewDecision& decision) {
  return decision.workloads.empty() ? "the fleet" : name_list(decision.workloads, 6);
}

PageCell binding(const ReviewDecision& decision) {
  return {binding_words(decision.choice), tone_of(decision.choice.reversibility), ""};
}

std::string because_of(const ReviewDecision& decision) {
  std::string out = prose(decision.choice.because);
  if (!decision.options.empty()) out += (out.empty() ? "" : "; ") + ("one of " + name_list(decision.options, 12));
  if (!decision.choice.rule.empty()) out += " (" + code(decision.choice.rule) + ")";
  return out;
}

Cells decided_row(const ReviewDecision& decision) {
  return {{decision_words(decision), Tone::Plain, ""}, {choice_words(decision.choice), Tone::Plain, ""},
          {for_whom(decision), Tone::Plain, ""},       binding(decision),
          {because_of(decision), Tone::Plain, ""},     {flips_words(decision, kMostFlips), Tone::Plain, ""}};
}
Cells open_row(const ReviewDecision& decision) {
  return {{decision_words(decision), Tone::Plain, ""},
          {one_of(decision.choice.possible), Tone::Plain, ""},
          {for_whom(decision), Tone::Plain, ""},
          binding(decision),
          {name_list(decision.choice.unknown, 8), Tone::Plain, ""}};
}
Cells idle_row(const ReviewDecision& decision) {
  return {{decision_words(decision), Tone::Plain, ""},
          {for_whom(decision), Tone::Plain, ""},
          {because_of(decision), Tone::Plain, ""},
          {first_words(decision), Tone::Plain, ""}};
}

/// Rows that differ in their workloads alone are one.
std::vector<ReviewDecision> put_together(const std::vector<ReviewDecision>& decisions,
                                         Cells (*row_of)(const ReviewDecision& decision)) {
  std::vector<ReviewDecision> out;
  std::map<std::string, std::size_t> seen;
  for (const ReviewDecision& decision : decisions) {
    ReviewDecision alone = decision;
    alone.workloads.clear();
    std::string key = decision.workloads.empty() ? "fleet" : "";
    for (const PageCell& cell : row_of(alone)) key += "\n" + cell.text;
    const auto [at, fresh] = seen.try_emplace(std::move(key), out.size());
    if (fresh) {
      out.push_back(decision);
    } else {
      std::vector<std::string>& workloads = out[at->second].workloads;
      workloads.insert(workloads.end(), decision.workloads.begin(), decision.workloads.end());
    }
  }
  return out;
}

/// Those of one state as a part of the section, if there are any.
void add_part(const Review& review, PageSection part, std::vector<std::string> head,
              bool (*is_in)(const ReviewDecision& decision), Cells (*row_of)(const ReviewDecision& decision),
              PageSection& out) {
  std::vector<ReviewDecision> in;
  std::ranges::copy_if(review.decisions, std::back_inserter(in), is_in);
  if (in.empty()) return;
  const std::vector<ReviewDecision> rows = put_together(in, row_of);
  PageTable table;
  table.head = std::move(head);
  for (std::size_t i = 0; i < std::min(rows.size(), kMostDecisions); ++i) table.rows.push_back(row_of(rows[i]));
  part.blocks.push_back(std::move(table));
  if (rows.size() > kMostDecisions)
    part.blocks.push_back(PageParagraph{count_of(rows.size() - kMostDecisions, "more decision") + "; " +
                                        code("--format json") + " lists them."});
  out.parts.push_back(std::move(part));
}

}  // namespace

PageSection decisions_section(const Review& review) {
  PageSection out{"decisions", "Decisions", {}, {}};
  if (!review.has_workloads) {
    out.blocks.push_back(missing("Nothing is decided without a workloads file: give one with " +
                                 code("--workloads workloads.yaml") + "."));
    return out;
  }
  out.blocks.push_back(PageParagraph{
      "What binds longest comes first. Each choice is a row of a decision table, named in brackets: " +
      code("muster explain TABLE") +
      " shows all of it. \"Would turn to\" is the smallest change of facts that leads to "
      "another value; " +
      code("--format json") + " has all of them. " + code("control-plane") +
      " is what the shape of the work alone calls for, " + code("placement") + " where it goes in this fleet."});
  add_part(
      review, {"", "Decided", {}, {}}, {"Decision", "Choice", "For", "To undo", "Because", "Would turn to"},
      [](const ReviewDecision& one) { return one.choice.value && *one.choice.value != "none"; }, decided_row, out);
  add_part(
      review, {"", "Still open", {}, {}}, {"Decision", "Could be", "For", "To undo", "Until these are known"},
      [](const ReviewDecision& one) { return !one.choice.value; }, open_row, out);
  add_part(
      review, {"", "Not needed", {}, {}}, {"Decision", "For", "Because", "Would turn to"},
      [](const ReviewDecision& one) { return one.choice.value == "none"; }, idle_row, out);
  return out;
}

}  // namespace muster
