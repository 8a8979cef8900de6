#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/page.h"
#include "report/proof_steps.h"
#include "report/proofs.h"
#include "report/review_pictures.h"

namespace muster {
namespace {

// Fills that stay apart for people who see few colours. Source: Okabe and Ito, Color Universal Design, 2008.
constexpr std::string_view kFills[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                       "#56b4e9", "#d55e00", "#f0e442", "#999999"};

constexpr std::size_t kMostPictures = 50;
constexpr std::size_t kMostRows = 48;
constexpr std::size_t kMostLegend = 16;
constexpr std::int64_t kRow = 26;
constexpr std::int64_t kGap = 6;

/// Sizes and paint: those of a file by itself, or those of a page whose style has the colours.
struct Look {
  std::int64_t left = 150;
  std::int64_t wide = 560;   ///< of the steps
  std::int64_t after = 120;  ///< of the state they end in
  std::size_t name_letters = 20;
  std::string_view background = " fill=\"#f2f2f2\" stroke=\"#ccc\"";
  std::string_view border = " stroke=\"#333\"";
  std::string_view edge = " stroke=\"#fff\" stroke-width=\"0.5\"";
  std::string_view bold = " font-weight=\"bold\"";
  std::string pattern = "stuck";  ///< id of the hatching

  std::int64_t width() const { return left + wide + after + 12; }
};

Look look_of_page(const std::string& id) {
  return {132, 270, 60, 17, " class=\"row\"", " class=\"arrow\"", " class=\"edge\"", " class=\"name\"", id + "-stuck"};
}

std::string escaped_words(std::string_view text) { return escaped(printable(text)); }

std::string pattern(const Look& look) {
  return "<defs><pattern id=\"" + look.pattern +
         "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
         "<rect width=\"3\" height=\"6\" fill=\"#000\" fill-opacity=\"0.45\"/></pattern></defs>\n";
}

std::string shortened(const std::string& text, std::size_t letters) {
  if (count_code_points(text) <= letters) return text;
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < letters; ++i) end += code_point_length(text, end);
  return text.substr(0, end) + "…";
}

std::string attribute(std::string_view name, std::int64_t value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

/// `paint`: attributes.
std::string rectangle(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, std::string_view paint) {
  return "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", std::max<std::int64_t>(width, 1)) +
         attribute("height", std::max<std::int64_t>(height, 1)) + std::string(paint) + "/>\n";
}

std::string filled(std::string_view color) { return " fill=\"" + std::string(color) + "\""; }

std::string label(std::int64_t x, std::int64_t y, const std::string& text, std::string_view more = "") {
  return "<text" + attribute("x", x) + attribute("y", y) + std::string(more) + ">" + escaped_words(text) + "</text>\n";
}

/// Pods of one gang on one node from one moment to another.
struct Block {
  std::size_t gang = 0;
  std::int64_t gpus = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  bool operator==(const Block&) const = default;
};

struct Row {
  std::size_t pool = 0;
  std::int64_t node = 0;
  std::int64_t gpus = 0;
  std::vector<Block> blocks;
  std::int64_t nodes = 1;  ///< that look the same, this one and those after it
};

std::int64_t gpus_of_node(const WorldPool& pool, std::int64_t node) {
  for (const WorldNodes& nodes : pool.nodes) {
    if (node < nodes.count) return nodes.gpus;
    node -= nodes.count;
  }
  return 0;
}

/// What happens, and whom it leaves with what.
struct Story {
  const World& world;
  const std::vector<ProofStep>& steps;
  const std::vector<ProofHold>& holds;
};

/// Rows of nodes down, steps across; then the state that they end in, with what is stuck hatched.
class Timeline {
 public:
  Timeline(const Story& story, Look look) : world_(story.world), story_(story), look_(std::move(look)) {
    for (const ProofHold& hold : story.holds) {
      order_.emplace(hold.gang, order_.size());
      stuck_[hold.gang] = hold.placed < hold.needs;
    }
    play();
  }

  /// From `y` on, which moves down.
  std::string draw(std::int64_t& y, std::string_view before, std::string_view after) {
    y_ = y;
    std::string out = label(look_.left, y_ + 12, std::string(before)) +
                      label(look_.left + look_.wide + 8, y_ + 12, std::string(after));
    y_ += 20;
    const std::int64_t first_row = y_;
    for (std::size_t i = 0; i < std::min(rows_.size(), kMostRows); ++i) out += row(rows_[i]);
    out += "<line" + attribute("x1", look_.left + look_.wide) + attribute("x2", look_.left + look_.wide) +
           attribute("y1", first_row) + attribute("y2", y_) + std::string(look_.border) + "/>\n";
    if (rows_.size() > kMostRows) {
      std::int64_t more = 0;
      for (std::size_t i = kMostRows; i < rows_.size(); ++i) more += rows_[i].nodes;
      out += label(12, y_ + 12, "and " + count_of(static_cast<std::size_t>(more), "node") + " more that take part");
      y_ += 20;
    }
    out += legend();
    y = y_;
    return out;
  }

