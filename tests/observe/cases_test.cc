// Dumps of tests/cases/observe, and what is said about them, as the goldens beside them have it.
#include <algorithm>
#include <map>
#include <random>

#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"

using namespace muster;

namespace {

std::string cases() { return test::source_dir() + "/tests/cases/observe"; }

std::map<std::string, std::string> dumps_of(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const std::string& name : test::entries(folder)) {
    if (!name.starts_with("expected.")) out[name] = test::read_file(folder + "/" + name);
  }
  return out;
}

test::Ran observe(const std::map<std::string, std::string>& dumps, const std::string& format = "text") {
  std::vector<std::string> words{"prove", "--format", format};
  for (const auto& [name, text] : dumps) words.insert(words.end(), {"--observed", name});
  return test::run_command(words, MemoryFileSystem(dumps));
}

/// No byte that a terminal obeys.
bool is_harmless(const std::string& text) {
  return std::ranges::all_of(text,
                             [](char c) { return c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f); });
}

/// The same files, what they list in another order.
std::map<std::string, std::string> stirred(const std::map<std::string, std::string>& dumps, unsigned seed) {
  std::map<std::string, std::string> out;
  std::mt19937 random(seed);
  for (const auto& [name, text] : dumps) {
    nlohmann::json json = nlohmann::json::parse(text);
    for (const char* key : {"items", "jobs", "nodes"}) {
      if (json.contains(key) && json[key].is_array()) std::shuffle(json[key].begin(), json[key].end(), random);
    }
    out[name] = json.dump();
  }
  return out;
}

std::string pod(int number, int gang, const std::string& node) {
  const std::string name = "g" + std::to_string(gang) + "-" + std::to_string(number);
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","namespace":"ml","uid":"00000000-0000-0000-0000-000000000000","labels":{"training.kubeflow.org/job-name":"g)" +
         std::to_string(gang) +
         R"("},"ownerReferences":[{"kind":"PyTorchJob","name":"g","controller":true}]},"spec":{"schedulerName":"default-scheduler","containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"4","nvidia.com/gpu":"1"}}}],"volumes":[{"name":"v"}])" +
         (node.empty() ? std::string() : R"(,"nodeName":")" + node + "\"") + R"(},"status":{"phase":")" +
         (node.empty() ? "Pending" : "Running") + "\"}}";
}

}  // namespace

TEST_CASE("of dumps is said what the goldens beside them have", "[observe]") {
  std::size_t seen = 0;
  for (const std::string& name : test::entries(cases())) {
    INFO(name);
    const std::map<std::string, std::string> dumps = dumps_of(cases() + "/" + name);
    const test::Ran ran = observe(dumps);
    test::check_golden(cases() + "/" + name + "/expected.txt",
                       ran.out + "exit " + std::to_string(ran.code) + "\n" + ran.err);
    const test::Ran json = observe(dumps, "json");
    test::check_golden(cases() + "/" + name + "/expected.json", json.out);
    CHECK(json.code == ran.code);
    CHECK(is_harmless(ran.out + ran.err + json.out));
    ++seen;
  }
  CHECK(seen >= 20);
}

TEST_CASE("the order of what a dump lists changes nothing", "[observe]") {
  for (const std::string& name : test::entries(cases())) {
    INFO(name);
    const std::map<std::string, std::string> dumps = dumps_of(cases() + "/" + name);
    const std::string text = observe(dumps).out;
    const std::string json = observe(dumps, "json").out;
    for (unsigned seed = 0; seed < 2; ++seed) {
      CHECK(observe(stirred(dumps, seed)).out == text);
      CHECK(observe(stirred(dumps, seed), "json").out == json);
    }
  }
}

TEST_CASE("input that cannot be read ends with 2 and says what is", "[observe]") {
  const std::string list = R"({"apiVersion":"v1","kind":"List","items":[]})";
  CHECK(observe({{"a.json", list}}).code == 0);
  const test::Ran broken = observe({{"a.json", list}, {"b.json", "{\"items\": [\n {\"kind\": }\n]}"}});
  CHECK(broken.code == 2);
  CHECK(broken.out.empty());
  CHECK(broken.err.starts_with("b.json:2:11: syntax error"));
  CHECK(observe({{"deep.json", "{\"items\": " + std::string(100000, '[')}}).code == 2);
  const test::Ran deep = observe({{"deep.json", "{\"items\": " + std::string(600, '[') + std::string(600, ']') + "}"}});
  CHECK(deep.code == 2);
  CHECK(deep.err.find("nested too deeply") != std::string::npos);
  const test::Ran other = observe({{"a.json", "{\"hello\": 1}"}});
  CHECK(other.code == 2);
  CHECK(other.err.starts_with("muster: `a.json` is nothing that --observed reads; it reads\nmuster: kubectl get pods"));
  CHECK(observe({{"a.yaml", "apiVersion: v1\nkind: Pod\n"}}).code == 2);
  CHECK(observe({{"empty.json", ""}}).code == 2);
  CHECK(observe({{"bytes.json", "{\"items\": [\"\xff\"]}"}}).code == 2);
  CHECK(
      test::run_command({"prove", "--observed", "missing.json"}, MemoryFileSystem(std::map<std::string, std::string>{}))
          .code == 2);
  CHECK(test::run_command({"prove", "--observed", "a.json", "b.yaml"},
                          MemoryFileSystem(std::map<std::string, std::string>{{"a.json", list}}))
            .code == 2);
}

