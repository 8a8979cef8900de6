#include "promql/query.h"

#include <catch2/catch.hpp>
#include <string>

#include "promql/labels.h"

namespace muster::promql {
namespace {

std::string said_of(std::string_view text) {
  const Query query = read_query(text);
  if (query.refusal) {
    CHECK(query.refusal->begin <= query.refusal->end);
    CHECK(query.refusal->end <= text.size());
    return query.refusal->what;
  }
  return query.root ? "" : "open";
}

TEST_CASE("expressions that some release of Prometheus takes are read", "[promql]") {
  for (const char* text : {"1",
                           "-1 ^ 2",
                           "1e-3 + 0x1F",
                           "5m",
                           "Inf",
                           "up",
                           "sum",
                           "on_call",
                           "a:b:c",
                           "up{}",
                           "{job=\"a\"}",
                           "{\"a.b\"}",
                           "up{job!=\"a\",}",
                           "up offset -5m",
                           "up @ 1609746000 offset 5m",
                           "rate(up[5m] offset 1h)",
                           "up[1h30m:5m]",
                           "min_over_time(rate(up[5m])[1h:])",
                           "sum(up) by (job)",
                           "SUM BY (job,) (up)",
                           "count_values('v', up)",
                           "a and b or c unless d",
                           "a / on (x) group_left b",
                           "a * ignoring (x) group_right (y, z) b",
                           "a > bool 1",
                           "1 > bool 2",
                           "time() - up",
                           "round(up, 0.1)",
                           "label_join(up, \"a\", \"b\", \"c\", \"d\")",
                           "day_of_week()",
                           "a atan2 b",
                           "# all of it\nup # behind",
                           "offset",
                           "by{a=\"b\"}",
                           "quantile(0.9, up)",
                           "info(up, {a=~\".*\"})",
                           "`\\d`",
                           "'\\''"}) {
    CAPTURE(text);
    CHECK(said_of(text).empty());
  }
}

TEST_CASE("forms that only some releases have are left open", "[promql]") {
  for (const char* text : {"xrate(up[5m])", "rate(up[5m + 1m])", "up offset (5m)", "up[step()]", "a + fill(0) b",
                           "{a=\"b\" or c=\"d\"}"}) {
    CAPTURE(text);
    CHECK(said_of(text) == "open");
  }
  CHECK(said_of(std::string(200, '(') + "1") == "open");
  CHECK(said_of(std::string(100'000, '1')) == "open");
}

TEST_CASE("expressions that no release takes are refused with the reason", "[promql]") {
  const auto refused = [](const char* text, const char* part) {
    CAPTURE(text);
    CHECK_THAT(said_of(text), Catch::Contains(part));
  };
  refused("", "no expression");
  refused("sum(up", "`)` is missing");
  refused("sum(up))", "`)` is unexpected");
  refused("up{job=\"a\"", "`}` is missing");
  refused("up{job=a}", "in no quotes");
  refused("up{job==\"a\"}", "behind label");
  refused("up{job=\"a}", "no end");
  refused("up{job=~\"(\"}", "regular expression");
  refused("up{job=~\"a\\.b\"}", "`\\`");
  refused("{job=~\".*\"}", "every series");
  refused("{}", "every series");
  refused("up{__name__=\"b\"}", "named twice");
  refused("up[5min]", "no duration");
  refused("up[1.5h]", "no duration");
  refused("up[5s5m]", "no duration");
  refused("up[0s]", "range of 0");
  refused("up[]", "no duration");
  refused("up[5m", "not closed");
  refused("sum(up)[5m]", "behind a metric");
  refused("up offset 5m[5m]", "behind the range");
  refused("rate(up) offset 5m", "`offset`");
  refused("up offset", "ends where");
  refused("rate(up)", "takes a range");
  refused("abs(up[5m])", "takes samples of one moment");
  refused("sum(1)", "`sum` takes samples");
  refused("sum(a, b)", "1 argument");
  refused("topk(up)", "2 arguments");
  refused("rate(a[5m], b)", "1 argument");
  refused("round()", "at least 1 argument");
  refused("sum(a,)", "last comma");
  refused("avergae(up)", "no function `avergae`");
  refused("increse(up[5m])", "did you mean `increase`");
  refused("1 > 2", "without `bool`");
  refused("a + bool b", "`bool`");
  refused("a and 1", "takes no number");
  refused("a and on (x) group_left b", "group_left");
  refused("a * group_left (x) b", "behind `on");
  refused("a * on (x) group_left (x) b", "label `x`");
  refused("a * on (x) 1", "with a number");
  refused("a = 1", "`==`");
  refused("a && b", "`&`");
  refused("a b", "`b` is unexpected");
  refused("'a' + 1", "a text");
  refused("-'a'", "a sign");
}

TEST_CASE("operators bind as in Prometheus", "[promql]") {
  const auto root = [](std::string_view text) {
    const Query query = read_query(text);
    REQUIRE(query.root);
    return std::string(query.inner(*query.root).word);
  };
  CHECK(root("a or b and c") == "or");
  CHECK(root("a unless b and c") == "and");
  CHECK(root("a > b + c") == ">");
  CHECK(root("a + b * c") == "+");
  CHECK(root("a * b ^ c") == "*");
  CHECK(root("(a + b) AND c") == "and");
  const Query power = read_query("2 ^ 3 ^ 4");
  CHECK(power.at(*power.root).parts[0] == 0);
  const Query minus = read_query("-2 ^ 3");
  CHECK(minus.at(*minus.root).kind == Node::Kind::Unary);
}

TEST_CASE("sides that never have equal labels are found", "[promql]") {
  const auto label = [](std::string_view text) {
    const Query query = read_query(text);
    const std::vector<Unmatched> found = unmatched_operations(query, {"recorded"});
    return found.empty() ? std::string() : found.front().label;
  };
  CHECK(label("sum(a) / b") == "instance");
  CHECK(label("sum(a) / on () b").empty());
  CHECK(label("sum(a) / ignoring (instance, job) b").empty());
  CHECK(label("sum(a) / recorded").empty());
  CHECK(label("sum(a) / x:recorded").empty());
  CHECK(label("sum(a) / {pod=\"b\"}") == "pod");
  CHECK(label("sum by (pod) (a) / sum(b)") == "pod");
  CHECK(label("sum by (cluster) (a) / sum(b)").empty());
  CHECK(label("sum without (pod) (a) / b").empty());
  CHECK(label("histogram_quantile(0.9, sum by (le) (a)) > sum(b)").empty());
  CHECK(label("topk(3, a) and sum(b)") == "instance");
  CHECK(label("a == 0 and hour() > 8") == "instance");
  CHECK(label("sum(a) or b").empty());
  CHECK(label("sum(a) * 2 > scalar(b)").empty());
  CHECK(label("(sum by (pod) (a) * on (pod) group_left (node) b) / sum by (pod) (c)").empty());
}

TEST_CASE("labels of an expression that has too many are not looked at", "[promql]") {
  std::string text = "x{l0=\"a\"";
  for (int i = 1; i < 200; ++i) text += ",l" + std::to_string(i) + "=\"a\"";
  text += "}";
  for (int i = 0; i < 2000; ++i) text += "+1";
  const Query many = read_query("(" + text + ") and sum(up)");
  REQUIRE(many.root);
  CHECK(unmatched_operations(many, {}).empty());
  const Query few = read_query("(x{l0=\"a\"}+1) and sum(up)");
  CHECK(unmatched_operations(few, {}).size() == 1);
}

TEST_CASE("regular expressions beyond a hundred leave an expression open", "[promql]") {
  std::string text = "x{";
  for (int i = 0; i < 101; ++i) text += "l=~\"(.{900}|[a-z]{900})\",";
  CHECK(said_of(text + "}") == "open");
}

}  // namespace
}  // namespace muster::promql
