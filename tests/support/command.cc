#include "support/command.h"

#include <sstream>

namespace muster::test {

Ran run_command(const std::vector<std::string>& words, const FileSystem& disk, const Surroundings& around) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{out, err, disk, around.terminal, around.terminal, around.no_color, around.source_date_epoch};
  const int code = run(words, console);
  return {code, out.str(), err.str()};
}

Ran run_command(const std::vector<std::string>& words, const Surroundings& around) {
  return run_command(words, DiskFileSystem(), around);
}

}  // namespace muster::test
