// Searches of texts, held against plain ones.
#include "base/strings.h"

#include <random>
#include <string>

#include "support/catch.h"

using namespace muster;

namespace {

/// Of few letters, so that parts are found, and of some that searches take for rare.
std::string some_text(std::mt19937& random, std::size_t size) {
  constexpr std::string_view kLetters = "aabbe tT\n-:_";
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += kLetters[random() % kLetters.size()];
  return out;
}

}  // namespace

TEST_CASE("a part is found where find finds it", "[strings]") {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = some_text(random, random() % 900);
    const std::string part = some_text(random, random() % 7);
    const std::size_t from = random() % 400;
    INFO(text << "|" << part << "|" << from);
    REQUIRE(find_part(text, part, from) == text.find(part, from));
    REQUIRE(contains(text, part) == (text.find(part) != std::string::npos));
  }
}

TEST_CASE("a part is found behind many places that look like it", "[strings]") {
  const std::string text = std::string(5000, '_') + "a_b";
  CHECK(find_part(text, "a_b") == 5000);
  CHECK(find_part(text, "b_a") == std::string::npos);
  CHECK(find_part(text, std::string(400, '_') + "a") == 4600);
  CHECK(find_part(text, std::string(6000, '_')) == std::string::npos);
}

TEST_CASE("a part is found whatever its letters' case", "[strings]") {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = some_text(random, random() % 300);
    const std::string part = some_text(random, random() % 5);
    INFO(text << "|" << part);
    REQUIRE(contains_ignoring_case(text, part) == (to_lower(text).find(to_lower(part)) != std::string::npos));
  }
}
