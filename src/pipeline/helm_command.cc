#include "pipeline/helm_command.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostCommand = 4000;  // characters
constexpr std::size_t kMostBeforeVerb = 4;  // words
constexpr std::array<std::string_view, 4> kVerbs{"install", "upgrade", "template", "lint"};

/// Options whose next word is their value. Source: helm/helm:pkg/cmd/install.go, upgrade.go, template.go, flags.go and
/// pkg/cli/environment.go (3.19, 4.0).
// clang-format off
constexpr std::array<std::string_view, 47> kTakesWord{
    "-n", "--namespace", "--set", "--set-string", "--set-file", "--set-json", "--set-literal", "--version",
    "--timeout", "--repo", "--description", "--post-renderer", "--post-renderer-args", "--output", "-o",
    "--output-dir", "--name-template", "--history-max", "--labels", "-l", "--show-only", "-s", "--api-versions",
    "-a", "--kube-version", "--ca-file", "--cert-file", "--key-file", "--keyring", "--username", "--password",
    "--kube-apiserver", "--kube-as-user", "--kube-as-group", "--kube-ca-file", "--kube-context",
    "--kube-tls-server-name", "--kube-token", "--kubeconfig", "--burst-limit", "--qps", "--registry-config",
    "--repository-cache", "--repository-config", "--content-cache", "--color", "--colour"};
// clang-format on

std::string command_text(std::string_view text, std::size_t at) {
  std::string out;
  while (at < text.size() && out.size() < kMostCommand) {
    const std::string_view rest = text.substr(at, kMostCommand);
    const std::size_t end = at + std::min(rest.find('\n'), rest.size());
    std::string_view line = trim(text.substr(at, end - at));
    const bool more = line.ends_with('\\');
    if (more) line.remove_suffix(1);
    out += std::string(line) + " ";
    if (!more) break;
    at = end + 1;
  }
  return out;
}

/// The words of a command without their quotes, up to what ends it. A quote that nothing closes, a backquote or a comma
/// behind a word belongs to the text around.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  std::string word;
  bool begun = false;
  int open = 0;  // of $( )
  const auto end_word = [&] {
    while (word.ends_with(',') || word.ends_with('\'') || word.ends_with('"')) word.pop_back();
    if (begun && !word.empty()) out.push_back(word);
    word.clear();
    begun = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' || c == '\'') {
      const std::size_t close = line.find(c, i + 1);
      const bool whole = close != line.npos && (begun || close > i + 1);
      if (whole) word += line.substr(i + 1, close - i - 1);
      if (whole) i = close;
      begun = begun || whole;
    } else if (c == '`' || c == ';' || c == '|' || (c == ')' && open == 0) || (c == '#' && !begun)) {
      break;
    } else if (c == '&' || (c == '>' && !contains(word, "<"))) {
      if (!word.empty() && std::ranges::all_of(word, is_digit)) begun = false;  // 2>&1
      break;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (open == 0) end_word();
      if (open > 0) word += c;
    } else {
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      word += c;
      begun = true;
    }
  }
  end_word();
  return out;
}

}  // namespace

std::optional<HelmCommand> helm_command_at(std::string_view text, std::size_t at) {
  const std::vector<std::string> words = words_of(command_text(text, at));
  std::size_t w = 0;
  while (w < words.size() && w <= kMostBeforeVerb && std::ranges::find(kVerbs, words[w]) == kVerbs.end()) ++w;
  if (w == words.size() || w > kMostBeforeVerb) return std::nullopt;
  HelmCommand out;
  out.verb = words[w];
  out.installs = out.verb == "install";
  const auto add_values = [&](std::string_view list) {
    for (const std::string_view one : split(list, ',')) {
      if (!one.empty()) out.values.emplace_back(one);
    }
  };
  for (++w; w < words.size(); ++w) {
    const std::string_view word = words[w];
    if (word == "-f" || word == "--values") {
      if (++w < words.size()) add_values(words[w]);
    } else if (word.starts_with("--values=") || word.starts_with("-f=")) {
      add_values(word.substr(word.find('=') + 1));
    } else if (word.starts_with('-')) {
      out.names_repository = out.names_repository || word == "--repo" || word.starts_with("--repo=");
      out.installs = out.installs || word == "--install" || word == "-i" || word == "--install=true";
      if (std::ranges::find(kTakesWord, word) != kTakesWord.end()) ++w;
    } else {
      out.arguments.emplace_back(word);
    }
  }
  return out;
}

}  // namespace muster
