#include "slurm/split_lists.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/here_documents.h"

namespace muster::sbatch {
namespace {

struct ListOption {
  std::string_view name;
  bool of_images = false;  ///< of apptainer and singularity; else of srun with pyxis
};

constexpr std::array<ListOption, 3> kListOptions{{
    {"--container-mounts", false},
    {"--bind", true},
    {"-B", true},
}};

constexpr std::string_view kWordEnds = " \t\n\"'`;|&<>()";

/// Where the command begins that the place is in: in its line, or in the one above where that goes on with `\`.
std::size_t command_begin(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostBack = 2000;
  const std::size_t least = at - std::min(at, kMostBack);
  for (;;) {
    const std::size_t end = text.substr(least, at - least).rfind('\n');
    if (end == text.npos) return least;
    at = least + end;
    if (at == least || text[at - 1] != '\\') return at + 1;
  }
}

bool runs_image(std::string_view before, bool of_images) {
  constexpr std::array<std::string_view, 12> kMessages{"echo", "printf", "print", "log",   "die",    "fail",
                                                       "warn", "error",  "info",  "usage", "usage:", "example:"};
  if (before.starts_with('#') || contains(before, " #")) return false;
  const std::vector<std::string_view> words = split_blanks(before);
  // Also behind `&&`: whatever prints.
  const auto prints = [&](std::string_view word) { return is_one_of(std::string_view(to_lower(word)), kMessages); };
  if (words.empty() || std::ranges::any_of(words, prints)) return false;
  return std::ranges::any_of(words, [&](std::string_view word) {
    const std::size_t begin = word.find_last_of("=\"'(");
    const std::string_view name = program_name(begin == word.npos ? word : word.substr(begin + 1));
    return of_images ? name == "apptainer" || name == "singularity" : name == "srun" || name == "salloc";
  });
}

/// Where the word begins that was to be part of the list behind `at`; npos: none.
std::size_t cut_off(std::string_view text, std::size_t at) {
  constexpr std::string_view kPaths = "/$~.";
  if (at >= text.size() || kPaths.find(text[at]) == kPaths.npos) return text.npos;
  const std::size_t end = text.find_first_of(kWordEnds, at);
  if (end == text.npos || text[end - 1] != ',' || (text[end] != ' ' && text[end] != '\t')) return text.npos;
  const std::size_t next = text.find_first_not_of(" \t", end);
  return next == text.npos || kPaths.find(text[next]) == kPaths.npos ? text.npos : next;
}

/// Here-documents that `cat` prints: help for people. In their order.
std::vector<std::pair<std::size_t, std::size_t>> printed_parts(std::string_view text) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  if (!contains(text, "cat <<")) return out;
  const std::vector<TextLine> lines = lines_of(text);
  HereDocuments documents(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<HereDocument> found = documents.at(i);
    if (!found || found->end >= lines.size()) continue;
    const bool printed = trim(lines[i].text).starts_with("cat <<") && !contains(lines[i].text, ">");
    if (printed) out.emplace_back(lines[found->first].begin, lines[found->end].begin);
    i = found->end;
  }
  return out;
}

}  // namespace

void find_split_lists(FileId file, std::string_view text, std::vector<Finding>& findings) {
  constexpr int kMostLists = 20;
  int reported = 0;
  const std::vector<std::pair<std::size_t, std::size_t>> printed = printed_parts(text);
  const auto is_printed = [&](std::size_t at) {
    const auto behind = std::ranges::upper_bound(printed, at, {}, &std::pair<std::size_t, std::size_t>::first);
    return behind != printed.begin() && at < std::prev(behind)->second;
  };
  for (const ListOption& option : kListOptions) {
    for (std::size_t at = text.find(option.name); at != text.npos; at = text.find(option.name, at + 1)) {
      const std::size_t sign = at + option.name.size();
      if (at == 0 || sign >= text.size() || (text[at - 1] != ' ' && text[at - 1] != '\t')) continue;
      if (text[sign] != '=' && text[sign] != ' ') continue;
      const std::size_t next = cut_off(text, text.find_first_not_of(" =", sign));
      if (next == text.npos || reported >= kMostLists || is_printed(next)) continue;
      const std::size_t begin = command_begin(text, at);
      if (!runs_image(trim(text.substr(begin, at - begin)), option.of_images)) continue;
      const std::size_t end = std::min(text.find_first_of(kWordEnds, next), text.size());
      const std::string_view word = text.substr(next, end - next);
      findings.push_back(
          problem("sbatch-mounts-with-blank", {file, static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(end)},
                  "the list of " + std::string(option.name) + " ends at the blank: `" + std::string(word) +
                      "` is taken for the " + (option.of_images ? "image" : "program")));
      ++reported;
    }
  }
}

}  // namespace muster::sbatch
