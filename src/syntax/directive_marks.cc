// Marks of templates that only batch scripts have.
#include <algorithm>

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

bool is_dotted_char(char c) { return is_word_char(c) || c == '.'; }

/// `{experiment.gpus}`, `{nodes * (2 if big else 1)}` of Python's format and its like, `%(nodes)s` of its `%`, and
/// `%%NODES%%`. No pattern of file names has them, and `${NAME}` is the shell's.
bool has_named_mark(std::string_view text) {
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == text.npos) break;
    const std::string_view inner = text.substr(at + 1, end - at - 1);
    const bool named = !inner.empty() && (is_dotted_char(inner.front()) || inner.front() == '(');
    const bool told = inner.find_first_of(".(") != inner.npos && inner.find("..") == inner.npos;
    if (named && told && (at == 0 || text[at - 1] != '$')) return true;
    at = std::max(at, text.rfind('{', end));  // of `{ { {` only the innermost
  }
  for (const std::string_view open : {"%(", "%%"}) {
    const std::size_t at = text.find(open);
    if (at == text.npos) continue;
    std::size_t end = at + open.size();
    while (end < text.size() && is_dotted_char(text[end])) ++end;
    if (end > at + 3 && text.substr(end).starts_with(open == "%(" ? ")" : "%%")) return true;
  }
  return false;
}

/// `{slurm.sbatch}`, `%(lines)s`: a line that is one mark, which no shell takes for a command.
bool is_mark_alone(std::string_view line) {
  line = trim(line);
  const bool braces = line.starts_with('{') && line.ends_with('}');
  const bool percent = line.starts_with("%(") && line.ends_with(")s");
  return (braces || percent) && line.find_first_of(" \t,$\"'") == line.npos && has_named_mark(line);
}

/// `#SBATCH ${time}`: a whole option that sbatch does not fill in.
bool is_one_variable(std::string_view directive) {
  const std::string_view word = trim(directive.substr(std::min(directive.size(), std::size_t{8})));
  return word.starts_with("${") && word.find('}') + 1 == word.size();
}

}  // namespace

bool has_directive_marks(std::string_view text) {
  constexpr int kForm = 3;
  int empty = 0, variables = 0;
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    if ((text[at] == '{' || text[at] == '%') && is_mark_alone(text.substr(at, text.find('\n', at) - at))) return true;
  }
  for (std::size_t at = text.find("#SBATCH"); at != text.npos; at = text.find("#SBATCH", at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.find("$${") != line.npos) return true;
    if (is_left_empty(line) && ++empty == kForm) return true;
    if (has_named_mark(line) || (is_one_variable(line) && ++variables == kForm)) return true;
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
