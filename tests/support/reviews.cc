#include "support/reviews.h"

#include "support/command.h"
#include "support/fake_disk.h"

namespace muster::test {

nlohmann::json readiness_of(const std::map<std::string, std::string>& files, const std::vector<std::string>& more) {
  const FakeDisk disk(files);
  std::vector<std::string> words{"review", "r", "--format", "json"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_command(words, disk);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  return nlohmann::json::parse(ran.out)["dra"];
}

}  // namespace muster::test
