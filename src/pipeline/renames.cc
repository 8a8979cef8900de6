#include "pipeline/renames.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/strings.h"

namespace muster {
namespace {

/// As `git diff --find-renames` has it. Source: git/git:Documentation/diff-options.adoc (2.45).
constexpr double kLeastAlike = 0.5;
/// A line that more files have tells nothing about where one of them went, and keeps the work linear.
constexpr std::size_t kMostHolders = 50;

std::string name_of_file(const NamedInputs& side, std::size_t i) {
  return side.name(side.inputs.files[i].context.path);
}

/// Files that the other side does not have, by number.
std::vector<std::size_t> only_in(const NamedInputs& side, const NamedInputs& other) {
  std::set<std::string> there;
  for (std::size_t i = 0; i < other.inputs.files.size(); ++i) there.insert(name_of_file(other, i));
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < side.inputs.files.size(); ++i) {
    if (!there.contains(name_of_file(side, i))) out.push_back(i);
  }
  return out;
}

std::string_view text_in(const NamedInputs& side, std::size_t i) {
  return side.inputs.sources.file(static_cast<FileId>(i)).text();
}

std::set<std::uint64_t> line_hashes(std::string_view text) {
  std::set<std::uint64_t> out;
  for (const std::string_view line : split(text, '\n')) {
    if (!trim(line).empty()) out.insert(fnv1a(trim(line)));
  }
  return out;
}

class Renames {
 public:
  Renames(const NamedInputs& earlier, const NamedInputs& later)
      : earlier_(earlier), later_(later), gone_(only_in(earlier, later)), fresh_(only_in(later, earlier)) {}

  std::map<std::string, std::string> run() {
    if (gone_.empty() || fresh_.empty()) return {};
    match_texts();
    match_lines();
    return std::move(out_);
  }

 private:
  void take(std::size_t gone, std::size_t fresh) {
    out_[name_of_file(earlier_, gone)] = name_of_file(later_, fresh);
    taken_.insert(fresh);
  }
  bool is_open(std::size_t gone) const { return !out_.contains(name_of_file(earlier_, gone)); }

  void match_texts() {
    std::map<std::string_view, std::vector<std::size_t>> by_text;
    for (auto it = fresh_.rbegin(); it != fresh_.rend(); ++it) by_text[text_in(later_, *it)].push_back(*it);
    for (const std::size_t gone : gone_) {
      const auto found = by_text.find(text_in(earlier_, gone));
      if (found == by_text.end() || found->second.empty()) continue;
      take(gone, found->second.back());
      found->second.pop_back();
    }
  }

  void match_lines() {
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> holders;
    std::map<std::size_t, std::size_t> sizes;
    for (const std::size_t gone : gone_) {
      if (!is_open(gone)) continue;
      const std::set<std::uint64_t> lines = line_hashes(text_in(earlier_, gone));
      sizes[gone] = lines.size();
      for (const std::uint64_t line : lines) holders[line].push_back(gone);
    }
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;  // the most alike first
    for (const std::size_t fresh : fresh_) {
      if (taken_.contains(fresh) || sizes.empty()) continue;
      const std::set<std::uint64_t> lines = line_hashes(text_in(later_, fresh));
      std::map<std::size_t, std::size_t> shared;
      for (const std::uint64_t line : lines) {
        const auto found = holders.find(line);
        if (found == holders.end() || found->second.size() > kMostHolders) continue;
        for (const std::size_t gone : found->second) ++shared[gone];
      }
      for (const auto& [gone, count] : shared) {
        const double share = 2.0 * static_cast<double>(count) / static_cast<double>(lines.size() + sizes[gone]);
        if (share >= kLeastAlike) pairs.emplace_back(-share, gone, fresh);
      }
    }
    std::ranges::sort(pairs);
    for (const auto& [share, gone, fresh] : pairs) {
      if (is_open(gone) && !taken_.contains(fresh)) take(gone, fresh);
    }
  }

  const NamedInputs& earlier_;
  const NamedInputs& later_;
  std::vector<std::size_t> gone_;
  std::vector<std::size_t> fresh_;
  std::set<std::size_t> taken_;  ///< of the later ones
  std::map<std::string, std::string> out_;
};

}  // namespace

PlaceName names_in_later(const NamedInputs& earlier, const NamedInputs& later) {
  std::map<std::string, std::string> renames = Renames(earlier, later).run();
  std::set<std::string> folders;
  for (const InputFile& file : later.inputs.files) folders.insert(later.name(file.context.folder));
  std::map<std::string, std::string> moved;
  for (const auto& [from, to] : renames) {
    const std::string folder(folder_of(from));
    if (!folders.contains(folder)) moved.emplace(folder, folder_of(to));
  }
  renames.insert(moved.begin(), moved.end());
  return [renames = std::move(renames), name = earlier.name](const std::string& shown) {
    std::string called = name(shown);
    const auto found = renames.find(called);
    return found == renames.end() ? called : found->second;
  };
}

}  // namespace muster
