#pragma once

#include <string>
#include <vector>

#include "report/page.h"
#include "report/review.h"

namespace muster {

// One section each, for review_page().
PageSection summary_section(const Review& review);
PageSection decisions_section(const Review& review);
PageSection readiness_section(const Review& review);
PageSection proofs_section(const Review& review);
PageSection topology_section(const Review& review);
PageSection queues_section(const Review& review);
PageSection figures_section(const Review& review);
PageSection findings_section(const Review& review);
PageSection assumptions_section(const Review& review);
PageSection gaps_section(const Review& review);
PageSection sources_section(const Review& review);
PageSection inputs_section(const Review& review);

Page review_page(const Review& review);

// Words that several of them use.

/// `FILE:LINE` as a word of the input; empty without a place.
std::string place_words(const ReviewPlace& place);
/// What is decided: a table's name, or an add-on.
std::string decision_words(const ReviewDecision& decision);
/// The value of a choice, or what it could be.
std::string choice_words(const Choice& choice);
/// "`tree` or `block`".
std::string one_of(const std::vector<std::string>& values);
/// Names as words of the input, so many of them, and how many more there are.
std::string name_list(const std::vector<std::string>& names, std::size_t most);
Tone tone_of(Reversibility reversibility);
Tone tone_of(Severity severity);
/// "baked-in, years": what it takes to undo a choice, and for how long it binds.
std::string binding_words(const Choice& choice);
/// One line that says what is not there and how to give it.
PageParagraph missing(std::string text);
/// A figure with so many digits behind the point: 3.09, 12.
std::string figure(double value, int digits);

}  // namespace muster
