#include "slurm/own_path.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kLongestShown = 200;

/// HERE=$(dirname "$0"), and where that is not it, HERE=/else.
bool is_tried(Span own, const BatchBody& body) {
  const auto set = std::ranges::find_if(body.settings, [&](const ScriptSetting& one) {
    return one.where.begin <= own.begin && own.end <= one.where.end;
  });
  return set != body.settings.end() && std::any_of(set + 1, body.settings.end(), [&](const ScriptSetting& other) {
           return other.branch && other.name == set->name;
         });
}

/// Whether a line has the words and does more than show them to somebody.
bool works_with(std::string_view text, std::string_view words) {
  constexpr int kMostMentions = 1000;
  int looked = 0;
  for (std::size_t at = text.find(words); at != text.npos;) {
    if (++looked > kMostMentions) return true;
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    const std::string_view before = trim(text.substr(begin, at - begin));
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view behind = text.substr(at, end - at);
    const bool shows = before.starts_with("echo ") || before.starts_with("printf ");
    if (!shows || contains(before, "$(") || contains(before, "`") || contains(behind, "$(") ||
        behind.find_first_of("|>;&") != behind.npos)
      return true;
    at = text.find(words, end);
  }
  return false;
}

/// Whether the script goes to a folder by its own path, come what may, before it first speaks of where it was
/// submitted: `cd "$HERE/.."`.
bool goes_there(const BatchBody& body, std::string_view text, const Span& own) {
  std::size_t submitted = text.size();
  for (std::size_t at = text.find("SLURM_SUBMIT_DIR"); at != text.npos; at = text.find("SLURM_SUBMIT_DIR", at + 1)) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    if (trim(text.substr(begin, at - begin)).starts_with('#')) continue;
    submitted = begin;
    break;
  }
  std::vector<std::string> names;
  const auto reads = [&](const Span& where) {
    const std::string_view words = text.substr(where.begin, where.end - where.begin);
    return std::ranges::any_of(names, [&](const std::string& name) {
      return contains(words, "$" + name) || contains(words, "${" + name + "}");
    });
  };
  for (const ScriptSetting& one : body.settings) {
    if (one.branch || one.where.file != own.file || one.where.end > submitted) continue;
    if ((one.where.begin <= own.begin && own.end <= one.where.end) || reads(one.where)) names.push_back(one.name);
  }
  return std::ranges::any_of(body.commands, [&](const BatchCommand& command) {
    return !command.words.empty() && command.words[0].text == "cd" && command.via == Via::Shell && !command.branch &&
           !command.loop && !command.function && command.where.file == own.file && command.where.begin > own.end &&
           command.where.end <= submitted && reads(command.where);
  });
}

}  // namespace

Located<std::string> own_path(const BatchBody& body, std::string_view text) {
  for (const std::string_view other : {"scontrol show job", "sbatch \"$0\"", "sbatch $0"}) {
    if (works_with(text, other)) return {};
  }
  const auto own = std::ranges::find_if_not(body.own_paths, [&](Span one) { return is_tried(one, body); });
  if (own == body.own_paths.end()) return {};
  if (works_with(text, "SLURM_SUBMIT_DIR") && !goes_there(body, text, *own)) return {};
  return set_to(std::string(text.substr(own->begin, std::min<std::size_t>(own->end - own->begin, kLongestShown))), *own,
                "own_path");
}

}  // namespace muster::sbatch