TEST_CASE("what is not known fails only when it was asked to", "[observe]") {
  const std::map<std::string, std::string> dumps = dumps_of(cases() + "/not-known");
  CHECK(observe(dumps).code == 0);
  std::vector<std::string> words{"prove", "--fail-on-unknown"};
  for (const auto& [name, text] : dumps) words.insert(words.end(), {"--observed", name});
  CHECK(test::run_command(words, MemoryFileSystem(dumps)).code == 1);
}

TEST_CASE("no bytes of a dump bring the command down, and what it prints is harmless", "[observe]") {
  std::mt19937 random(3);
  constexpr std::string_view kPieces[] = {"\"",      "{",
                                          "}",       "[",
                                          "]",       ",",
                                          ":",       "null",
                                          "-1",      "99999999999999999999",
                                          "\\u001b", "true",
                                          "0.5",     "9223372036854775807",
                                          "\xc3",    "\x1b"};
  for (const std::string& name : test::entries(cases())) {
    const std::map<std::string, std::string> dumps = dumps_of(cases() + "/" + name);
    for (int round = 0; round < 16; ++round) {
      std::map<std::string, std::string> bent = dumps;
      for (auto& [file, text] : bent) {
        for (int i = 0; i < 2 && !text.empty(); ++i) {
          const std::size_t at = random() % text.size();
          if (random() % 4 == 0)
            text.erase(at, random() % 20);
          else if (random() % 2 == 0)
            text.insert(at, kPieces[random() % std::size(kPieces)]);
          else
            text[at] = static_cast<char>('0' + random() % 10);
        }
      }
      const test::Ran ran = observe(bent, round % 2 == 0 ? "text" : "json");
      INFO(name);
      CHECK(ran.code <= 2);
      CHECK(is_harmless(ran.out + ran.err));
    }
  }
}

TEST_CASE("numbers of any size and values of any kind in known fields are read without a crash", "[observe]") {
  std::mt19937 random(4);
  const nlohmann::json values[] = {nullptr,
                                   true,
                                   -5,
                                   9223372036854775807,
                                   18446744073709551615u,
                                   1e300,
                                   "x",
                                   "-1",
                                   "9223372036854775807",
                                   nlohmann::json::array(),
                                   nlohmann::json::object(),
                                   {1, 2}};
  for (const std::string& name : test::entries(cases())) {
    for (int round = 0; round < 12; ++round) {
      std::map<std::string, std::string> bent;
      for (const auto& [file, text] : dumps_of(cases() + "/" + name)) {
        const nlohmann::json flat = nlohmann::json::parse(text).flatten();
        nlohmann::json json = nlohmann::json::parse(text);
        auto at = flat.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random() % flat.size()));
        json[nlohmann::json::json_pointer(at.key())] = values[random() % std::size(values)];
        bent[file] = json.dump();
      }
      CHECK(observe(bent).code <= 2);
    }
  }
}

TEST_CASE("thousands of pods are read and judged, and the eviction of many gangs is called greedy", "[observe]") {
  // Gangs of twenty of which one waits, on nodes that are full.
  constexpr int kPods = 2000;
  std::string text = R"({"apiVersion":"v1","kind":"List","items":[)";
  std::map<int, int> bound;
  for (int i = 0; i < kPods; ++i) {
    const bool waits = i % 20 == 19;
    bound[i / 8] += waits ? 0 : 1;
    text += (i == 0 ? "" : ",\n") + pod(i % 20, i / 20, waits ? "" : "n" + std::to_string(i / 8));
  }
  for (const auto& [node, gpus] : bound) {
    text += ",\n" + (R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n)" + std::to_string(node)) +
            R"("},"status":{"allocatable":{"cpu":"96","pods":"110","nvidia.com/gpu":")" + std::to_string(gpus) +
            "\"}}}";
  }
  const test::Ran ran = observe({{"a.json", text + "]}"}}, "json");
  CHECK(ran.code == 1);
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  CHECK(json["gangs"].size() == 100);
  CHECK(json["gangs"][0]["until"] == "never");
  CHECK(json["cycle"].size() == 2);
  CHECK(json["gpus"]["free"] == 0);
  REQUIRE(json["eviction"].is_object());
  CHECK(json["eviction"]["method"] == "greedy");
  // The pods of one gang make room for nineteen others, and those, when they have finished, for all the rest.
  CHECK(json["eviction"]["gangs"].size() == 1);
  CHECK(json["eviction"]["go_on_at_once"].size() == 19);
  CHECK(json["eviction"]["go_on_then"].size() == 80);
}
