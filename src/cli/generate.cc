#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "admission/admission_policy.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "decide/decide.h"
#include "generate/generate.h"
#include "pipeline/check_generated.h"

namespace muster {
namespace {

constexpr std::string_view kAll = "all";

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
    const bool several = generated.files.size() > 1;
    for (const GeneratedFile& file : generated.files)
      all += (several && file.path.ends_with(".yaml") ? "---\n" : "") + file.text;
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

namespace {

/// What is written, or why not; notes go to standard error.
Result<Generated> fill(const std::vector<TemplateDef>& templates, const Arguments& arguments,
                       const Workspace& workspace, Console& console, bool& incomplete) {
  // Without workloads there is nothing to decide, and no rule book.
  std::optional<FleetDecision> fleet;
  if (workspace.book != nullptr)
    fleet = decide_fleet(workspace.model, *workspace.book, workspace.site, workspace.decisions);
  GenerateInput input{workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources,
                      fleet ? &*fleet : nullptr};
  const TemplateDef& named = *std::ranges::find(templates, arguments.name, &TemplateDef::id);
  std::optional<AdmissionPolicies> policies;
  if (named.needs_rules) {
    Result<Book> book = load_whole_book(book_options(arguments), console.disk);
    if (!book) return book.error();
    policies = admission_policies(*book->rules, book->knowledge->described());
    input.policies = &*policies;
  }
  if (arguments.name != kAll || workspace.model.fleets.size() != 1) return generate_whole(templates, named, input);
  GeneratedAll all = generate_all(templates, input);
  for (const std::string& refused : all.refused) fail(console, refused);
  incomplete = !all.refused.empty();
  if (all.generated.files.empty()) {
    for (const std::string& note : all.generated.notes) console.err << "note: " << printable(note) << "\n";
    return Error{Error::Code::Usage, "the decisions call for nothing that a template writes"};
  }
  return std::move(all.generated);
}

}  // namespace

int run_generate(const Arguments& arguments, Console& console) {
  Result<std::vector<TemplateDef>> templates = embedded_templates();
  if (!templates) return fail(console, templates.error().message);
  if (arguments.list) {
    list_templates(*templates, console.out);
    return 0;
  }
  if (std::ranges::find(*templates, arguments.name, &TemplateDef::id) == templates->end()) {
    std::vector<std::string_view> known;
    for (const TemplateDef& other : *templates) known.push_back(other.id);
    if (arguments.name.empty()) return fail(console, "name a template: " + join(known, ", "));
    return fail(console, "there is no template `" + arguments.name + "`" + did_you_mean(arguments.name, known) +
                             "; known are " + join(known, ", "));
  }
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  options->paths.clear();  // the fleet and workloads files alone
  const TemplateDef& named = *std::ranges::find(*templates, arguments.name, &TemplateDef::id);
  const bool no_input = arguments.fleet.empty() && arguments.workloads.empty();
  const bool from_rules = named.needs_rules && !named.needs_fleet && !named.needs_workloads;
  if (no_input) options->paths = {"."};
  Result<Workspace> workspace = no_input && from_rules ? Result<Workspace>(Workspace())
                                                       : read_workspace(*options, console.disk, BookUse::ForDecisions);
  if (!workspace) return fail(console, workspace.error().message);
  // Where neither of its files is there, the template says which it needs: what else is wrong here is not its matter.
  const bool own = !workspace->model.fleets.empty() || !workspace->model.workloads.empty();
  if (!workspace->findings.empty() && (own || !no_input)) {
    tell_findings(workspace->findings, workspace->inputs.sources, console);
    return fail(console, "nothing is written from files with mistakes in them");
  }
  bool incomplete = false;
  Result<Generated> generated = fill(*templates, arguments, *workspace, console, incomplete);
  if (!generated) return fail(console, generated.error().message);
  Result<std::vector<std::string>> findings = check_generated(generated->files, *workspace);
  if (!findings) return fail(console, findings.error().message);
  if (!findings->empty())
    return fail(console, "nothing is written: it would not pass `muster check`:\n  " + join(*findings, "\n  "));
  for (const std::string& note : generated->notes) console.err << "note: " << printable(note) << "\n";
  if (std::optional<Error> error = write_files(*generated, arguments, console)) return fail(console, error->message);
  return incomplete ? 2 : 0;
}

}  // namespace muster
