#include "kubernetes/server_variables.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/strings.h"
#include "base/version.h"
#include "embed/assets.h"
#include "kubernetes/server_options.h"

namespace muster {
namespace {

/// What some release reads, sorted, and the newest release that was looked at.
struct ReadVariables {
  std::vector<std::string_view> names;
  std::string_view newest;
};

const ReadVariables& read_variables() {
  static const ReadVariables kRead = [] {
    ReadVariables out;
    for (const std::string_view line : split(assets_below("schemas/server.variables").front().text, '\n')) {
      const std::vector<std::string_view> words = split_blanks(line);
      if (words.empty()) continue;
      if (words[0] == "server")
        out.newest = words.back();
      else
        out.names.push_back(words[0]);
    }
    return out;
  }();
  return kRead;
}

/// The option that somebody meant by a variable that no release reads; `-`: all of them; empty: none is called so.
std::string option_called_like(std::string_view name) {
  if (name == "VLLM_ARGS" || name == "VLLM_EXTRA_ARGS") return "-";
  std::string option = "--" + to_lower(name.substr(std::string_view("VLLM_").size()));
  std::ranges::replace(option, '_', '-');
  const std::span<const ServerOptions::Option> like = ServerOptions::of("vllm").like(option);
  return !like.empty() && like.front().name == option ? option : std::string();
}

/// VLLM_ATTENTION_BACKEND was read in 0.14.1; 0.18 is of March 2026. Sources: vllm-project/vllm#32812 (January 2026),
/// vllm-project/vllm#50292 (none in 0.26).
bool is_since_gone(std::string_view name, const VariablesOf& image) {
  if (name != "VLLM_ATTENTION_BACKEND" || !image.makers) return false;
  const std::optional<Version> release = Version::parse(image.release);
  return image.release.empty() ? image.floating : release && !(*release < *Version::parse("0.18.0"));
}

}  // namespace

std::string unread_variable(std::string_view name, const VariablesOf& image) {
  const std::string called = "`" + std::string(name) + "`";
  if (is_since_gone(name, image)) return "vLLM reads no " + called + " any more: `--attention-backend` is an option";
  const ReadVariables& read = read_variables();
  if (std::ranges::binary_search(read.names, name)) return {};
  const std::string no_release = "no release of vLLM reads " + called;
  if (const std::string option = option_called_like(name); !option.empty())
    return no_release + (option == "-" ? "" : ": `" + option + "` is an option");
  if (!image.makers) return {};
  const std::optional<Version> release = Version::parse(image.release);
  // What came after the list was made is no slip.
  const bool known = release && !(*Version::parse(read.newest) < *release);
  const std::string near = did_you_mean(name, read.names);
  return known || (image.floating && !near.empty()) ? no_release + near : std::string();
}

}  // namespace muster
