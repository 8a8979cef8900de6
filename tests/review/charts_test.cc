// The charts of what interruptions and planes cost: what they show, and when they are left out.
#include "base/strings.h"
#include "report/review_pictures.h"
#include "support/catch.h"
#include "support/goodput.h"

using namespace muster;

namespace {

Review review_of(const std::vector<Goodput>& jobs) {
  Review out;
  for (const Goodput& job : jobs) out.goodput.push_back({"job" + std::to_string(out.goodput.size()), job, {}});
  return out;
}

MoneyFigure cost(const std::string& id, double low, double high, const std::string& unit = "USD a year") {
  MoneyFigure out;
  out.id = id;
  out.what = "what " + id + " costs";
  out.unit = unit;
  out.low = low;
  out.high = high;
  return out;
}

/// Widths of the rectangles of a kind.
std::vector<int> widths(const std::string& svg, const std::string& kind) {
  std::vector<int> out;
  const std::string mark = "class=\"" + kind + "\"/>";
  for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) {
    const std::size_t width = svg.rfind("width=\"", at) + 7;
    if (svg.substr(width, svg.find('"', width) - width) != "12") out.push_back(std::stoi(svg.substr(width)));
  }
  return out;
}

}  // namespace

TEST_CASE("the parts of a job's time make one", "[decide][goodput]") {
  for (const double write : {5.0, 60.0, 300.0}) {
    const Goodput told = test::goodput({.write = write, .interval = 900});
    REQUIRE(told.parts);
    CHECK(told.parts->progress == Approx(*told.share));
    CHECK(told.parts->writes == Approx(1 - 1 / (1 + write / 900)));
    CHECK(told.parts->progress + told.parts->writes + told.parts->interruptions == Approx(1));
  }
  const Goodput best = test::goodput({}, ", checkpoint: {write_seconds: 20}, recovery_seconds: 600");
  CHECK(best.parts->progress == Approx(*best.best_share));
  CHECK_FALSE(test::goodput({}, ", checkpoint: {write_seconds: 20}").parts);
}

TEST_CASE("the chart of losses has a bar for each job that says enough", "[review]") {
  CHECK_FALSE(losses_figure(review_of({})));
  CHECK_FALSE(losses_figure(review_of({test::goodput({}, ", elastic: {min_nodes: 4}")})));
  const Review review = review_of({test::goodput({.nodes = 128}), test::goodput({.nodes = 2048})});
  const std::optional<PageFigure> chart = losses_figure(review);
  REQUIRE(chart);
  CHECK(chart->plain.size() == 2);
  const std::vector<int> interrupted = widths(chart->wide, "stripe0");
  const std::vector<int> writing = widths(chart->wide, "stripe1");
  REQUIRE(interrupted.size() == 2);
  REQUIRE(writing.size() == 2);
  // As long as what they stand for, and all of them within the drawing.
  const TimeParts& small = *review.goodput[0].goodput.parts;
  const TimeParts& large = *review.goodput[1].goodput.parts;
  CHECK(std::abs(interrupted[0] - interrupted[1] * small.interruptions / large.interruptions) < 2);
  CHECK(std::abs(writing[1] - interrupted[1] * large.writes / large.interruptions) < 2);
  CHECK(interrupted[1] + writing[1] < 470);
}

TEST_CASE("costs are compared within their period, without what dwarfs them", "[review]") {
  Review review;
  review.money = {cost("fleet", 9e7, 9e7), cost("stranded", 6e5, 6e5)};
  CHECK_FALSE(costs_figure(review));
  review.money.push_back(cost("two-planes", 9e5, 12e5));
  review.money.push_back(cost("own-platform", 3e6, 3e6, "USD in three years"));
  review.money.push_back({});
  const std::optional<PageFigure> chart = costs_figure(review);
  REQUIRE(chart);
  CHECK(chart->plain == std::vector<std::string>{"what stranded costs: 600,000 USD a year",
                                                 "what two-planes costs: 900,000 to 1.20 M USD a year",
                                                 "what own-platform costs: 3.00 M USD in three years"});
  const std::vector<int> lows = widths(chart->wide, "stripe0");
  REQUIRE(lows.size() == 3);
  CHECK(std::abs(lows[0] * 2 - lows[2]) < 3);  // 600,000 of at most 1.2 M; years are not measured by three of them
  CHECK(widths(chart->wide, "stripe2").size() == 1);
}

TEST_CASE("a job's name is a text of its chart and nothing else", "[review]") {
  Review review = review_of({test::goodput({})});
  review.goodput.front().workload = "<script>alert(1)</script>";
  const PageFigure chart = *losses_figure(review);
  CHECK_FALSE(contains(chart.wide + chart.narrow, "<script"));
  CHECK(contains(chart.wide, "&lt;script&gt;"));
}
