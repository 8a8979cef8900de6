#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/review_parts.h"
#include "report/review_pictures.h"
#include "report/svg.h"
#include "report/words.h"

namespace muster {
namespace {

constexpr std::size_t kMostBars = 12;
constexpr std::int64_t kWide = 470;  // two beside each other
constexpr std::int64_t kNarrow = 340;
constexpr std::int64_t kBar = 18;

std::string percent_words(double share) { return figure(share * 100, 1) + " %"; }

std::string usd_words(double value) {
  if (value >= 1e6) return figure(value / 1e6, value < 1e7 ? 2 : 1) + " M";
  return with_thousands(static_cast<std::uint64_t>(std::max(value, 0.0) + 0.5));
}

/// Bars below each other, each with its words above.
class Chart {
 public:
  Chart(std::int64_t width, double most) : svg_(width), room_(width - 2 * kEdge), most_(std::max(most, 1e-9)) {}

  /// Of bars that are measured by their own longest.
  void heading(std::string_view words, double most) {
    most_ = std::max(most, 1e-9);
    y_ += 4;
    svg_.text(kEdge, y_ + 14, words, room_, "about");
    y_ += 24;
  }
  /// Of values that lie behind each other, and how each is drawn.
  void bar(std::string_view words, const std::vector<std::pair<double, std::string_view>>& parts) {
    for (const std::string& line : Svg::wrapped(words, room_, 2)) {
      svg_.text(kEdge, y_ + 14, line, room_);
      y_ += 17;
    }
    y_ += 4;
    double before = 0;
    svg_.rectangle(kEdge, y_, room_, kBar, "row");
    for (const auto& [value, kind] : parts) {
      const std::int64_t from = at(before);
      before += value;
      if (value > 0) svg_.rectangle(from, y_, at(before) - from, kBar, kind);
    }
    bars_.push_back(y_);
    y_ += kBar + 10;
  }
  /// A value that bars are measured by.
  void mark(double value, std::string_view words) {
    for (const std::int64_t y : bars_) svg_.line(at(value), y - 3, at(value), y + kBar + 3, "mark");
    svg_.line(kEdge + 6, y_ + 2, kEdge + 6, y_ + 18, "mark");
    svg_.text(kEdge + 20, y_ + 14, words, room_ - 20);
    y_ += 20;
  }
  void legend(std::string_view kind, std::string_view words) {
    svg_.rectangle(kEdge, y_ + 4, 12, 12, kind);
    svg_.text(kEdge + 20, y_ + 14, words, room_ - 20);
    y_ += 20;
  }
  std::string finish(std::string_view id, const PageFigure& figure) const {
    return svg_.finish(id, figure.title, figure.description, y_ + 4);
  }

 private:
  static constexpr std::int64_t kEdge = 4;

  std::int64_t at(double value) const {
    return kEdge + static_cast<std::int64_t>(static_cast<double>(room_) * std::clamp(value / most_, 0.0, 1.0));
  }

