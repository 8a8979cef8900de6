#include <array>
#include <memory>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "pipeline/baseline.h"
#include "pipeline/config.h"
#include "pipeline/starter.h"
#include "report/baseline.h"
#include "report/ledger.h"

namespace muster {
namespace {

/// A place of CI's configuration, and the lines that put muster into it.
struct Gate {
  std::string_view sign;  ///< what a repository that uses it has
  std::string_view file;
  std::string_view lines;
};
constexpr std::array kGates{
    Gate{".github", ".github/workflows/muster.yml",
         R"(on: [pull_request]
jobs:
  muster:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0}
      - run: curl -fsSLo /tmp/muster "$MUSTER_URL" && sudo install /tmp/muster /usr/local/bin/
        env: {MUSTER_URL: "https://example.com/muster-linux-x86_64"}  # where your copy of the program lies
      - run: muster check --since "origin/$GITHUB_BASE_REF" --fail-on warning --fail-on-nothing --format github
)"},
    Gate{".gitlab-ci.yml", ".gitlab-ci.yml",
         R"(muster:
  image: debian:12
  variables: {GIT_DEPTH: 0, MUSTER_URL: "https://example.com/muster-linux-x86_64"}  # where your copy of it lies
  before_script:
    - apt-get update -q && apt-get install -y -q --no-install-recommends ca-certificates curl git
    - curl -fsSLo /usr/local/bin/muster "$MUSTER_URL" && chmod +x /usr/local/bin/muster
  script:
    - muster check --since "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" --fail-on warning --fail-on-nothing
  rules:
    - if: $CI_MERGE_REQUEST_IID
)"},
    Gate{".pre-commit-config.yaml", ".pre-commit-config.yaml",
         R"(- repo: local
  hooks:
    - id: muster
      name: muster
      entry: muster check --since HEAD --fail-on warning
      language: system  # muster in PATH
      pass_filenames: false
)"},
};

std::string below(const std::string& folder, std::string_view name) {
  return folder == "." ? std::string(name) : folder + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

void tell_gates(const std::string& folder, Console& console) {
  for (const Gate& gate : kGates) {
    if (console.disk.kind(below(folder, gate.sign)) == FileSystem::Kind::Missing) continue;
    console.out << "\nFor " << gate.file << ":\n\n" << gate.lines;
  }
}

}  // namespace

int run_init(const Arguments& arguments, Console& console) {
  const std::string folder = arguments.paths.empty() ? "." : arguments.paths.front();
  if (arguments.paths.size() > 1) return fail(console, "init: expected one folder");
  if (console.disk.kind(folder) != FileSystem::Kind::Folder)
    return fail(console, "init: " + printable(folder) + " is no folder");
  const std::string path = below(folder, "muster.yaml");
  const std::optional<std::string> there = find_config(folder, console.disk);
  if (there && !arguments.force)
    return fail(console,
                "init: there is " + printable(*there) + " already; --force makes " + printable(path) + " anew");
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  options->paths = {folder};
  const auto workspace = std::make_unique<Workspace>();
  Result<Report> report = Error{};
  {
    ProgressLine progress(console.err, console.err_is_terminal && !arguments.quiet);
    options->progress = [&](const std::string& stage) { progress.tell(stage); };
    report = check(*options, console.disk, *workspace);
  }
  if (!report) return fail(console, report.error().message);
  const std::string baseline(arguments.with_baseline ? kBaselineName : "");
  if (std::optional<Error> error = replace_file(path, starter_config(*report, *workspace, baseline)))
    return fail(console, error->message);
  console.out << printable(path) << ": " << summary_line(*report) << "\n";
  if (const std::string nothing = nothing_checked_line(*report); !nothing.empty()) console.out << nothing << "\n";
  if (arguments.with_baseline) {
    const std::string list = below(folder, kBaselineName);
    const FindingKeys keys(workspace->inputs, workspace->parsed,
                           names_from(std::string(folder_of(console.disk.absolute(list))), console.disk));
    if (std::optional<Error> error = replace_file(list, render_baseline(keys.keys_of(report->findings))))
      return fail(console, error->message);
    console.out << printable(list) << ": " << count_of(report->findings.size(), "finding") << "\n";
  } else if (report->summary.errors + report->summary.warnings > 0) {
    console.out << "`muster check` lists them; `muster init --with-baseline --force` lets what is there already pass\n";
  }
  tell_gates(folder, console);
  return 0;
}

}  // namespace muster
