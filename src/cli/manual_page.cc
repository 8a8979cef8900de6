#include "base/strings.h"
#include "cli/completion.h"

namespace muster {
namespace {

/// Text that roff takes for text: no escapes, no requests, and hyphens that can be copied.
std::string roff(std::string text) {
  text = replace_all(replace_all(std::move(text), "\\", "\\e"), "-", "\\-");
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (!out.empty()) out += '\n';
    if (line.starts_with('.') || line.starts_with('\'')) out += "\\&";
    out += line;
  }
  return out;
}

/// What stands under --help, its lines as they are.
std::string as_it_stands(const std::string& text) { return ".PP\n.nf\n" + roff(std::string(trim(text))) + "\n.fi\n"; }

std::string synopsis(const CommandUsage& command) {
  std::string out = "\\fBmuster " + roff(command.name) + "\\fR [\\fIOPTION\\fR]...";
  for (const OperandUsage& operand : command.operands) {
    const std::string name = "\\fI" + roff(operand.name) + "\\fR";
    out += " " + (operand.required ? name : "[" + name + "]") + (operand.many ? "..." : "");
  }
  return out;
}

std::string option_page(const OptionUsage& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty()) names += " \\fI" + roff(option.value) + "\\fR";
  return ".TP\n" + names + "\n" + roff(option.what) + "\n";
}

}  // namespace

std::string manual_page(std::span<const CommandUsage> commands) {
  std::string out = std::string(".TH MUSTER 1 \"\" \"muster ") + MUSTER_VERSION + "\" \"User Commands\"\n";
  out += ".SH NAME\nmuster \\- decide, check, prove and generate the orchestration of a GPU fleet\n.SH SYNOPSIS\n";
  for (const CommandUsage& command : commands) out += synopsis(command) + "\n.br\n";
  out += ".SH DESCRIPTION\n";
  out += roff(
             "muster reads the Slurm and Kubernetes configs of a GPU fleet, from files and offline. It says where work "
             "should "
             "run, what is wrong with the configs, whether gangs are placed all-or-nothing or how they stop each "
             "other, and "
             "writes starter configs.") +
         "\n.SH COMMANDS\n";
  for (const CommandUsage& command : commands) {
    out += ".SS " + roff(command.name) + "\n" + synopsis(command) + "\n.PP\n" + roff(command.what) + ".\n";
    for (const OperandUsage& operand : command.operands)
      out += ".TP\n\\fI" + roff(operand.name) + "\\fR\n" + roff(operand.what) + "\n";
    for (const OptionUsage& option : command.options) out += option_page(option);
    out += as_it_stands(command.footer);
  }
  return out;
}

}  // namespace muster
