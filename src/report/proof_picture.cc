#include <algorithm>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/proofs.h"

namespace muster {
namespace {

// Fills that stay apart for people who see few colours. Source: Okabe and Ito, Color Universal Design, 2008.
constexpr std::string_view kFills[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                       "#56b4e9", "#d55e00", "#f0e442", "#999999"};

constexpr std::size_t kMostPictures = 50;
constexpr std::size_t kMostRows = 48;
constexpr std::size_t kMostLegend = 16;
constexpr std::int64_t kLeft = 150;
constexpr std::int64_t kWide = 560;   ///< of the steps
constexpr std::int64_t kAfter = 120;  ///< of the state they end in
constexpr std::int64_t kRow = 26;
constexpr std::int64_t kGap = 6;
constexpr std::size_t kNameLetters = 20;

/// Text of an element or of an attribute in double quotes.
std::string xml(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string shortened(const std::string& text) {
  if (count_code_points(text) <= kNameLetters) return text;
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < kNameLetters; ++i) end += code_point_length(text, end);
  return text.substr(0, end) + "…";
}

std::string attribute(std::string_view name, std::int64_t value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

std::string rectangle(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, std::string_view fill,
                      std::string_view more = "") {
  return "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", std::max<std::int64_t>(width, 1)) +
         attribute("height", std::max<std::int64_t>(height, 1)) + " fill=\"" + std::string(fill) + "\"" +
         std::string(more) + "/>\n";
}

std::string label(std::int64_t x, std::int64_t y, const std::string& text, std::string_view more = "") {
  return "<text" + attribute("x", x) + attribute("y", y) + std::string(more) + ">" + xml(text) + "</text>\n";
}

/// Pods of one gang on one node from one moment to another.
struct Block {
  std::size_t gang = 0;
  std::int64_t gpus = 0;
  std::size_t from = 0;
  std::size_t to = 0;
};

struct Row {
  std::size_t pool = 0;
  std::int64_t node = 0;
  std::int64_t gpus = 0;
  std::vector<Block> blocks;
};

std::int64_t gpus_of_node(const WorldPool& pool, std::int64_t node) {
  for (const WorldNodes& nodes : pool.nodes) {
    if (node < nodes.count) return nodes.gpus;
    node -= nodes.count;
  }
  return 0;
}

/// Rows of nodes down, steps across; then the state that they end in, with what is stuck hatched.
class Picture {
 public:
  Picture(const World& world, const ProofResult& result)
      : world_(world), result_(result), found_(*result.counterexample) {
    for (const ProofHold& hold : found_.holds) {
      order_.emplace(hold.gang, order_.size());
      stuck_[hold.gang] = hold.placed < hold.needs;
    }
    play();
  }

  std::string draw(std::int64_t top) {
    y_ = top;
    std::string out = "<g>\n<title>" + xml(title() + ": " + result_.reason) + "</title>\n";
    out += label(12, y_ + 14, title(), " font-weight=\"bold\"");
    y_ += 24;
    out += label(kLeft, y_ + 12, "placements, first to last") + label(kLeft + kWide + 8, y_ + 12, "and there it stays");
    y_ += 20;
    const std::int64_t first_row = y_;
    for (std::size_t i = 0; i < std::min(rows_.size(), kMostRows); ++i) out += row(rows_[i]);
    out += "<line" + attribute("x1", kLeft + kWide) + attribute("x2", kLeft + kWide) + attribute("y1", first_row) +
           attribute("y2", y_) + " stroke=\"#333\"/>\n";
    if (rows_.size() > kMostRows) {
      out += label(12, y_ + 12, "and " + count_of(rows_.size() - kMostRows, "node") + " more that take part");
      y_ += 20;
    }
    out += legend();
    return out + grounds() + "</g>\n";
  }

  std::int64_t bottom() const { return y_; }

 private:
  /// What it rests on besides the steps.
  std::string grounds() {
    std::vector<std::string> lines;
    for (const std::string& assumed : world_.assumes) lines.push_back("taken as given: " + assumed);
    for (const WorldSource& source : world_.rests_on)
      lines.push_back((source.where.placed() ? "as written: " : "taken as given: ") + source.says);
    std::string out;
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLegend); ++i) {
      out += label(12, y_ + 12, lines[i]);
      y_ += 16;
    }
    if (lines.size() > kMostLegend) {
      out += label(12, y_ + 12, "and " + std::to_string(lines.size() - kMostLegend) + " more");
      y_ += 16;
    }
    return out;
  }

  std::string title() const { return world_.name.value + ": " + std::string(name_of(result_.property)) + " is broken"; }

