#include "support/any_bytes.h"

#include <rapidcheck.h>

#include <random>

#include "support/catch.h"
#include "support/model.h"
#include "support/seeds.h"

using namespace muster::test;

namespace {

constexpr std::string_view kWords[] = {"\n",
                                       "\r\n",
                                       "---\n",
                                       "...\n",
                                       "\\",
                                       "#",
                                       "\"",
                                       "'",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       ": ",
                                       "- ",
                                       "&a ",
                                       "*a",
                                       "<<: ",
                                       "|\n",
                                       ">-\n",
                                       "\t",
                                       "!!str ",
                                       "[1-4]",
                                       "[3-1]",
                                       "[1-65536]",
                                       "{{ x }}",
                                       "${X}",
                                       "null",
                                       "~",
                                       "-1",
                                       "9223372036854775807",
                                       "99999999999999999999",
                                       "1e400",
                                       "0x",
                                       "%YAML 1.1\n",
                                       "\xEF\xBB\xBF",
                                       "\xFF",
                                       "\xC3",
                                       "\u00e9",
                                       "\u2028",
                                       "\U0001F600",
                                       "#SBATCH ",
                                       "Include ",
                                       "NodeName=",
                                       "replicas: "};

std::string bent(std::string text, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::uint64_t edits = 1 + random() % 6; edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % (text.size() + 1);
    const std::size_t length = random() % 20;
    switch (random() % 6) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, kWords[random() % std::size(kWords)]); break;
      case 3: text.replace(at, std::min<std::size_t>(1, text.size() - at), 1, static_cast<char>(random())); break;
      case 4: text.replace(at, length, kWords[random() % std::size(kWords)]); break;
      default: text.resize(at); break;
    }
  }
  return text;
}

bool keeps_promises(const std::string& name, const std::string& bytes) {
  const AnyBytes first = check_any_bytes(name, bytes);
  RC_ASSERT(first.broken_promise == "");
  RC_ASSERT(first.report == check_any_bytes(name, bytes).report);
  return true;
}

}  // namespace

TEST_CASE("any bytes are checked without a crash and every place lies within its file", "[any-bytes]") {
  CHECK(rc::check("any bytes", [](const std::string& bytes) {
    const Seed& seed = *rc::gen::elementOf(kSeeds);
    RC_ASSERT(keeps_promises(std::string(seed.name), bytes));
  }));
}

TEST_CASE("bent and broken files are checked without a crash and every place lies within its file", "[any-bytes]") {
  CHECK(rc::check("bent files", [](std::uint64_t number) {
    const Seed& seed = *rc::gen::elementOf(kSeeds);
    RC_ASSERT(keeps_promises(std::string(seed.name), bent(std::string(seed.text), number)));
  }));
}

TEST_CASE("the stages that these tests run find what a check finds", "[any-bytes]") {
  for (const Seed& seed : kSeeds) {
    if (seed.name == "muster.yaml") continue;
    INFO(seed.name);
    const Checked checked = check_files({{std::string(seed.name), std::string(seed.text)}});
    const std::string report = check_any_bytes(std::string(seed.name), std::string(seed.text)).report;
    for (const muster::Finding& finding : checked.report.findings)
      CHECK(report.find(finding.rule + ": " + finding.message) != std::string::npos);
  }
}
