#include "syntax/json_lists.h"

#include <random>

#include "support/catch.h"
#include "support/json.h"
#include "support/node_json.h"

using namespace muster;
using Json = nlohmann::json;
using test::to_json;

namespace {

struct Lists {
  bool good = false;
  Json root;
  Json items = Json::array();  ///< [list, item]
  std::string problem;
};

Lists read(const std::string& text, bool (*wanted)(std::string_view, std::string_view)) {
  Lists out;
  std::vector<Finding> findings;
  JsonLists lists;
  lists.wanted = [&](const std::vector<std::string>& open, std::string_view key) { return wanted(open.back(), key); };
  lists.item = [&](std::string_view list, const Node& item) {
    out.items.push_back({std::string(list), to_json(item)});
  };
  lists.root = [&](const Node& root) { out.root = to_json(root); };
  out.good = read_json_lists(FileId{0}, text, lists, findings);
  if (!findings.empty()) out.problem = std::to_string(findings.front().where.begin) + " " + findings.front().message;
  return out;
}

bool all(std::string_view, std::string_view) { return true; }
/// Not x, and y only below z.
bool some(std::string_view parent, std::string_view key) { return key != "x" && (key != "y" || parent == "z"); }

/// The same by nlohmann's own tree.
Json filtered(const Json& value, const std::string& under) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(filtered(item, ""));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [key, member] : value.items()) {
    if (some(under, key)) out[key] = filtered(member, key);
  }
  return out;
}

Json random_member(std::mt19937& random, int depth) {
  const char* const keys[] = {"x", "y", "z", "a", "b"};
  const char* const texts[] = {"a\t\"\\\u00e9{}[],:", "7", "true", "null", ""};
  switch (random() % (depth > 4 ? 5u : 9u)) {
    case 0: return nullptr;
    case 1: return random() % 2 == 0;
    case 2: return static_cast<std::int64_t>(random()) - 2'000'000'000;
    case 3: return 0.25 * static_cast<double>(random() % 100);
    case 4: return texts[random() % 5];
    case 5:
    case 6: {
      Json list = Json::array();
      for (std::size_t i = random() % 4; i > 0; --i) list.push_back(random_member(random, depth + 1));
      return list;
    }
    default: {
      Json object = Json::object();
      for (std::size_t i = random() % 4; i > 0; --i) object[keys[random() % 5]] = random_member(random, depth + 1);
      return object;
    }
  }
}

}  // namespace

TEST_CASE("items of lists come one by one, and the root without them", "[json]") {
  const Lists lists = read(
      R"({"kind": "List", "items": [{"a": 1}, 5, {"b": [{"c": {}}]}], "meta": {"x": [{"d": 1}]}, "jobs": [{"e": 2}]})",
      all);
  REQUIRE(lists.good);
  CHECK(lists.items == Json::parse(R"([["items", {"a": 1}], ["items", {"b": [{"c": {}}]}], ["jobs", {"e": 2}]])"));
  CHECK(lists.root == Json::parse(R"({"kind": "List", "items": [5], "meta": {"x": [{"d": 1}]}, "jobs": []})"));
}

TEST_CASE("members that nobody wants are left out as another reader leaves them out", "[json]") {
  std::mt19937 random(12);
  for (int round = 0; round < 2000; ++round) {
    const Json root{{"a", random_member(random, 0)},
                    {"b", random_member(random, 0)},
                    {"x", random_member(random, 0)},
                    {"z", random_member(random, 0)}};
    INFO(root.dump());
    const Lists lists = read(root.dump(round % 2 == 0 ? -1 : 1), some);
    REQUIRE(lists.good);
    Json expected = filtered(root, "");
    Json items = Json::array();
    for (auto& [key, member] : expected.items()) {
      if (!member.is_array()) continue;
      Json rest = Json::array();
      for (const Json& item : member) item.is_object() ? items.push_back({key, item}) : rest.push_back(item);
      member = rest;
    }
    REQUIRE(lists.root == expected);
    REQUIRE(lists.items == items);
  }
}

TEST_CASE("what is no JSON is a finding at its place, also where nobody wants it", "[json]") {
  CHECK(read("{\"a\": [1,]}", all).problem.starts_with("9 syntax error"));
  CHECK(read("{\"x\": [1,]}", some).problem.starts_with("9 syntax error"));
  CHECK(read("", all).problem.find("unexpected end of input") != std::string::npos);
  CHECK(read("{} {}", all).problem.starts_with("3 syntax error"));
  CHECK(read("{\"x\": " + std::string(600, '['), some).problem == "0 nested too deeply (more than 500 levels)");
  CHECK(read("{\"a\": " + std::string(600, '['), all).problem == "0 nested too deeply (more than 500 levels)");
  std::string many = "{\"items\": [{\"a\": [";
  for (int i = 0; i < 2'000'000; ++i) many += "1,";
  many += "1]}]}";
  CHECK(read(many, all).problem == "0 more than 2,000,000 values in one object");
  CHECK(read(many, [](std::string_view, std::string_view key) { return key != "a"; }).problem.empty());
}

TEST_CASE("a zero byte ends no lists", "[json]") {
  CHECK(read(std::string("{\"a\": []}\0 x", 12), all).problem == "9 syntax error: a zero byte stands behind the value");
}
