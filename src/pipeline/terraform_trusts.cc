#include "pipeline/terraform_trusts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kSubject = "system:serviceaccount:";
constexpr std::string_view kRelease = "resource \"helm_release\"";

/// What stands in the braces behind a place, to the one that closes them.
std::string_view braces_behind(std::string_view text, std::size_t at) {
  const std::size_t begin = text.find('{', at);
  if (begin == text.npos) return {};
  int depth = 0;
  for (std::size_t end = begin; end < text.size(); ++end) {
    if (text[end] == '{') ++depth;
    if (text[end] == '}' && --depth == 0) return text.substr(begin + 1, end - begin - 1);
  }
  return {};
}

/// The value of an argument right in a block; empty: it has none.
std::string_view argument(std::string_view block, std::string_view key) {
  int depth = 0;
  for (const std::string_view written : split(block, '\n')) {
    const std::string_view line = trim(written);
    if (depth == 0 && line.starts_with(key) && trim(line.substr(key.size())).starts_with('='))
      return trim(trim(line.substr(key.size())).substr(1));
    for (const char c : line) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
  }
  return {};
}

/// `kube-system` of `"kube-system"`; empty: it is no text that is written out.
std::string_view literal(std::string_view value) {
  value = trim(value.substr(0, value.find(" #")));
  if (value.size() < 3 || value.front() != '"' || value.back() != '"') return {};
  value = value.substr(1, value.size() - 2);
  return value.find_first_of("\"${}*") == value.npos ? value : std::string_view();
}

class TerraformTrusts {
 public:
  TerraformTrusts(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const std::string_view path = inputs.files[i].context.path;
      if (path.ends_with(".tf")) folders_[folder_of(path)].push_back(i);
    }
  }

  void run() {
    for (const auto& [folder, files] : folders_) look_at(folder, files);
  }

 private:
  struct Trust {
    std::size_t file = 0;
    std::string_view space;    ///< where it stands
    std::string_view account;  ///< as written, `${var.name}` too
  };

  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  void look_at(std::string_view folder, const std::vector<std::size_t>& files) {
    std::string_view release;
    std::vector<Trust> trusts;
    for (const std::size_t i : files) {
      const std::string_view all = text(i);
      for (std::size_t at = all.find(kRelease); at != all.npos; at = all.find(kRelease, at + 1)) {
        if (!release.empty()) return;
        release = braces_behind(all, at);
        if (release.empty()) return;
      }
      for (std::size_t at = all.find(kSubject); at != all.npos; at = all.find(kSubject, at + 1)) {
        const std::size_t begin = at + kSubject.size();
        const std::size_t colon = all.find(':', begin);
        const std::size_t end = all.find('"', begin);
        if (colon == all.npos || end == all.npos || colon > end) return;
        trusts.push_back({i, all.substr(begin, colon - begin), all.substr(colon + 1, end - colon - 1)});
      }
    }
    if (release.empty() || trusts.empty()) return;
    const std::string_view trusted = trusts.front().space;
    if (trusted.find_first_of("$*{ ") != trusted.npos) return;
    for (const Trust& trust : trusts) {
      if (trust.space != trusted || !is_of_release(trust, release, folder, files)) return;
    }
    const std::string_view space = value_of(argument(release, "namespace"), folder, files);
    if (space.empty() || space == trusted) return;
    const Trust& first = trusts.front();
    const auto begin = static_cast<std::uint32_t>(first.space.data() - text(first.file).data());
    findings_.push_back(
        problem("terraform-trust-of-other-namespace",
                {static_cast<FileId>(first.file), begin, begin + static_cast<std::uint32_t>(first.space.size())},
                "the role trusts a service account of `" + std::string(trusted) + "`, and the release goes to `" +
                    std::string(space) + "`"));
  }

  /// A text, or the default of a variable that calls of the module leave alone.
  std::string_view value_of(std::string_view value, std::string_view folder,
                            const std::vector<std::size_t>& files) const {
    if (!value.starts_with("var.")) return literal(value);
    const std::string_view name = value.substr(4);
    if (!std::ranges::all_of(name, is_word_char) || is_set_by_calls(folder, name)) return {};
    for (const std::size_t i : files) {
      const std::size_t at = text(i).find("variable \"" + std::string(name) + "\"");
      if (at != std::string_view::npos) return literal(argument(braces_behind(text(i), at), "default"));
    }
    return {};
  }

  /// Also by a file of variables, where nothing calls the module.
  bool is_set_by_calls(std::string_view folder, std::string_view name) const {
    bool called = false;
    const std::string ending = "/" + std::string(last_part(folder)) + "\"";
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view path = inputs_.files[i].context.path;
      if (path.ends_with(".tfvars") && contains(text(i), name)) return true;
      if (!path.ends_with(".tf")) continue;
      const std::string_view all = text(i);
      for (std::size_t at = all.find("module \""); at != all.npos; at = all.find("module \"", at + 1)) {
        const std::string_view block = braces_behind(all, at);
        const std::string_view source = argument(block, "source");
        if (!source.ends_with(ending) && !contains(source, ending.substr(0, ending.size() - 1) + "?")) continue;
        called = true;
        if (!argument(block, name).empty() || contains(block, "for_each")) return true;
      }
    }
    return !called;
  }

  /// Whether the account is that of the release: its chart is told the name, or it is called like the release.
  bool is_of_release(const Trust& trust, std::string_view release, std::string_view folder,
                     const std::vector<std::size_t>& files) const {
    std::string_view account = trust.account;
    if (account.starts_with("${") && account.ends_with('}')) account = account.substr(2, account.size() - 3);
    if (account.empty()) return false;
    const std::string_view known = account.starts_with("var.") ? value_of(account, folder, files) : account;
    if (known == literal(argument(release, "name")) || known == literal(argument(release, "chart")))
      return !known.empty();
    for (const std::size_t i : files) {
      for (const std::string_view line : split(text(i), '\n')) {
        if (contains(line, "serviceAccount.name") && contains(line, account)) return true;
      }
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::map<std::string_view, std::vector<std::size_t>> folders_;
};

}  // namespace

void find_terraform_trusts(const Inputs& inputs, std::vector<Finding>& findings) {
  TerraformTrusts(inputs, findings).run();
}

}  // namespace muster