 private:
  void play() {
    std::map<std::pair<std::size_t, std::int64_t>, Row> rows;
    std::int64_t commit = -1;
    for (const ProofStep& step : story_.steps) {
      if (step.commit != commit) ++columns_;
      commit = step.commit;
      Row& row = rows[{step.pool, step.node}];
      row.pool = step.pool;
      row.node = step.node;
      row.gpus = gpus_of_node(world_.pools[step.pool], step.node);
      const std::int64_t gpus = step.pods * world_.gangs[step.gang].roles[step.role].gpus_per_pod;
      gpus > 0 ? row.blocks.push_back({step.gang, gpus, columns_ - 1, kOpen}) : lose(row, step.gang, -gpus);
    }
    for (auto& [key, row] : rows) {
      if (!rows_.empty() && goes_on(rows_.back(), row)) {
        ++rows_.back().nodes;
      } else {
        rows_.push_back(std::move(row));
      }
    }
  }

  /// Whether the row is of the next node, and nothing else is different.
  bool goes_on(const Row& row, const Row& next) const {
    return row.pool == next.pool && row.node + row.nodes == next.node && row.gpus == next.gpus &&
           row.blocks == next.blocks && pool_of(row.pool, row.node) == pool_of(next.pool, next.node);
  }
  std::string pool_of(std::size_t pool, std::int64_t node) const {
    const std::string name = node_name(world_, pool, node);
    return name.substr(0, name.rfind('/'));
  }

  /// "train/8-31" and what each of these nodes has.
  std::string name_of(const Row& row) const {
    const std::string name = node_name(world_, row.pool, row.node);
    if (row.nodes == 1) return name;
    const std::string last = node_name(world_, row.pool, row.node + row.nodes - 1);
    return name + "-" + last.substr(last.rfind('/') + 1);
  }

  void lose(Row& row, std::size_t gang, std::int64_t gpus) {
    for (std::size_t i = row.blocks.size(); i-- > 0 && gpus > 0;) {
      Block& block = row.blocks[i];
      if (block.gang != gang || block.to != kOpen) continue;
      const Block rest{gang, block.gpus - gpus, columns_ - 1, kOpen};
      gpus -= block.gpus;
      block.to = columns_ - 1;
      if (rest.gpus > 0) row.blocks.push_back(rest);
    }
  }

  std::int64_t x_of(std::size_t column) const {
    return look_.left + look_.wide * static_cast<std::int64_t>(column) /
                            static_cast<std::int64_t>(std::max<std::size_t>(columns_, 1));
  }
  std::string_view fill_of(std::size_t gang) const {
    const auto found = order_.find(gang);
    return kFills[(found == order_.end() ? gang : found->second) % std::size(kFills)];
  }
  std::string hatching() const { return filled("url(#" + look_.pattern + ")"); }

  std::string row(const Row& row) {
    std::string out =
        label(12, y_ + 17,
              shortened(name_of(row), look_.name_letters) +
                  (look_.after > 60 ? " (" + count_of(static_cast<std::size_t>(row.gpus), "GPU") + ")" : ""));
    out += rectangle(look_.left, y_, look_.wide + look_.after, kRow, look_.background);
    std::int64_t used = 0;
    for (const Block& block : row.blocks) {
      const bool stays = block.to == kOpen;
      const std::int64_t total = std::max<std::int64_t>(row.gpus, 1);
      const std::int64_t height = std::max<std::int64_t>(kRow * block.gpus / total, 1);
      const std::int64_t y = y_ + std::min(kRow - height, kRow * used / total);
      const std::int64_t end = stays ? look_.left + look_.wide + look_.after : x_of(block.to);
      const std::string words = " has " + count_of(static_cast<std::size_t>(block.gpus), "GPU") + " of " +
                                (row.nodes > 1 ? "each of " : "") + name_of(row);
      out += "<g><title>" + escaped_words(world_.gangs[block.gang].name.value + words) + "</title>";
      out += rectangle(x_of(block.from), y, end - x_of(block.from), height,
                       filled(fill_of(block.gang)) + std::string(look_.edge));
      const auto stuck = stuck_.find(block.gang);
      if (stays && stuck != stuck_.end() && stuck->second)
        out += rectangle(look_.left + look_.wide, y, look_.after, height, hatching());
      out += "</g>\n";
      if (stays) used += block.gpus;
    }
    y_ += kRow + kGap;
    return out;
  }

