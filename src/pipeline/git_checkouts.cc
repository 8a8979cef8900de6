#include "pipeline/git_checkouts.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/shell_texts.h"

namespace muster {
namespace {

constexpr std::string_view kCheckout = "git checkout -b ";
constexpr std::string_view kClone = "git clone ";
constexpr std::size_t kMostCheckouts = 10;  // of one file
constexpr std::size_t kBetween = 1000;      // a clone and its checkout
constexpr std::size_t kLongestBranch = 200;

/// `${NCCL_VERSION}`, `$TAG`, `v2.12.7-1`.
bool names_release(std::string_view word) {
  if (word.starts_with('$')) {
    const std::string name = to_lower(word);
    return contains(name, "version") || contains(name, "tag") || contains(name, "release");
  }
  if (word.starts_with('v')) word.remove_prefix(1);
  return !word.empty() && is_digit(word.front()) && contains(word, ".") &&
         word.find_first_not_of("0123456789.-rcabeta") == word.npos;
}

/// The only word behind `-b`; empty: there are several.
std::string_view branch_in(std::string_view behind) {
  behind = trim(behind.substr(0, behind.find_first_of("&;|\n\\#)")));
  if (behind.size() > 1 && (behind.front() == '"' || behind.front() == '\'') && behind.back() == behind.front())
    behind = behind.substr(1, behind.size() - 2);
  return behind.find_first_of(" \t\"'") == behind.npos ? behind : std::string_view();
}

/// Whether the whole of the default branch was cloned right before, and nothing moved since.
bool follows_clone(std::string_view before) {
  constexpr std::array<std::string_view, 6> kMoves{" -b ",      "--branch",  "git reset",
                                                   "git fetch", "git apply", "git checkout"};
  const std::size_t clone = before.rfind(kClone);
  return clone != before.npos &&
         std::ranges::none_of(kMoves, [&](std::string_view move) { return contains(before.substr(clone), move); });
}

}  // namespace

void find_git_checkouts(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, kCheckout) || !contains(text, kClone) || contains(text, "git push")) continue;
    if (!is_dockerfile(inputs.files[i].context.path) && !begins_with_shell(text)) continue;
    std::size_t said = 0;
    for (std::size_t at = text.find(kCheckout); at != text.npos && said < kMostCheckouts;
         at = text.find(kCheckout, at + 1)) {
      const std::string_view branch = branch_in(text.substr(at + kCheckout.size(), kLongestBranch));
      const std::string_view before = text.substr(at - std::min(at, kBetween), std::min(at, kBetween));
      if (!names_release(branch) || contains(before.substr(before.rfind('\n') + 1), "#")) continue;  // npos + 1 is 0
      if (!follows_clone(before)) continue;
      ++said;
      const auto begin = static_cast<std::uint32_t>(branch.data() - text.data());
      const auto end = begin + static_cast<std::uint32_t>(branch.size());
      findings.push_back(problem("checkout-makes-branch", {static_cast<FileId>(i), begin, end},
                                 "`-b` makes a new branch `" + std::string(branch) + "` of what was cloned"));
    }
  }
}

}  // namespace muster
