// Variables that a batch script reads under one name and sets under another.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "slurm/launches.h"
#include "syntax/setting_put_aside.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kMostOwnNames = 400;  // read and set, compared with each other

/// Files whose variables are those of a shell, of modules or of Python, and none that a job names.
constexpr std::array<std::string_view, 8> kEnvironments{"activate", ".bashrc", ".bash_profile", ".profile",
                                                        "conda.sh", "profile", "modules.sh",    "lmod.sh"};
/// Commands whose words are variables that they set or declare.
constexpr std::array<std::string_view, 14> kSetters{"for",     "select",  "read",  "mapfile", "readarray",
                                                    "getopts", "unset",   "let",   "printf",  "export",
                                                    "declare", "typeset", "local", "readonly"};

/// What a shell, a login, Slurm or a site sets: a script reads them without a word. Sources: the manual of bash 5.2
/// (Shell Variables); POSIX.1-2017, XBD 8; slurm.schedmd.com/srun.html (TMPDIR, CUDA_VISIBLE_DEVICES); names of scratch
/// folders at NERSC, TACC, the Alliance and LRZ.
constexpr std::array<std::string_view, 50> kGiven{
    "BASHPID",  "BASH_SOURCE",   "COLUMNS",      "CUDA_HOME",  "CUDA_PATH",  "CUDA_VISIBLE_DEVICES",
    "DISPLAY",  "EDITOR",        "EPOCHSECONDS", "EUID",       "FUNCNAME",   "GID",
    "HISTFILE", "HOME",          "HOST",         "HOSTNAME",   "HOSTTYPE",   "IFS",
    "LANG",     "LANGUAGE",      "LC_ALL",       "LD_PRELOAD", "LINENO",     "LINES",
    "LOGNAME",  "MACHTYPE",      "MAIL",         "MANPATH",    "MODULEPATH", "OLDPWD",
    "OPTARG",   "OPTIND",        "OSTYPE",       "PATH",       "PIPESTATUS", "PPID",
    "PROJECT",  "PWD",           "PYTHONPATH",   "RANDOM",     "SCRATCH",    "SECONDS",
    "SHELL",    "SHLVL",         "TERM",         "TMPDIR",     "UID",        "USER",
    "WORK",     "XDG_CACHE_HOME"};

/// All words of the one are words of the other, in their order: PER_DEVICE_BATCH_SIZE, PER_DEVICE_TRAIN_BATCH_SIZE.
bool leaves_words_out(std::string_view shorter, std::string_view longer) {
  const std::vector<std::string_view> few = split(shorter, '_');
  const std::vector<std::string_view> many = split(longer, '_');
  if (few.size() < 3 || many.size() <= few.size()) return false;
  std::size_t next = 0;
  for (const std::string_view word : many) next += next < few.size() && few[next] == word ? 1 : 0;
  return next == few.size();
}

bool is_slip(std::string_view read, std::string_view set, bool strict) {
  // Variables of the environment are in capitals; $USER beside user= is no slip.
  const bool small = std::ranges::any_of(read, [](char c) { return c >= 'a' && c <= 'z'; });
  const bool long_name = read.size() >= 6 && contains(read, "_");
  if ((small || long_name) && to_lower(read) == to_lower(set)) return true;
  // NNODE beside NNODES.
  constexpr std::size_t kShortPlural = 5;
  if (read.size() >= kShortPlural && (set == std::string(read) + "S" || set == std::string(read) + "s")) return true;
  // Without set -u an empty variable may be meant.
  if (!strict) return false;
  return leaves_words_out(read, set) || (read.size() >= 6 && edit_distance(read, set, 2) == 1);
}

