#include <cstdio>

#include "base/strings.h"
#include "report/review_parts.h"

namespace muster {

std::string place_words(const ReviewPlace& place) {
  return place.file.empty() ? "" : code(place.file + ":" + std::to_string(place.line));
}

std::string decision_words(const ReviewDecision& decision) {
  constexpr std::string_view kAddon = "addon/";
  return decision.id.starts_with(kAddon) ? "add-on " + code(decision.id.substr(kAddon.size())) : code(decision.id);
}

std::string choice_words(const Choice& choice) {
  if (choice.value) return code(*choice.value);
  return "open: " + one_of(choice.possible);
}

std::string one_of(const std::vector<std::string>& values) {
  std::string out;
  for (std::size_t i = 0; i < values.size(); ++i) out += (i == 0 ? "" : " or ") + code(values[i]);
  return out;
}

std::string name_list(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) out += (i == 0 ? "" : ", ") + code(names[i]);
  return names.size() > most ? out + " and " + with_thousands(names.size() - most) + " more" : out;
}

Tone tone_of(Reversibility reversibility) {
  switch (reversibility) {
    case Reversibility::Reversible: return Tone::Good;
    case Reversibility::Costly: return Tone::Caution;
    case Reversibility::BakedIn: return Tone::Bad;
  }
  return Tone::Plain;
}

Tone tone_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return Tone::Bad;
    case Severity::Warning: return Tone::Caution;
    case Severity::Info: return Tone::Quiet;
  }
  return Tone::Plain;
}

std::string binding_words(const Choice& choice) {
  return std::string(name_of(choice.reversibility)) + (choice.horizon.empty() ? "" : ", " + choice.horizon);
}

PageParagraph missing(std::string text) { return {std::move(text), Tone::Quiet}; }

std::string figure(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Page review_page(const Review& review) {
  Page page;
  page.title = "Architecture review: " + code(review.name);
  page.facts = {
      "Date: " + code(review.date),
      "Made by muster " + code(review.version) + " from " + count_of(review.inputs.size(), "file") +
          ", without access to a cluster",
      "Digest of the inputs: " + code(review.digest),
  };
  if (!review.options.empty()) page.facts.push_back("Told: " + name_list(review.options, 20));
  page.sections = {summary_section(review), decisions_section(review), readiness_section(review),
                   proofs_section(review),  topology_section(review),  queues_section(review),
                   figures_section(review), findings_section(review),  assumptions_section(review),
                   gaps_section(review),    sources_section(review),   inputs_section(review)};
  return page;
}

std::string review_markdown(const Review& review) { return page_markdown(review_page(review)); }
std::string review_html(const Review& review) { return page_html(review_page(review)); }

}  // namespace muster
