#include "support/skip.h"

namespace muster::test {
namespace {
std::vector<Skip>& all() {
  static std::vector<Skip> skips;
  return skips;
}
}  // namespace

void skip(const std::string& test, const std::string& reason) { all().push_back({test, reason}); }
const std::vector<Skip>& skips() { return all(); }

}  // namespace muster::test
