#include "syntax/setting_put_aside.h"

#include <vector>

#include "base/strings.h"
#include "syntax/shell_reader.h"

namespace muster {

std::string setting_put_aside(std::string_view line) {
  constexpr std::string_view kValues = "$`\"'/0123456789";
  line = trim(line);
  const std::size_t begin = line.find_first_not_of("# \t");
  if (!line.starts_with('#') || begin == line.npos) return {};
  line.remove_prefix(begin);
  const std::size_t sign = line.find('=');
  if (sign == line.npos || sign + 1 >= line.size() || !is_shell_name(line.substr(0, sign)) ||
      kValues.find(line[sign + 1]) == kValues.npos)
    return {};
  const std::vector<ShellCommand> commands = read_shell(line);
  if (commands.size() != 1 || commands[0].words.size() != 1) return {};
  return std::string(line.substr(0, sign));
}

}  // namespace muster
