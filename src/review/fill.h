#pragma once

#include <string>
#include <vector>

#include "facts/site_facts.h"
#include "model/model.h"
#include "report/review.h"
#include "rulebook/rule_book.h"

namespace muster {

/// What a review is made of; all of it must outlive the review.
struct ReviewSubject {
  const Model& model;
  const RuleBook& book;
  const Site& site;
  const std::vector<Decision>& decisions;
  const Report& report;
  const std::vector<WorldProof>& proofs;
  const std::vector<UnprovedGang>& left_out;
  ProveLimits limits;    ///< that they were proved with
  unsigned threads = 1;  ///< that what takes long may take
};

/// Everything but name, date, version, inputs and options.
Review fill_review(const ReviewSubject& subject);

// Its parts; each fills what its name says and reads what those before it filled.
void fill_fleet(const ReviewSubject& subject, Review& review);
void fill_topologies(const ReviewSubject& subject, Review& review);
void fill_queues(const ReviewSubject& subject, Review& review);
void fill_planes(const ReviewSubject& subject, Review& review);
void fill_decisions(const ReviewSubject& subject, Review& review);
void fill_readiness(const ReviewSubject& subject, Review& review);
void fill_figures(const ReviewSubject& subject, Review& review);
void fill_proofs(const ReviewSubject& subject, Review& review);
void fill_causes(const ReviewSubject& subject, Review& review);
void fill_risks(const ReviewSubject& subject, Review& review);
void fill_questions(const ReviewSubject& subject, Review& review);
void fill_assumptions(const ReviewSubject& subject, Review& review);
void fill_gaps(const ReviewSubject& subject, Review& review);
void fill_sources(const ReviewSubject& subject, Review& review);

// What several of them use.

/// The one fleet file of the input; nullptr where there is none, or several.
const Fleet* only_fleet(const Model& model);
/// A fact of a fleet file as text; empty while it is not known.
std::string fleet_text(const Fleet& fleet, std::string_view fact);
ReviewPlace place_of(const Span& where, const SourceMap& sources);
/// The worst first: what never runs before what runs worse.
int rank_of(Effect effect);

}  // namespace muster
