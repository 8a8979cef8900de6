#include <algorithm>
#include <filesystem>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "generate/generate.h"

namespace muster {
namespace {

void list_templates(const std::vector<TemplateDef>& templates, std::ostream& out) {
  std::size_t width = 0;
  for (const TemplateDef& def : templates) width = std::max(width, def.id.size());
  for (const TemplateDef& def : templates)
    out << def.id << std::string(width + 2 - def.id.size(), ' ') << def.doc << "\n";
}

/// Each file goes below the named folder and replaces nothing without --force.
std::optional<Error> write_files(const Generated& generated, const Arguments& arguments, Console& console) {
  if (arguments.out.empty() || arguments.out == "-") {
    std::string all;
    for (const GeneratedFile& file : generated.files) all += file.text;
    return write_output("", all, console);
  }
  if (std::optional<Error> error = leads_astray(arguments.out + "/x")) return error;
  for (const GeneratedFile& file : generated.files) {
    const std::string path = arguments.out + "/" + file.path;
    std::error_code error;
    const bool taken = std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::not_found;
    if (taken && !arguments.force) {
      return Error{Error::Code::Usage, "`" + path + "` exists; --force replaces it"};
    }
  }
  for (const GeneratedFile& file : generated.files) {
    const std::string path = arguments.out + "/" + file.path;
    if (std::optional<Error> error = make_folder(arguments.out)) return error;
    if (std::optional<Error> error = replace_file(path, file.text)) return error;
    if (!arguments.quiet) console.err << "wrote " << printable(path) << "\n";
  }
  return std::nullopt;
}

}  // namespace

int run_generate(const Arguments& arguments, Console& console) {
  Result<std::vector<TemplateDef>> templates = embedded_templates();
  if (!templates) return fail(console, templates.error().message);
  if (arguments.list) {
    list_templates(*templates, console.out);
    return 0;
  }
  const auto def = std::ranges::find(*templates, arguments.name, &TemplateDef::id);
  if (def == templates->end()) {
    std::vector<std::string_view> known;
    for (const TemplateDef& other : *templates) known.push_back(other.id);
    if (arguments.name.empty()) return fail(console, "name a template: " + join(known, ", "));
    return fail(console, "there is no template `" + arguments.name + "`" + did_you_mean(arguments.name, known) +
                             "; known are " + join(known, ", "));
  }
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  options->paths.clear();  // the fleet and workloads files alone
  if (arguments.fleet.empty() && arguments.workloads.empty()) options->paths = {"."};
  Result<Workspace> workspace = read_workspace(*options, console.disk, BookUse::ForDecisions);
  if (!workspace) return fail(console, workspace.error().message);
  tell_findings(workspace->findings, workspace->inputs.sources, console);
  if (!workspace->findings.empty()) return fail(console, "nothing is written from files with mistakes in them");
  Result<Generated> generated =
      generate(*def, {workspace->model, workspace->decisions, workspace->site.targets, workspace->inputs.sources});
  if (!generated) return fail(console, generated.error().message);
  for (const std::string& note : generated->notes) console.err << "note: " << printable(note) << "\n";
  if (std::optional<Error> error = write_files(*generated, arguments, console)) return fail(console, error->message);
  return 0;
}

}  // namespace muster
