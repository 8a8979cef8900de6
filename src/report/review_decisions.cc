#include <algorithm>

#include "base/strings.h"
#include "report/review_parts.h"

namespace muster {
namespace {

constexpr std::size_t kMostDecisions = 120;
constexpr std::size_t kMostFlips = 4;
constexpr std::size_t kMostChanges = 3;  ///< in one of them: more is another workload

std::string one_change(const FactChange& change) {
  return code(change.fact) + " were " + code(change.to) +
         (change.from.empty() ? "" : " instead of " + code(change.from));
}

/// "`kubernetes` if `nodes` were 1 instead of 16".
std::string flip_words(const ReviewFlip& flip) {
  std::string out = code(flip.value);
  if (!flip.changes.empty()) {
    for (std::size_t i = 0; i < flip.changes.size(); ++i)
      out += (i == 0 ? " if " : " and ") + one_change(flip.changes[i]);
    return out;
  }
  return out + " only with another " + name_list(flip.fixed, 4) + ", which is given";
}

std::string flips_words(const ReviewDecision& decision, std::size_t most) {
  std::string out;
  for (const ReviewFlip& flip : decision.flips) {
    if (flip.changes.size() > kMostChanges || most-- == 0) break;
    out += (out.empty() ? "" : std::string(1, kLineBreak)) + flip_words(flip);
  }
  return out.empty() ? "no other value by one change" : out;
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
          {flips_words(decision, 1), Tone::Plain, ""}};
}

/// Those of one state as a part of the section, if there are any.
void add_part(const Review& review, PageSection part, std::vector<std::string> head,
              bool (*is_in)(const ReviewDecision& decision), Cells (*row_of)(const ReviewDecision& decision),
              PageSection& out) {
  PageTable table;
  table.head = std::move(head);
  std::size_t count = 0;
  for (const ReviewDecision& decision : review.decisions) {
    if (is_in(decision) && ++count <= kMostDecisions) table.rows.push_back(row_of(decision));
  }
  if (count == 0) return;
  part.blocks.push_back(std::move(table));
  if (count > kMostDecisions)
    part.blocks.push_back(PageParagraph{count_of(count - kMostDecisions, "more decision") + "; " +
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
  out.blocks.push_back(
      PageParagraph{"What binds longest comes first. Each choice is a row of a decision table, named in brackets: " +
                    code("muster explain TABLE") +
                    " shows all of it. \"Would turn to\" is the smallest change of facts that leads to "
                    "another value."});
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
