#include <unistd.h>

#include <chrono>
#include <csignal>

#include "cli/command.h"
#include "lsp/serve.h"

namespace muster {

int run_lsp(const Arguments& arguments, Console& console) {
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  const Result<RenderOptions> render = make_render_options(arguments, console);
  if (!render) return fail(console, render.error().message);
  // An editor may be gone before its answer is written: the write says so then.
  std::signal(SIGPIPE, SIG_IGN);
  // A day later it is another day, unless one was given.
  const bool given = !arguments.now.empty() || !console.source_date_epoch.empty();
  const auto today = [given, date = options->today] {
    return given ? date : std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  };
  FolderChecks checks(console.disk, std::move(*options), today);
  std::string why;
  const int code = serve(STDIN_FILENO, STDOUT_FILENO, {MUSTER_VERSION, render->rules_url}, checks, why);
  return why.empty() ? code : fail(console, "lsp: " + why);
}

}  // namespace muster