  std::string legend() {
    std::string out;
    y_ += 6;
    for (std::size_t i = 0; i < std::min(story_.holds.size(), kMostLegend); ++i) {
      const ProofHold& hold = story_.holds[i];
      out += rectangle(14, y_, 14, 14, filled(fill_of(hold.gang)));
      if (hold.placed < hold.needs) out += rectangle(14, y_, 14, 14, hatching());
      out += label(36, y_ + 12,
                   shortened(world_.gangs[hold.gang].name.value, 20) + " holds " + std::to_string(hold.placed) +
                       " of " + count_of(static_cast<std::size_t>(hold.needs), "pod"));
      y_ += 20;
    }
    if (story_.holds.size() > kMostLegend) {
      out += label(36, y_ + 12, "and " + count_of(story_.holds.size() - kMostLegend, "gang") + " more");
      y_ += 20;
    }
    return out;
  }

  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  const World& world_;
  Story story_;
  Look look_;
  std::map<std::size_t, std::size_t> order_;  ///< of the gangs that hold something, by the order told
  std::map<std::size_t, bool> stuck_;
  std::vector<Row> rows_;
  std::size_t columns_ = 0;
  std::int64_t y_ = 0;
};

std::string title_of(const World& world, const ProofResult& result) {
  return world.name.value + ": " + std::string(name_of(result.property)) + " is broken";
}

std::string free_words(const ProofResult& result) {
  return count_of(static_cast<std::size_t>(result.counterexample->free_gpus), "GPU") + " free";
}

/// What it rests on besides the steps.
std::string grounds(const World& world, std::int64_t& y) {
  std::vector<std::string> lines;
  for (const std::string& assumed : world.assumes) lines.push_back("taken as given: " + assumed);
  for (const WorldSource& source : world.rests_on)
    lines.push_back((source.where.placed() ? "as written: " : "taken as given: ") + source.says);
  if (lines.size() > kMostLegend) {
    const std::string more = "and " + std::to_string(lines.size() - kMostLegend) + " more";
    lines.resize(kMostLegend);
    lines.push_back(more);
  }
  std::string out;
  for (const std::string& line : lines) {
    out += label(12, y + 12, line);
    y += 16;
  }
  return out;
}

/// A picture of a file by itself.
std::string picture(const World& world, const ProofResult& result, std::int64_t& y) {
  std::string out = "<g>\n<title>" + escaped_words(title_of(world, result) + ": " + result.reason) + "</title>\n";
  out += label(12, y + 14, title_of(world, result), Look{}.bold);
  y += 24;
  Timeline timeline({world, result.counterexample->steps, result.counterexample->holds}, {});
  out += timeline.draw(y, "placements, first to last", "and there it stays");
  out += label(14, y + 12, free_words(result));
  y += 28;
  return out + grounds(world, y) + "</g>\n";
}

/// A timeline as an element of a page.
std::string element(const std::string& id, const Story& story, const std::string& description, std::string_view after) {
  const Look look = look_of_page(id);
  std::int64_t y = 4;
  const std::string body = Timeline(story, look).draw(y, "first to last", after);
  y += 6;
  return "<svg viewBox=\"0 0 " + std::to_string(look.width()) + " " + std::to_string(y) + "\"" +
         attribute("width", look.width()) + attribute("height", y) + " role=\"img\" aria-labelledby=\"" + id +
         "-t\">\n" + "<title id=\"" + id + "-t\">" + escaped_words(description) + "</title>\n" + pattern(look) + body +
         "</svg>\n";
}

}  // namespace

PageFigure stuck_figure(const World& world, const ProofResult& result, std::size_t number) {
  const ProofCounterexample& found = *result.counterexample;
  PageFigure out;
  out.title = "As configured: how it gets stuck";
  out.description = result.reason;
  out.wide = element("stuck" + std::to_string(number), {world, found.steps, found.holds}, out.description, "stays so");
  out.plain = short_lines(world, found.steps);
  for (const ProofHold& hold : found.holds)
    out.plain.push_back("then " + printable(world.gangs[hold.gang].name.value) + " holds " +
                        std::to_string(hold.placed) + " of " + count_of(static_cast<std::size_t>(hold.needs), "pod"));
  out.plain.push_back("and " + free_words(result));
  return out;
}

PageFigure mended_figure(const MendedRun& run, const ProofResult& result, std::size_t number) {
  PageFigure out;
  out.title = "Mended: the same gangs, in the same order";
  out.description = "mended: " + run.repair;
  std::vector<ProofHold> whole = result.counterexample->holds;
  for (ProofHold& hold : whole) hold.placed = hold.needs;
  out.wide = element("mended" + std::to_string(number), {run.world, run.steps, whole}, out.description, "all done");
  out.plain = short_lines(run.world, run.steps);
  out.plain.push_back("and all of them complete");
  return out;
}

std::string proofs_svg(const std::vector<WorldProof>& proofs) {
  std::string body;
  std::int64_t y = 10;
  std::size_t broken = 0;
  for (const WorldProof& proof : proofs) {
    for (const ProofResult& result : proof.results) {
      if (result.counterexample && ++broken <= kMostPictures) body += picture(*proof.world, result, y);
    }
  }
  const std::string summary = broken == 0 ? "no counterexample" : count_of(broken, "counterexample");
  if (broken == 0 || broken > kMostPictures) {
    body += label(12, y + 14, broken == 0 ? summary : "and " + std::to_string(broken - kMostPictures) + " more");
    y += 28;
  }
  const std::int64_t width = Look{}.width();
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", y) +
         " viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(y) +
         "\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Gang placement: " + summary +
         "</title>\n" + pattern({}) + rectangle(0, 0, width, y, filled("#ffffff")) + body + "</svg>\n";
}

}  // namespace muster
