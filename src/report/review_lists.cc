#include <algorithm>

#include "base/strings.h"
#include "report/review_parts.h"

namespace muster {
namespace {

constexpr std::size_t kMostCauses = 60;  ///< of a plane
constexpr std::size_t kPlacesNamed = 4;
constexpr std::size_t kMostItems = 60;
constexpr std::size_t kMostFiles = 200;

std::string places_words(const ReviewCause& cause) {
  std::string out;
  for (std::size_t i = 0; i < std::min(cause.places.size(), kPlacesNamed); ++i)
    out += (i == 0 ? "" : ", ") + place_words(cause.places[i]);
  const std::size_t shown = std::min(cause.places.size(), kPlacesNamed);
  return cause.count > shown ? out + " and " + with_thousands(cause.count - shown) + " more" : out;
}

std::string plane_title(Plane plane) {
  switch (plane) {
    case Plane::Workload: return "Workload plane";
    case Plane::NodeRuntime: return "Node runtime plane";
    case Plane::Fleet: return "Fleet plane";
  }
  return "";
}

/// Where a source begins with an address, that.
std::string address_in(std::string_view source) {
  if (!source.starts_with("https://")) return "";
  return std::string(source.substr(0, source.find_first_of(" ,;()\"'<>`")));
}

PageTable causes_table(const std::vector<const ReviewCause*>& causes) {
  PageTable table;
  table.head = {"Cause", "Level", "What is", "What follows", "What to do", "Where"};
  for (std::size_t i = 0; i < std::min(causes.size(), kMostCauses); ++i) {
    const ReviewCause& cause = *causes[i];
    table.rows.push_back({{code(cause.rule), Tone::Plain, ""},
                          {std::string(name_of(cause.severity)) + ", " + std::string(name_of(cause.effect)),
                           tone_of(cause.severity), ""},
                          {prose(cause.message), Tone::Plain, ""},
                          {prose(cause.follows), Tone::Plain, ""},
                          {prose(cause.help), Tone::Plain, ""},
                          {places_words(cause), Tone::Plain, ""}});
  }
  return table;
}

}  // namespace

PageSection findings_section(const Review& review) {
  PageSection out{"findings", "Findings by plane and cause", {}, {}};
  if (review.causes.empty()) {
    out.blocks.push_back(
        review.report->summary.artifacts == 0
            ? missing("Nothing was checked: none of the files is of a kind that muster knows.")
            : PageParagraph{"None in " + count_of(review.report->summary.artifacts, "artifact") + "."});
    return out;
  }
  out.blocks.push_back(
      PageParagraph{"One row is one rule; " + code("muster explain CAUSE") + " tells why and by which sources."});
  for (const Plane plane : {Plane::Workload, Plane::NodeRuntime, Plane::Fleet}) {
    std::vector<const ReviewCause*> causes;
    for (const ReviewCause& cause : review.causes) {
      if (cause.plane == plane) causes.push_back(&cause);
    }
    if (causes.empty()) continue;
    PageSection part{"", plane_title(plane), {causes_table(causes)}, {}};
    if (causes.size() > kMostCauses)
      part.blocks.push_back(PageParagraph{"And " + count_of(causes.size() - kMostCauses, "more cause") + "; " +
                                          code("muster check") + " lists them."});
    out.parts.push_back(std::move(part));
  }
  return out;
}

PageSection assumptions_section(const Review& review) {
  PageSection out{"assumptions", "Assumptions", {}, {}};
  if (review.assumptions.empty()) {
    out.blocks.push_back(PageParagraph{"Nothing had to be taken as given: every judgement rests on what is written."});
    return out;
  }
  PageList list;
  for (std::size_t i = 0; i < std::min(review.assumptions.size(), kMostItems); ++i)
    list.items.push_back(prose(review.assumptions[i]));
  if (review.assumptions.size() > kMostItems)
    list.items.push_back("and " + with_thousands(review.assumptions.size() - kMostItems) + " more");
  out.blocks.push_back(
      PageParagraph{"No file says this, but the software as shipped decides it so; state it otherwise "
                    "in " +
                    code("muster.yaml") + " or the fleet file where it is not so."});
  out.blocks.push_back(std::move(list));
  return out;
}

PageSection gaps_section(const Review& review) {
  PageSection out{"gaps", "What was not checked", {}, {}};
  const Summary& summary = review.report->summary;
  out.blocks.push_back(PageParagraph{
      count_of(summary.files, "file") + " looked at, " + count_of(summary.artifacts, "artifact") +
      " known and judged. Configuration alone was read: no cluster was asked, no workload run, no price looked up."});
  if (review.gaps.empty()) {
    out.blocks.push_back(PageParagraph{"Of what was found nothing was left out."});
    return out;
  }
  PageTable table;
  table.head = {"What", "Why"};
  for (std::size_t i = 0; i < std::min(review.gaps.size(), kMostItems); ++i)
    table.rows.push_back({{prose(review.gaps[i].what), Tone::Plain, ""}, {prose(review.gaps[i].why), Tone::Plain, ""}});
  out.blocks.push_back(std::move(table));
  if (review.gaps.size() > kMostItems)
    out.blocks.push_back(PageParagraph{"And " + with_thousands(review.gaps.size() - kMostItems) + " more; " +
                                       code("muster check --coverage") + " lists all."});
  return out;
}

PageSection sources_section(const Review& review) {
  PageSection out{"sources", "Sources", {}, {}};
  if (review.sources.empty()) {
    out.blocks.push_back(PageParagraph{"Nothing here rests on a rule or a table."});
    return out;
  }
  PageTable table;
  table.head = {"Source", "What rests on it"};
  for (std::size_t i = 0; i < std::min(review.sources.size(), 2 * kMostItems); ++i)
    table.rows.push_back({{code(review.sources[i].source), Tone::Plain, address_in(review.sources[i].source)},
                          {name_list(review.sources[i].used_by, 6), Tone::Plain, ""}});
  out.blocks.push_back(std::move(table));
  if (review.sources.size() > 2 * kMostItems)
    out.blocks.push_back(PageParagraph{"And " + with_thousands(review.sources.size() - 2 * kMostItems) + " more; " +
                                       code("--format json") + " lists them."});
  return out;
}

PageSection inputs_section(const Review& review) {
  PageSection out{"inputs", "Inputs", {}, {}};
  out.blocks.push_back(
      PageParagraph{"The digest at the top is the SHA-256 of these lines as " + code("sha256sum") +
                    " prints them, in this order. The same files, version and options give the same review."});
  PageTable table;
  table.head = {"File", "SHA-256"};
  for (std::size_t i = 0; i < std::min(review.inputs.size(), kMostFiles); ++i)
    table.rows.push_back(
        {{code(review.inputs[i].file), Tone::Plain, ""}, {code(review.inputs[i].sha256), Tone::Plain, ""}});
  out.blocks.push_back(std::move(table));
  if (review.inputs.size() > kMostFiles)
    out.blocks.push_back(PageParagraph{"And " + count_of(review.inputs.size() - kMostFiles, "more file") + "; " +
                                       code("--format json") + " lists them."});
  return out;
}

}  // namespace muster