/// A name that scripts give to what is theirs; those of the environment are in capitals.
bool is_own_name(std::string_view name) {
  constexpr std::size_t kShortest = 4;
  return name.size() >= kShortest &&
         std::ranges::all_of(name, [](char c) { return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z'); });
}

/// Whether it takes variables from somewhere that nothing here shows.
bool reads_outside(const BatchCommand& command) {
  const std::string& name = command.words.front().text;
  return name == "eval" || ((name == "source" || name == ".") && !sources_environment(command));
}

/// Whether a `$((` or `((` of the line is open.
bool is_within(std::string_view before, std::string_view begin) {
  constexpr std::size_t kNear = 400;  // characters
  before = before.substr(before.size() - std::min(before.size(), kNear));
  before = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const std::size_t open = before.rfind(begin);
  return open != before.npos && before.find("))", open) == before.npos;
}

/// `for ((line = 1; line <= last; line += 2))`: within brackets the sign may have blanks around it.
bool is_set_in_sum(std::string_view before, std::string_view behind) {
  const std::size_t sign = behind.find_first_not_of(" \t");
  if (sign == 0 || sign == behind.npos) return false;
  const std::string_view rest = behind.substr(sign);
  const bool sets = (rest.starts_with('=') && !rest.starts_with("==")) || rest.starts_with("+=");
  return sets && is_within(before, "((");
}

/// Names of variables as a text has them, whatever a shell makes of them.
struct NamesInText {
  std::set<std::string_view> set;    ///< before =, += or ++, or with an index
  std::set<std::string_view> read;   ///< behind $ or ${, and in a sum
  std::set<std::string_view> aside;  ///< set in a comment that is nothing else

  explicit NamesInText(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      if (!is_word_char(text[begin])) continue;
      std::size_t end = begin;
      while (end < text.size() && is_word_char(text[end])) ++end;
      const std::string_view name = text.substr(begin, end - begin);
      const std::string_view before = text.substr(0, begin);
      const std::string_view behind = text.substr(end, 2);
      const bool in_sum = is_set_in_sum(before, text.substr(end, 4));
      if (is_put_aside(text, begin, name)) {
        aside.insert(name);
      } else if (behind.starts_with('=') || behind.starts_with('[') || behind == "+=" || behind == "++" || in_sum) {
        set.insert(name);
      }
      if (before.ends_with('$') || before.ends_with("${") || is_within(before, "$((")) read.insert(name);
      begin = end;
    }
  }

 private:
  static bool is_put_aside(std::string_view text, std::size_t begin, std::string_view name) {
    if (text.substr(begin + name.size(), 1) != "=" || begin == 0) return false;
    std::size_t line = begin;
    while (line > 0 && (text[line - 1] == '#' || text[line - 1] == ' ' || text[line - 1] == '\t')) --line;
    if (line == begin || (line > 0 && text[line - 1] != '\n')) return false;
    return setting_put_aside(text.substr(line, text.find('\n', begin) - line)) == name;
  }
};

/// NAME=${name} takes over what the caller gives.
bool takes_over(const ScriptSetting& set, const std::string& name) {
  return contains(set.value.text,
                  "\x01"
                  "b" +
                      name + "\x02") ||
         contains(set.value.text,
                  "\x01"
                  "t" +
                      name + "\x02");
}

}  // namespace

bool is_given_to_all(std::string_view name) { return is_one_of(name, kGiven); }

bool sources_environment(const BatchCommand& command) {
  return command.words.size() > 1 && is_one_of(program_name(command.words[1].text), kEnvironments);
}

std::vector<std::string> own_names_in_sum(const ShellPart& part) {
  const auto is_part = [](char c) { return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; };
  std::vector<std::string> out;
  if (part.kind != ShellPart::Kind::Arithmetic) return out;
  const std::string_view text = part.text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_part(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    const bool within = at > 0 && (text[at - 1] == '{' || (text[at - 1] >= 'a' && text[at - 1] <= 'z'));
    if (!within && !is_digit(name[0]) && name.size() >= 3 && !name.starts_with("SLURM")) out.emplace_back(name);
    at = end;
  }
  return out;
}

void find_own_misspelt(const BatchBody& body, std::string_view text, BatchScript& out) {
  if (!body.complete) return;
  std::set<std::string, std::less<>> filled(body.exported.begin(), body.exported.end());
  for (const BatchCommand& command : body.commands) {
    if (command.words.empty()) continue;
    const std::string& name = command.words.front().text;
    if (reads_outside(command)) return;
    if (!is_one_of(name, kSetters)) continue;
    for (const ShellValue& word : command.words) filled.insert(word.text);
  }
  std::map<std::string_view, const ScriptRead*> reads;
  std::set<std::string_view> guarded;
  for (const ScriptRead& read : body.reads) {
    if (read.guarded) guarded.insert(read.name);
    const bool own = read.via == StartedBy::Shell && !read.name.starts_with("SLURM") && read.name.size() >= 3 &&
                     !to_lower(read.name).ends_with("proxy") && !is_given_to_all(read.name) &&
                     (!read.printed || body.strict);
    if (own && reads.size() < kMostOwnNames) reads.try_emplace(read.name, &read);
  }
  std::map<std::string_view, const ScriptSetting*> settings;
  for (const ScriptSetting& set : body.settings) {
    if (!set.prefix && settings.size() < kMostOwnNames) settings.try_emplace(set.name, &set);
  }
  if (reads.empty() || settings.empty()) return;
  const NamesInText written(text);
  for (const auto& [name, read] : reads) {
    const std::string word(name);
    // Whatever the shell reader makes of it: where it is set in some way, it is set. In a called script it may be.
    const bool set_somehow = settings.contains(name) || filled.contains(name) || written.set.contains(name);
    if (set_somehow || !written.read.contains(name) || guarded.contains(name)) continue;
    const bool aside = written.aside.contains(name);
    const std::size_t before = out.reads.size();
    for (const auto& [other, set] : settings) {
      if (!is_slip(name, other, body.strict) || takes_over(*set, word) || aside) continue;
      BatchRead slip;
      slip.name = word;
      slip.meant = other;
      slip.known = false;
      slip.strict = body.strict;
      slip.by = body.self_starting ? StartedBy::Other : read->via;
      slip.where = read->where;
      out.reads.push_back(std::move(slip));
      break;
    }
    // What the script once set itself nobody gives to it.
    const bool given = std::ranges::any_of(settings, [&](const auto& one) {
      return aside ? one.second->value.mark() == word : takes_over(*one.second, word);
    });
    if (out.reads.size() > before || !is_own_name(name) || body.self_starting || given) continue;
    BatchRead lost;
    lost.name = word;
    lost.unset = true;
    lost.strict = body.strict;
    lost.by = read->via;
    lost.where = read->where;
    out.reads.push_back(std::move(lost));
  }
}

}  // namespace muster::sbatch
