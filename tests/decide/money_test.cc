// Figures of a fleet's money against the numbers of the guide, and by hand.
#include "decide/money.h"

#include <algorithm>

#include "facts/site_facts.h"
#include "support/catch.h"
#include "support/model.h"

using namespace muster;

namespace {

std::vector<MoneyFigure> money(const std::string& economics, const std::string& more = "", int nodes = 125,
                               const std::optional<std::string>& maturity = {}) {
  const Workspace w =
      test::read_files({{"r/fleet.yaml", "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[0001-" +
                                             std::to_string(nodes) + "]\", gpus_per_node: 8}\n" + more +
                                             "economics: {" + economics + "}\n"}});
  return money_of(w.model.fleets.front(), maturity);
}

MoneyFigure figure_of(const std::vector<MoneyFigure>& figures, std::string_view id) {
  const auto found = std::ranges::find(figures, id, &MoneyFigure::id);
  REQUIRE(found != figures.end());
  return *found;
}

const std::string kPrices = "gpu_hour_usd: 2.5, engineer_usd_per_year: 300000";

}  // namespace

TEST_CASE("a thousand GPUs cost 21.9 million a year, and a point of goodput 219,000", "[decide][money]") {
  const std::vector<MoneyFigure> out = money("gpu_hour_usd: 2.5");
  CHECK(*figure_of(out, "fleet").low == Approx(21'900'000));
  CHECK(*figure_of(out, "goodput-point").low == Approx(219'000));
  // "Three senior engineers" are about four points; a half and 85 % full leave 10.95 and 3.29 million idle.
  CHECK(3 * 300'000 / *figure_of(out, "goodput-point").low == Approx(4.1).epsilon(0.01));
  CHECK(*figure_of(out, "fleet").low * 0.5 == Approx(10'950'000));
  CHECK(*figure_of(out, "fleet").low * 0.15 == Approx(3'285'000));
  // Ten points of 104 GPUs, for whole nodes: 219,000 of 100.
  CHECK(10 * *figure_of(money("gpu_hour_usd: 2.5", "", 13), "goodput-point").low * 100 / 104 == Approx(219'000));
  CHECK(figure_of(out, "fleet").formula == "1,000 GPUs · 2.5 USD an hour · 8,760 h");
  CHECK(*figure_of(out, "fleet").high == *figure_of(out, "fleet").low);
}

TEST_CASE("what idles is the band of the platform's maturity, and open while that is", "[decide][money]") {
  const auto idle = [](const std::optional<std::string>& level) {
    return figure_of(money("gpu_hour_usd: 2.5", "", 125, level), "idle");
  };
  CHECK(*idle("1").low == Approx(15'330'000));   // 30 % full
  CHECK(*idle("1").high == Approx(17'520'000));  // 20 %
  CHECK(*idle("2").low == Approx(8'760'000));
  CHECK(*idle("2").high == Approx(13'140'000));
  CHECK(*idle("3").low == Approx(4'380'000));
  CHECK(*idle("3").high == Approx(8'760'000));
  CHECK(*idle("4").low == Approx(1'095'000));
  CHECK(*idle("4").high == Approx(4'380'000));
  CHECK_FALSE(idle({}).low);
  CHECK(idle({}).missing == std::vector<std::string>{"maturity"});
}

TEST_CASE("what vendors say of claims stands apart from what was reckoned", "[decide][money]") {
  const MoneyFigure said = figure_of(money("gpu_hour_usd: 2.5"), "claims-fill");
  CHECK(*said.low == Approx(0.10 * 21'900'000));   // 70 % against 60 %
  CHECK(*said.high == Approx(0.40 * 21'900'000));  // 85 % against 45 %
  CHECK(said.formula == "(0.7 - 0.6 to 0.85 - 0.45) · 1,000 GPUs · 2.5 USD an hour · 8,760 h");
  CHECK(said.unit == "USD a year, by vendors");
  CHECK(said.source.find("not measured") != std::string::npos);
}

TEST_CASE("two planes are joined from 205, 822 or 2,055 GPUs on, by what strands", "[decide][money]") {
  const auto even = [](const std::string& share) {
    return *figure_of(money(kPrices + ", two_plane_engineers: 3, stranded_share: " + share), "two-planes-break-even")
                .low;
  };
  CHECK(even("0.2") == Approx(205.5).epsilon(0.001));
  CHECK(even("0.05") == Approx(822).epsilon(0.001));
  CHECK(even("0.02") == Approx(2055).epsilon(0.001));
  const std::vector<MoneyFigure> out = money(kPrices + ", two_plane_engineers: 3, stranded_share: 0.05");
  CHECK(*figure_of(out, "stranded").low == Approx(1'095'000));
  CHECK(*figure_of(out, "two-planes").low == Approx(900'000));
  // Nothing strands: no size makes up for the engineers.
  CHECK_FALSE(figure_of(money(kPrices + ", two_plane_engineers: 3, stranded_share: 0"), "two-planes-break-even").low);
}

TEST_CASE("a platform of one's own against a bought one, over three years and with people on both sides",
          "[decide][money]") {
  const std::string both = kPrices + ", licence_usd_per_gpu_year: 3000, bought_goodput_gain: 0.01";
  const std::string team = "requirements: {platform_engineers: 4}\n";
  const std::vector<MoneyFigure> alone = money(both, team);
  CHECK(*figure_of(alone, "own-platform").low == Approx(3 * (1'200'000 + 219'000)));
  CHECK(*figure_of(alone, "bought-platform").low == Approx(3 * 3'000'000));
  CHECK(*figure_of(alone, "own-platform-break-even").low == Approx((3'000'000 - 219'000) / 300'000.0));
  CHECK(figure_of(alone, "bought-platform").formula.find("none is stated") != std::string::npos);
  const std::vector<MoneyFigure> manned = money(both + ", bought_platform_engineers: 1.5", team);
  CHECK(*figure_of(manned, "bought-platform").low == Approx(3 * 3'450'000));
  CHECK(*figure_of(manned, "own-platform-break-even").low == Approx((3'000'000 - 219'000) / 300'000.0 + 1.5));
  CHECK(figure_of(manned, "bought-platform").formula.find("none is stated") == std::string::npos);
}

TEST_CASE("a figure without an input names it and has no value", "[decide][money]") {
  const std::vector<MoneyFigure> out = money("gpu_hour_usd: 2.5, bought_goodput_gain: 0.01");
  CHECK_FALSE(figure_of(out, "two-planes").low);
  CHECK(figure_of(out, "two-planes").missing ==
        std::vector<std::string>{"economics.two_plane_engineers", "economics.engineer_usd_per_year"});
  CHECK(figure_of(out, "own-platform-break-even").missing ==
        std::vector<std::string>{"economics.licence_usd_per_gpu_year", "economics.engineer_usd_per_year"});
  CHECK(money("").empty());
}

TEST_CASE("the figures of the review and the facts that decide are the same money", "[decide][money]") {
  const auto near = [](double a, double b) { return a == Approx(b).epsilon(1e-9); };
  for (const int nodes : {4, 64, 500}) {
    for (const char* share : {"0.01", "0.2"}) {
      for (const char* team : {"1", "6", "40"}) {
        for (const char* gain : {"0.0", "0.07"}) {
          for (const char* theirs : {"", ", bought_platform_engineers: 2.5"}) {
            const Workspace w = test::read_files(
                {{"r/fleet.yaml",
                  "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[0001-" + std::to_string(nodes) +
                      "]\", gpus_per_node: 8}\nrequirements: {platform_engineers: " + team +
                      "}\neconomics: {gpu_hour_usd: 2.5, engineer_usd_per_year: 300000, two_plane_engineers: 3, "
                      "licence_usd_per_gpu_year: 4500, stranded_share: " +
                      share + ", bought_goodput_gain: " + gain + theirs + "}\n"}});
            const Fleet& fleet = w.model.fleets.front();
            INFO(nodes << " nodes, " << share << ", " << team << ", " << gain << theirs);
            const std::vector<MoneyFigure> out = money_of(fleet, {});
            const auto figure = [&](std::string_view id) { return *figure_of(out, id).low; };
            const std::optional<TwoPlaneCost> planes = two_plane_cost(fleet);
            const std::optional<PlatformCost> platform = platform_cost(fleet);
            REQUIRE(planes);
            REQUIRE(platform);
            CHECK(near(figure("stranded"), planes->stranded_usd));
            CHECK(near(figure("two-planes"), planes->engineers_usd));
            CHECK(near(figure("own-platform"), 3 * platform->own_usd));
            CHECK(near(figure("bought-platform"), 3 * platform->bought_usd));
            const SiteFacts facts = read_site_facts(w.model);
            CHECK((facts.at("economics.convergence_pays") == "true") == (nodes * 8 > figure("two-planes-break-even")));
            CHECK((facts.at("economics.team_pays") == "true") ==
                  (std::stod(team) <= figure("own-platform-break-even")));
          }
        }
      }
    }
  }
}