  Svg svg_;
  std::int64_t room_;
  double most_;
  std::int64_t y_ = 0;
  std::vector<std::int64_t> bars_;
};

std::vector<const ReviewGoodput*> told_losses(const Review& review) {
  std::vector<const ReviewGoodput*> out;
  for (const ReviewGoodput& job : review.goodput) {
    if (job.goodput.parts && out.size() < kMostBars) out.push_back(&job);
  }
  return out;
}

std::string loss_name(const ReviewGoodput& job) {
  const std::string rate = job.at_best ? ", at the higher of the published rates" : "";
  return job.workload + (job.goodput.share ? "" : ", at its best interval") + rate;
}

std::string draw_losses(const std::vector<const ReviewGoodput*>& jobs, std::int64_t width, std::string_view id,
                        const PageFigure& figure) {
  double most = 1 - kWantedGoodput;
  for (const ReviewGoodput* job : jobs) most = std::max(most, 1 - job->goodput.parts->progress);
  Chart chart(width, most);
  for (const ReviewGoodput* job : jobs) {
    const TimeParts& parts = *job->goodput.parts;
    chart.bar(loss_name(*job) + ": " + percent_words(1 - parts.progress),
              {{parts.interruptions, "stripe0"}, {parts.writes, "stripe1"}});
  }
  chart.mark(1 - kWantedGoodput, "what leaves 90 % goodput");
  chart.legend("stripe0", "recovery, and work that is done again");
  chart.legend("stripe1", "writing checkpoints");
  return chart.finish(id, figure);
}

std::vector<const MoneyFigure*> known_costs(const Review& review, std::string_view unit) {
  std::vector<const MoneyFigure*> out;
  for (const MoneyFigure& row : review.money) {
    // All GPUs would make a line of every other bar, and a point of goodput is a measure, no cost.
    if (row.low && row.unit == unit && row.id != "fleet" && row.id != "goodput-point") out.push_back(&row);
  }
  return out;
}

std::string cost_words(const MoneyFigure& row) {
  const bool range = std::lround(*row.low) != std::lround(*row.high);
  return usd_words(*row.low) + (range ? " to " + usd_words(*row.high) : "");
}

using CostGroups = std::vector<std::pair<std::string_view, std::vector<const MoneyFigure*>>>;

std::string draw_costs(const CostGroups& groups, std::int64_t width, std::string_view id, const PageFigure& figure) {
  Chart chart(width, 0);
  bool ranges = false;
  for (const auto& [unit, rows] : groups) {
    double most = 0;
    for (const MoneyFigure* row : rows) most = std::max(most, *row->high);
    chart.heading(unit, most);
    for (const MoneyFigure* row : rows) {
      ranges = ranges || *row->high > *row->low;
      chart.bar(row->what + ": " + cost_words(*row), {{*row->low, "stripe0"}, {*row->high - *row->low, "stripe2"}});
    }
  }
  if (ranges) chart.legend("stripe2", "up to this, where an input is a range");
  return chart.finish(id, figure);
}

}  // namespace

std::optional<PageFigure> losses_figure(const Review& review) {
  const std::vector<const ReviewGoodput*> jobs = told_losses(review);
  if (jobs.empty()) return std::nullopt;
  PageFigure out;
  out.title = "Time that each job loses";
  for (const ReviewGoodput* job : jobs) {
    const TimeParts& parts = *job->goodput.parts;
    out.plain.push_back(printable(loss_name(*job)) + ": " + percent_words(1 - parts.progress) + " lost, " +
                        percent_words(parts.interruptions) + " to interruptions, " + percent_words(parts.writes) +
                        " to checkpoints");
  }
  out.description = join(out.plain, "; ");
  out.wide = draw_losses(jobs, kWide, "losses-wide", out);
  out.narrow = draw_losses(jobs, kNarrow, "losses-narrow", out);
  return out;
}

std::optional<PageFigure> costs_figure(const Review& review) {
  CostGroups groups;
  std::size_t bars = 0;
  for (const std::string_view unit : {"USD a year", "USD in three years"}) {
    std::vector<const MoneyFigure*> rows = known_costs(review, unit);
    bars += rows.size();
    if (!rows.empty()) groups.emplace_back(unit, std::move(rows));
  }
  if (bars < 2) return std::nullopt;
  PageFigure out;
  out.title = "Costs beside each other";
  for (const auto& [unit, rows] : groups) {
    for (const MoneyFigure* row : rows)
      out.plain.push_back(row->what + ": " + cost_words(*row) + " " + std::string(unit));
  }
  out.description = join(out.plain, "; ");
  out.wide = draw_costs(groups, kWide, "costs-wide", out);
  out.narrow = draw_costs(groups, kNarrow, "costs-narrow", out);
  return out;
}

}  // namespace muster
