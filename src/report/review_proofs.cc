#include <algorithm>

#include "base/strings.h"
#include "report/review_parts.h"
#include "report/review_pictures.h"

namespace muster {
namespace {

constexpr std::size_t kMostWorlds = 24;
constexpr std::size_t kMostDrawn = 12;  ///< counterexamples with pictures
constexpr std::size_t kMostLeftOut = 20;
constexpr std::size_t kGangsNamed = 8;

Tone verdict_tone(Verdict verdict) {
  switch (verdict) {
    case Verdict::Holds: return Tone::Good;
    case Verdict::Counterexample: return Tone::Bad;
    case Verdict::Unknown: return Tone::Quiet;
  }
  return Tone::Plain;
}

std::string pools_text(const World& world, const ProofResult& result) {
  std::vector<std::string> names;
  for (const std::size_t pool : result.pools) names.push_back(world.pools[pool].name.value);
  return name_list(names, kGangsNamed);
}

std::string gangs_of(const World& world, const ProofResult& result) {
  std::vector<std::string> names;
  for (const std::size_t gang : result.gangs) names.push_back(world.gangs[gang].name.value);
  return names.empty() ? "no gangs" : name_list(names, kGangsNamed);
}

class Proofs {
 public:
  explicit Proofs(const Review& review) : review_(review) {}

  PageSection run() {
    PageSection out{"proofs", "Gang placement, proved", {}, {}};
    if (review_.proofs.empty()) {
      out.blocks.push_back(missing(
          "No gang could be held against nodes: that needs jobs of several pods or nodes, and a fleet file or a "
          "slurm.conf that says what there is (" +
          code("--fleet fleet.yaml") + ")."));
    } else {
      out.blocks.push_back(PageParagraph{
          "\"holds\" is a proof that a second program went through, \"counterexample\" was replayed step by step, and "
          "everything else is unknown. Each picture has nodes from top to bottom and steps from left to right; what is "
          "hatched is stuck."});
    }
    for (std::size_t i = 0; i < std::min(review_.proofs.size(), kMostWorlds); ++i)
      out.parts.push_back(world(review_.proofs[i]));
    if (review_.proofs.size() > kMostWorlds)
      out.blocks.push_back(PageParagraph{count_of(review_.proofs.size() - kMostWorlds, "more world") + "; " +
                                         code("--format json") + " has them."});
    if (!review_.left_out.empty()) out.parts.push_back(left_out());
    return out;
  }

 private:
  PageSection world(const ReviewProof& proof) {
    const World& world = *proof.proof.world;
    PageSection out{"", code(world.name.value), {}, {}};
    const std::vector<std::size_t>* pools = nullptr;
    PageTable table;
    const auto flush = [&] {
      if (!table.rows.empty()) out.blocks.push_back(std::move(table));
      table = {};
      table.head = {"Property", "Verdict", "Why", "By"};
    };
    for (const ProofResult& result : proof.proof.results) {
      if (pools == nullptr || *pools != result.pools) {
        flush();
        pools = &result.pools;
        out.blocks.push_back(
            PageParagraph{"Pool " + pools_text(world, result) + "; gangs: " + gangs_of(world, result) + "."});
      }
      table.rows.push_back({{std::string(name_of(result.property)), Tone::Plain, ""},
                            {std::string(name_of(result.verdict)), verdict_tone(result.verdict), ""},
                            {prose(result.reason), Tone::Plain, ""},
                            {result.engine ? std::string(name_of(*result.engine)) : "", Tone::Plain, ""}});
    }
    flush();
    add_grounds(world, out);
    for (std::size_t i = 0; i < proof.proof.results.size(); ++i) {
      if (proof.proof.results[i].counterexample) out.parts.push_back(counterexample(world, proof, i));
    }
    return out;
  }

  /// What the verdicts rest on besides nodes and gangs, and who is not in them.
  void add_grounds(const World& world, PageSection& out) const {
    PageList list;
    for (const std::string& assumed : world.assumes) list.items.push_back("Taken as given: " + prose(assumed));
    for (const WorldSource& source : world.rests_on) {
      const std::string place = source.where.placed() ? place_words(place_of(source.where)) : "";
      list.items.push_back((place.empty() ? "Taken as given: " : "As written in " + place + ": ") + prose(source.says));
    }
    for (const WorldAbsentee& one : world.besides)
      list.items.push_back("Besides, left out: " + code(one.gang) + " (" + prose(one.needs) + ")");
    if (list.items.size() > kMostLeftOut) {
      const std::size_t more = list.items.size() - kMostLeftOut;
      list.items.resize(kMostLeftOut);
      list.items.push_back("and " + with_thousands(more) + " more");
    }
    if (!list.items.empty()) out.blocks.push_back(std::move(list));
  }

  ReviewPlace place_of(const Span& where) const {
    const SourceMap& sources = *review_.report->sources;
    return {sources.file(where.file).path(), sources.begin_of(where).line};
  }

  PageSection counterexample(const World& world, const ReviewProof& proof, std::size_t which) {
    const ProofResult& result = proof.proof.results[which];
    PageSection out{"", std::string(name_of(result.property)) + " is broken", {}, {}};
    out.blocks.push_back(PageParagraph{prose(result.reason) + "."});
    if (++drawn_ <= kMostDrawn && !result.counterexample->steps.empty()) {
      PageFigures figures{{stuck_figure(world, result, drawn_)}};
      if (proof.mended[which]) figures.figures.push_back(mended_figure(*proof.mended[which], result, drawn_));
      out.blocks.push_back(std::move(figures));
    }
    PageList repairs;
    for (const std::string& repair : result.counterexample->repairs)
      repairs.items.push_back("Mended: " + prose(repair));
    if (repairs.items.empty()) {
      out.blocks.push_back(PageParagraph{"No single change was found that mends it."});
    } else {
      out.blocks.push_back(std::move(repairs));
    }
    return out;
  }

  PageSection left_out() const {
    PageSection out{"", "Gangs of which nothing is proved", {}, {}};
    PageTable table;
    table.head = {"Gang", "What would have to be known"};
    for (std::size_t i = 0; i < std::min(review_.left_out.size(), kMostLeftOut); ++i)
      table.rows.push_back(
          {{code(review_.left_out[i].gang), Tone::Plain, ""}, {prose(review_.left_out[i].needs), Tone::Plain, ""}});
    out.blocks.push_back(std::move(table));
    if (review_.left_out.size() > kMostLeftOut)
      out.blocks.push_back(PageParagraph{"And " + count_of(review_.left_out.size() - kMostLeftOut, "gang") + " more."});
    return out;
  }

  const Review& review_;
  std::size_t drawn_ = 0;
};

}  // namespace

PageSection proofs_section(const Review& review) { return Proofs(review).run(); }

}  // namespace muster
