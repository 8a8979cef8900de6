// What a mistake does depends on where it stands: rules with several effects.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

using muster::contains;
using muster::test::FakeDisk;
using muster::test::run_command;

TEST_CASE("sbatch refuses a variable in a number or a name it looks up, and takes it in a free text", "[lint]") {
  const auto effect_of = [](const std::string& option) {
    const FakeDisk disk(std::map<std::string, std::string>{
        {"job.sh", "#!/bin/bash\n#SBATCH --" + option + "=$X\n#SBATCH --time=1:00:00\nhostname\n"}});
    const std::string out = run_command({"check", "job.sh"}, disk).out;
    const std::size_t at = out.find("effect: ", std::min(out.find("sbatch-variable-not-expanded"), out.size()));
    return at == std::string::npos ? out : out.substr(at + 8, out.find('\n', at) - at - 8);
  };
  for (const char* option : {"partition", "mem-per-cpu", "gres", "array", "nodes", "constraint"})
    CHECK(effect_of(option) == "rejected");
  for (const char* option : {"output", "job-name", "comment", "chdir"}) CHECK(effect_of(option) == "ignored");
}
