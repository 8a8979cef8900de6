#include "cli/fix.h"

#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "report/unified_diff.h"

namespace muster {
namespace {

constexpr std::size_t kMostLeft = 20;

/// Line by line fit for a terminal and a log: what a file holds may be meant to be taken for something else there. What
/// people write comes out as it is, so that the diff applies.
std::string shown(std::string_view diff) {
  std::string out;
  for (std::string_view line : split(diff, '\n')) {
    const bool dos = line.ends_with('\r');
    if (dos) line.remove_suffix(1);
    // GitHub's runners take `::word` for a command, also behind blanks (actions/runner ActionCommand.cs).
    if (line.starts_with(' ') && trim(line).starts_with("::")) {
      const std::size_t at = line.find("::");
      out += std::string(at, ' ') + "\\x3a";
      line.remove_prefix(at + 1);
    }
    std::vector<std::string> pieces;
    for (const std::string_view piece : split(line, '\t')) pieces.push_back(printable(piece));
    out += join(pieces, "\t") + (dos ? "\r\n" : "\n");
  }
  return out;
}

void tell(const FixRun& run, const Arguments& arguments, Console& console) {
  console.err << "muster: " << count_of(run.fixed, "finding") << (arguments.fix ? " fixed" : " would be fixed")
              << " in " << count_of(run.files.size(), "file");
  if (run.unsafe > 0) console.err << "; --unsafe would fix " << run.unsafe << " more";
  if (run.known > 0)
    console.err << "; " << run.known << " that " << (run.known == 1 ? "is" : "are")
                << " known already could be, with `--baseline none` and without --since";
  console.err << "\n";
  for (std::size_t i = 0; i < std::min(run.left.size(), kMostLeft); ++i) {
    const NotFixed& one = run.left[i];
    console.err << "muster: not fixed: " << printable(one.place) << ": " << one.rule << ": " << printable(one.why)
                << "\n";
  }
  if (run.left.size() > kMostLeft) console.err << "muster: not fixed: " << run.left.size() - kMostLeft << " more\n";
}

}  // namespace

std::optional<Error> apply_fixes(const FixRun& run, const Arguments& arguments, Console& console) {
  for (const FixedFile& file : run.files) {
    if (arguments.fix) {
      if (std::optional<Error> error = write_output(file.path, file.after, console)) return error;
      continue;
    }
    const std::string diff = unified_diff(file.path, file.before, file.after);
    console.out << shown(std::string_view(diff).substr(0, diff.size() - 1));
  }
  if (!arguments.fix && !console.out.flush()) return Error{Error::Code::Io, "cannot write standard output"};
  if (!arguments.quiet || !run.left.empty()) tell(run, arguments, console);
  return std::nullopt;
}

}  // namespace muster
