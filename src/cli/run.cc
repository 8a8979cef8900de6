#include "cli/run.h"

#include <array>
#include <ostream>

#include "base/check.h"
#include "cli/arguments.h"
#include "cli/command.h"

namespace muster {
namespace {

struct Command {
  std::string_view name;
  int (*run)(const Arguments& arguments, Console& console);
};
constexpr std::array kCommands{
    Command{"baseline", run_baseline},   Command{"check", run_check},       Command{"completion", run_completion},
    Command{"decide", run_decide},       Command{"diff", run_diff},         Command{"dump", run_dump},
    Command{"explain", run_explain},     Command{"generate", run_generate}, Command{"init", run_init},
    Command{"inventory", run_inventory}, Command{"lsp", run_lsp},           Command{"merge", run_merge},
    Command{"prove", run_prove},         Command{"review", run_review},     Command{"rules", run_rules},
    Command{"schema", run_schema},
};

}  // namespace

int run(const std::vector<std::string>& words, Console& console) {
  const ParsedArguments parsed = parse_arguments(words);
  if (!parsed.arguments) {
    (parsed.exit_code == 0 ? console.out : console.err) << parsed.text << std::flush;
    return parsed.exit_code == 0 && !console.out ? 2 : parsed.exit_code;
  }
  for (const Command& command : kCommands) {
    if (command.name != parsed.arguments->command) continue;
    const int code = command.run(*parsed.arguments, console);
    // A command whose answer did not arrive has not done its job, whatever it says.
    console.out.flush();
    return console.out || code == 2 ? code
                                    : fail(console, "cannot write standard output: the disk did not take all of it");
  }
  MUSTER_CHECK(false, "a command was parsed that nobody runs");
}

}  // namespace muster
