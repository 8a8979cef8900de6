#include "inventory/inventory.h"

#include <filesystem>
#include <ostream>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "lint/lint.h"

namespace muster {
namespace {

/// Files of a folder may be anything; what was named is meant.
std::optional<Error> judge_unknown(const Inventory& inventory, const Inputs& inputs, const Arguments& arguments,
                                   Console& console) {
  std::set<std::string> named;
  for (const std::string& path : arguments.paths) {
    if (path == "-") named.insert("stdin");
    if (console.disk.kind(path) == FileSystem::Kind::File) named.insert(console.disk.absolute(path));
  }
  std::vector<std::string> strangers;
  std::size_t passed = inputs.skipped;
  for (const FileId file : inventory.unknown) {
    const std::string& path = inputs.sources.file(file).path();
    const bool meant =
        named.contains(console.disk.absolute(path)) || named.contains(path) || named.size() == arguments.paths.size();
    if (meant) strangers.push_back("`" + path + "`");
    if (!meant) ++passed;
  }
  if (!strangers.empty()) {
    return Error{Error::Code::Usage, join(strangers, ", ") + (strangers.size() == 1 ? " is no dump" : " are no dumps") +
                                         " that muster knows; it reads\n" + known_dumps()};
  }
  if (passed > 0 && !arguments.quiet) console.err << "note: " << count_of(passed, "file") << " skipped: no dumps\n";
  return std::nullopt;
}

/// Findings go to standard error: the fleet file has standard output for itself.
std::optional<Error> tell(Inventory& inventory, const Inputs& inputs, const Arguments& arguments, Console& console) {
  if (inventory.findings.empty()) return std::nullopt;
  static const Result<RuleBook> book = RuleBook::embedded(threads_of(arguments));
  if (!book) return book.error();
  complete_from_rules(inventory.findings, *book);
  Report report;
  report.sources = &inputs.sources;
  report.findings = inventory.findings;
  const Result<RenderOptions> made = make_render_options(arguments, console);
  if (!made) return made.error();
  RenderOptions render = *made;
  render.quiet = true;
  render.color =
      arguments.color == "always" || (arguments.color == "auto" && console.err_is_terminal && console.no_color.empty())
          ? Color::Always
          : Color::Never;
  console.err << find_report_format("text")->render(report, render);
  return std::nullopt;
}

std::optional<Error> write(const std::string& text, const Arguments& arguments, Console& console) {
  if (arguments.out.empty() || arguments.out == "-") return write_output("", text, console);
  std::error_code error;
  const bool taken =
      std::filesystem::symlink_status(arguments.out, error).type() != std::filesystem::file_type::not_found;
  if (taken && !arguments.force)
    return Error{Error::Code::Usage, "`" + arguments.out + "` exists; --force replaces it"};
  return replace_file(arguments.out, text);
}

}  // namespace

int run_inventory(const Arguments& arguments, Console& console) {
  Result<std::vector<OutputTarget>> checked = read_formats(arguments, {});
  if (!checked) return fail(console, checked.error().message);
  std::vector<Finding> unreadable;
  Result<Inputs> inputs = discover({arguments.paths, {}, {}, ""}, console.disk, unreadable);
  if (!inputs) return fail(console, inputs.error().message);
  std::vector<FileContext> files;
  for (const InputFile& file : inputs->files) files.push_back(file.context);
  Inventory inventory = take_inventory(inputs->sources, files, arguments.name);
  inventory.findings.insert(inventory.findings.end(), unreadable.begin(), unreadable.end());
  if (std::optional<Error> error = tell(inventory, *inputs, arguments, console)) return fail(console, error->message);
  if (std::optional<Error> error = judge_unknown(inventory, *inputs, arguments, console))
    return fail(console, error->message);
  if (inventory.fleet.empty()) {
    if (!inventory.findings.empty()) return 1;
    return fail(console, "there is no node in these files; muster reads\n" + known_dumps());
  }
  if (std::optional<Error> error = write(inventory.fleet, arguments, console)) return fail(console, error->message);
  if (!arguments.quiet)
    console.err << "muster: " << count_of(inventory.nodes, "node") << " in " << count_of(inventory.pools, "pool")
                << " from " << count_of(files.size() - inventory.unknown.size(), "file") << "\n";
  return inventory.findings.empty() ? 0 : 1;
}

}  // namespace muster