  void play() {
    std::map<std::pair<std::size_t, std::int64_t>, Row> rows;
    std::int64_t commit = -1;
    for (const ProofStep& step : found_.steps) {
      if (step.commit != commit) ++columns_;
      commit = step.commit;
      Row& row = rows[{step.pool, step.node}];
      row.pool = step.pool;
      row.node = step.node;
      row.gpus = gpus_of_node(world_.pools[step.pool], step.node);
      const std::int64_t gpus = step.pods * world_.gangs[step.gang].roles[step.role].gpus_per_pod;
      gpus > 0 ? row.blocks.push_back({step.gang, gpus, columns_ - 1, kOpen}) : lose(row, step.gang, -gpus);
    }
    for (auto& [key, row] : rows) rows_.push_back(std::move(row));
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
    return kLeft +
           kWide * static_cast<std::int64_t>(column) / static_cast<std::int64_t>(std::max<std::size_t>(columns_, 1));
  }
  std::string_view fill_of(std::size_t gang) const {
    const auto found = order_.find(gang);
    return kFills[(found == order_.end() ? gang : found->second) % std::size(kFills)];
  }

  std::string row(const Row& row) {
    std::string out = label(12, y_ + 17,
                            shortened(node_name(world_, row.pool, row.node)) + " (" +
                                count_of(static_cast<std::size_t>(row.gpus), "GPU") + ")");
    out += rectangle(kLeft, y_, kWide + kAfter, kRow, "#f2f2f2", " stroke=\"#ccc\"");
    std::int64_t used = 0;
    for (const Block& block : row.blocks) {
      const bool stays = block.to == kOpen;
      const std::int64_t total = std::max<std::int64_t>(row.gpus, 1);
      const std::int64_t height = std::max<std::int64_t>(kRow * block.gpus / total, 1);
      const std::int64_t y = y_ + std::min(kRow - height, kRow * used / total);
      const std::int64_t end = stays ? kLeft + kWide + kAfter : x_of(block.to);
      const std::string words = " has " + count_of(static_cast<std::size_t>(block.gpus), "GPU") + " of " +
                                node_name(world_, row.pool, row.node);
      out += "<g><title>" + xml(world_.gangs[block.gang].name.value + words) + "</title>";
      out += rectangle(x_of(block.from), y, end - x_of(block.from), height, fill_of(block.gang),
                       " stroke=\"#fff\" stroke-width=\"0.5\"");
      const auto stuck = stuck_.find(block.gang);
      if (stays && stuck != stuck_.end() && stuck->second)
        out += rectangle(kLeft + kWide, y, kAfter, height, "url(#stuck)");
      out += "</g>\n";
      if (stays) used += block.gpus;
    }
    y_ += kRow + kGap;
    return out;
  }

  std::string legend() {
    std::string out;
    y_ += 6;
    for (std::size_t i = 0; i < std::min(found_.holds.size(), kMostLegend); ++i) {
      const ProofHold& hold = found_.holds[i];
      out += rectangle(14, y_, 14, 14, fill_of(hold.gang));
      if (hold.placed < hold.needs) out += rectangle(14, y_, 14, 14, "url(#stuck)");
      out += label(36, y_ + 12,
                   shortened(world_.gangs[hold.gang].name.value) + " holds " + std::to_string(hold.placed) + " of " +
                       count_of(static_cast<std::size_t>(hold.needs), "pod"));
      y_ += 20;
    }
    if (found_.holds.size() > kMostLegend) {
      out += label(36, y_ + 12, "and " + count_of(found_.holds.size() - kMostLegend, "gang") + " more");
      y_ += 20;
    }
    out += label(14, y_ + 12, count_of(static_cast<std::size_t>(found_.free_gpus), "GPU") + " free");
    y_ += 28;
    return out;
  }

  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  const World& world_;
  const ProofResult& result_;
  const ProofCounterexample& found_;
  std::map<std::size_t, std::size_t> order_;  ///< of the gangs that hold something, by the order told
  std::map<std::size_t, bool> stuck_;
  std::vector<Row> rows_;
  std::size_t columns_ = 0;
  std::int64_t y_ = 0;
};

}  // namespace

std::string proofs_svg(const std::vector<WorldProof>& proofs) {
  std::string body;
  std::int64_t y = 10;
  std::size_t broken = 0;
  for (const WorldProof& proof : proofs) {
    for (const ProofResult& result : proof.results) {
      if (!result.counterexample || ++broken > kMostPictures) continue;
      Picture picture(*proof.world, result);
      body += picture.draw(y);
      y = picture.bottom();
    }
  }
  const std::string summary = broken == 0 ? "no counterexample" : count_of(broken, "counterexample");
  if (broken == 0 || broken > kMostPictures) {
    body += label(12, y + 14, broken == 0 ? summary : "and " + std::to_string(broken - kMostPictures) + " more");
    y += 28;
  }
  const std::int64_t width = kLeft + kWide + kAfter + 12;
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", y) +
         " viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(y) +
         "\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Gang placement: " + summary +
         "</title>\n<defs><pattern id=\"stuck\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
         "patternTransform=\"rotate(45)\">"
         "<rect width=\"3\" height=\"6\" fill=\"#000\" fill-opacity=\"0.45\"/></pattern></defs>\n" +
         rectangle(0, 0, width, y, "#ffffff") + body + "</svg>\n";
}

}  // namespace muster
