// Marks of templates that only batch scripts have.
#include "base/strings.h"
#include "syntax/template_probe.h"

namespace muster {
namespace {

/// `#SBATCH --nodes=   # number of nodes`: nothing, or what to write there.
bool is_left_empty(std::string_view directive) {
  const std::size_t option = directive.find("--");
  const std::size_t sign = directive.find_first_of("= \t", option == directive.npos ? directive.size() : option);
  if (sign == directive.npos || directive[sign] != '=') return false;
  const std::string_view value = trim(directive.substr(sign + 1));
  return value.empty() || value.front() == '#';
}

}  // namespace

bool has_directive_marks(std::string_view text) {
  constexpr int kForm = 3;
  int empty = 0;
  for (std::size_t at = text.find("#SBATCH"); at != text.npos; at = text.find("#SBATCH", at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.find("$${") != line.npos) return true;
    if (is_left_empty(line) && ++empty == kForm) return true;
    // `--ntasks=XXXmpinodesXXX`: what RELION fills into the template of a queue.
    const std::size_t crosses = line.find("XXX");
    if (crosses != line.npos && line.find("XXX", crosses + 4) != line.npos) return true;
    const std::size_t mark = line.find("__");
    const std::size_t end = mark == line.npos ? line.npos : line.find_first_of("; \t", mark);
    if (end != line.npos && line[end] == ';' && line.find("__", end) != line.npos) return true;
  }
  return false;
}

}  // namespace muster
