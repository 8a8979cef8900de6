#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/run.h"
#include "pipeline/check.h"
#include "report/report.h"

namespace muster {

// One function a command; each returns the exit code.
int run_check(const Arguments& arguments, Console& console);
int run_baseline(const Arguments& arguments, Console& console);
int run_merge(const Arguments& arguments, Console& console);
int run_prove(const Arguments& arguments, Console& console);
int run_review(const Arguments& arguments, Console& console);
int run_completion(const Arguments& arguments, Console& console);
int run_decide(const Arguments& arguments, Console& console);
int run_generate(const Arguments& arguments, Console& console);
int run_init(const Arguments& arguments, Console& console);
int run_inventory(const Arguments& arguments, Console& console);
int run_lsp(const Arguments& arguments, Console& console);
int run_explain(const Arguments& arguments, Console& console);
int run_rules_eval(const Arguments& arguments, Console& console);
int run_rules(const Arguments& arguments, Console& console);
int run_rules_check(const Arguments& arguments, Console& console);
int run_diff(const Arguments& arguments, Console& console);
int run_dump(const Arguments& arguments, Console& console);
int run_explain_at(const Arguments& arguments, Console& console);
int run_rules_docs(const Arguments& arguments, Console& console);
int run_rules_docs_gangs(const Arguments& arguments, Console& console);
int run_rules_test(const Arguments& arguments, Console& console);
int run_schema(const Arguments& arguments, Console& console);

/// The message on standard error, each line of it marked as muster's; exit code 2.
int fail(Console& console, const std::string& message);

/// Writes a report in every format that is asked for, and says what it comes to: the exit code. `judged`: what counts,
/// where that is not the report's own summary.
int answer(const Report& report, const Summary& judged, const Arguments& arguments, const RenderOptions& render,
           Console& console);

/// Mistakes in the input of a command that does not report: one line each with its place, on standard error.
void tell_findings(const std::vector<Finding>& findings, const SourceMap& sources, Console& console);

/// As many as -j says; one a processor when it says nothing.
unsigned threads_of(const Arguments& arguments);
/// What is wrong with the level of --fail-on, if anything.
std::optional<Error> check_level(const std::string& level);
/// Whether there is something at or above it.
bool fails(const Summary& summary, const std::string& level);

/// Whether a --set is about an operator or a release, and not about a fact.
bool is_stated(std::string_view set);
/// What every command reads from its arguments.
Result<Options> make_options(const Arguments& arguments, const Console& console);
/// What the commands about the rule book alone read: --rules, --config, and muster.yaml here or above.
Options book_options(const Arguments& arguments);
Result<RenderOptions> make_render_options(const Arguments& arguments, const Console& console);

/// `--format F` and `--format F=PATH`.
struct OutputTarget {
  std::string format;
  std::string path;  ///< empty: standard output
};
/// `usual`: what goes to standard output where no format is given.
Result<std::vector<OutputTarget>> read_formats(const Arguments& arguments, const std::vector<std::string>& known,
                                               const std::string& usual = "text");

/// An error when a path that is written as one below the working folder is elsewhere, by a symbolic link: who put the
/// link into the repository is not who runs muster.
std::optional<Error> leads_astray(const std::string& path);

/// Makes a folder and those above it.
std::optional<Error> make_folder(const std::string& path);

/// Writes a file, or standard output for an empty path. A symbolic link of that name is refused.
std::optional<Error> write_output(const std::string& path, const std::string& text, Console& console);

/// Makes or replaces a file as a whole. A link of that name is replaced, never followed: who wrote it is not who runs
/// muster.
std::optional<Error> replace_file(const std::string& path, const std::string& text);

}  // namespace muster
