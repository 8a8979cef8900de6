#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// The options that each release of a model server takes. Source: schemas/server.options, whose form
/// scripts/server_options.py describes.
class ServerOptions {
 public:
  struct Option {
    std::string_view name;  ///< with dashes: --max-model-len
    std::string_view since;
    std::string_view gone;  ///< empty: the last release that was read has it
  };

  /// A word as the table has the option in it: `--max_model_len=4096`; empty: it is no name of one, or not a whole one.
  static std::string name_in(std::string_view word);
  /// The table of `vllm` or `sglang`.
  static const ServerOptions& of(std::string_view server);

  /// Those that a name as it is written may mean, whatever the release: also cut short, as argparse allows, and with
  /// `no-` before it. Empty: no release takes it.
  std::span<const Option> like(std::string_view option) const;
  /// Whether a release without an option of that name takes it for the beginning of the one that it has, as argparse
  /// does.
  bool cut_short(std::string_view option, std::string_view release) const;
  /// Whether that release was read, and what the newest is.
  bool read(std::string_view release) const;
  std::string_view newest() const { return releases_.back(); }
  /// "; did you mean `--block-size`?", or nothing.
  std::string suggestion(std::string_view option) const;

  explicit ServerOptions(std::string_view lines);

 private:
  std::vector<std::string_view> releases_;  ///< ascending
  std::vector<Option> options_;             ///< sorted by name
};

/// What is wrong with `--enforce-eager true` or `--enforce-eager=true`: the option takes no value, in no release.
/// `word`: as it is written; `next`: the word behind it; `by_module`: vLLM is started as `api_server`, of which some
/// releases take a word and never read it. Empty: nothing is.
std::string flag_with_value(std::string_view server, std::string_view word, std::string_view next, bool by_module);

/// What a model server's command line has that it refuses: `server-option-unknown`, which no release takes,
/// `server-option-of-other-release`, which the release of its image does not take, `server-option-gone`, which the
/// newest does not where the image is whatever is newest, `server-flag-with-value` and `server-model-as-option`; also
/// what it does not say (`server-model-not-given`, of `kind`s whose pods get nothing from an operator) and variables
/// that nobody reads. Quiet where a shell fills in a name, about other programs, and about images that somebody built
/// on a changed server.
void check_server_options(const Node& container, std::string_view kind, std::vector<Finding>& findings);

}  // namespace muster
