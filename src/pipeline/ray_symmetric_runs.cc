#include "pipeline/ray_symmetric_runs.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/shell_texts.h"
#include "slurm/batch_shell.h"

namespace muster {
namespace {

using sbatch::BatchCommand;
using sbatch::ShellValue;

/// What is symmetric_slip with the words from `from` on; empty: nothing, or nobody knows.
std::string symmetric_slip(const BatchCommand& command, std::size_t from) {
  // Source: ray-project/ray:python/ray/scripts/symmetric_run.py, curate_and_validate_ray_start_args (2.49-2.51).
  constexpr std::array<std::string_view, 4> kOwn{"--head", "--node-ip-address", "--port", "--block"};
  constexpr std::array<std::string_view, 6> kFlags{
      "--disable-usage-stats",       "--no-monitor", "--no-redirect-output",
      "--enable-resource-isolation", "--verbose",    "--huge-pages"};
  bool address = false;
  bool ended = false;
  std::string_view own;
  for (std::size_t i = from; i < command.words.size() && !ended; ++i) {
    const ShellValue& word = command.words[i];
    const std::string_view text = word.text;
    const std::string_view before = command.words[i - 1].text;
    const bool value = before.starts_with("--") && !contains(before, "=") && !sbatch::is_one_of(before, kFlags);
    if (text == "--help") return {};
    if (!word.known() && !value && !text.starts_with("--")) return {};  // more options, out of a variable
    ended = text == "--";
    address = address || text == "--address" || text.starts_with("--address=");
    if (sbatch::is_one_of(text, kOwn)) own = text;
  }
  if (!address) return "`ray symmetric-run` wants --address HOST:PORT of the node that becomes the head";
  if (!ended) return "`ray symmetric-run` wants `--` before the program";
  if (!own.empty()) return "`ray symmetric-run` gives " + std::string(own) + " itself, and refuses it";
  return {};
}

}  // namespace

void find_symmetric_runs(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!contains(text, "symmetric-run") || !begins_with_shell(text) || may_be_filled_in(text)) continue;
    const sbatch::BatchBody body = sbatch::walk_batch_script(file, text, {});
    for (const BatchCommand& command : body.commands) {
      for (std::size_t w = 0; w + 1 < command.words.size(); ++w) {
        const bool here = sbatch::program_name(command.words[w].text) == "ray" &&
                          command.words[w + 1].text == "symmetric-run" && command.words[w].known();
        if (!here || command.here_document || command.words.front().text == "echo") continue;
        const std::string told = symmetric_slip(command, w + 2);
        if (told.empty()) continue;
        const ShellValue& verb = command.words[w + 1];
        Span where = sbatch::span_in(file, verb, 0, verb.text.size());
        if (!where.placed()) where = command.where;
        findings.push_back(problem("ray-symmetric-run-refused", where, told));
      }
    }
  }
}

}  // namespace muster
