#include "pipeline/guide_lines.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 7> kGuideEndings{".yaml", ".yml", ".json", ".sbatch", ".slurm", ".sh", ".job"};

/// Whether the words right before the name are about a file that is there: `modify the x.yaml file`.
bool is_presumed(std::string_view lower, std::string_view name) {
  constexpr std::size_t kNear = 20;
  const std::size_t at = lower.find(name);
  if (at == lower.npos) return false;
  const std::string_view before = lower.substr(at - std::min(at, kNear), std::min(at, kNear));
  return std::ranges::any_of(std::array<std::string_view, 4>{"modify ", "edit ", "update ", "change "},
                             [&](std::string_view word) { return contains(before, word); });
}

/// `copy the file x.yaml to the head node`: what is copied is there, what it is copied to is not.
bool is_copied(std::string_view lower, std::string_view name) {
  std::string_view before = lower.substr(0, std::min(lower.find(name), lower.size()));
  while (!before.empty() && std::string_view("`*\"' ").find(before.back()) != std::string_view::npos)
    before.remove_suffix(1);
  return before.ends_with("copy the file") || before.ends_with("copy the script") ||
         before.ends_with("copy the manifest");
}

std::string_view without_prompt(std::string_view command) {
  command = trim(command);
  for (const std::string_view prompt : {"$ ", "% ", "> "}) {
    if (command.starts_with(prompt)) return trim(command.substr(prompt.size()));
  }
  while (!command.empty() && (command.front() == '@' || command.front() == '-')) command.remove_prefix(1);  // of make
  return command;
}

/// The words of a command from its program on: behind `sudo`, `VAR=value` and the like.
std::vector<std::string_view> words_from_program(std::string_view command) {
  constexpr std::array<std::string_view, 4> kBefore{"sudo", "time", "nohup", "exec"};
  std::vector<std::string_view> words = split_blanks(command);
  std::erase(words, "\\");
  const auto first = std::ranges::find_if(words, [&](std::string_view word) {
    const bool sets = word.find('=') != word.npos && !word.starts_with('-') && !word.starts_with('.');
    return !sets && std::ranges::find(kBefore, word) == kBefore.end();
  });
  words.erase(words.begin(), first);
  return words;
}

}  // namespace

std::string_view ending_of_guide_file(std::string_view name) {
  for (const std::string_view ending : kGuideEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

bool is_recipe_file(std::string_view path) {
  constexpr std::array<std::string_view, 4> kRecipeFiles{"makefile", "gnumakefile", "justfile", ".justfile"};
  const std::string name = to_lower(path.substr(path.rfind('/') + 1));
  const bool known = std::ranges::find(kRecipeFiles, name) != kRecipeFiles.end();
  return known || name.ends_with(".mk") || name.ends_with(".just");
}

std::string_view kind_of_guide_file(std::string_view name) {
  const std::string_view ending = ending_of_guide_file(name);
  const bool data = ending == ".yaml" || ending == ".yml" || ending == ".json";
  return ending.empty() || data ? ending : std::string_view(".sh");
}

bool stands_for_some_file(std::string_view name) {
  constexpr std::array<std::string_view, 22> kUsual{"app",        "cluster", "config", "configmap", "daemonset", "demo",
                                                    "deployment", "example", "file",   "job",       "manifest",  "name",
                                                    "pod",        "script",  "secret", "service",   "submit",    "test",
                                                    "train",      "run",     "values", "workload"};
  const std::string lower = to_lower(name);
  const std::string_view stem = std::string_view(lower).substr(0, lower.find('.'));
  if (contains(stem, "secret") || contains(stem, "credential") || contains(stem, "values")) return true;
  for (const std::string_view word : {"my", "your", "some", "foo", "xxx", "path", "new", "custom"}) {
    if (stem.starts_with(word)) return true;
  }
  return std::ranges::find(kUsual, stem) != kUsual.end();
}

bool is_plain_path(std::string_view word) {
  return !word.empty() && word.front() != '/' && word.front() != '-' && word.front() != '~' &&
         word.find_first_of("$*{}[]?\"'\\=<>|;&`():,") == word.npos && !contains(word, "...");
}

bool takes_file(std::string_view line, std::size_t at) {
  constexpr std::array<std::string_view, 4> kVerbs{" apply", " create", " delete", " replace"};
  const std::string_view before = line.substr(0, at);
  const std::string_view near = trim(before.substr(at - std::min<std::size_t>(at, 40)));
  if (near.ends_with("--cluster-configuration")) return true;
  if (near.ends_with("ansible-playbook")) {  // but for one of a collection: `namespace.collection.playbook`
    const std::string_view word = line.substr(at, line.find_first_of(" \t", at) - at);
    return contains(word, "/") || std::ranges::count(word, '.') < 2;
  }
  if (near.ends_with("envsubst <")) return true;
  const bool named = near.ends_with(" -f") || near.ends_with(" --filename") || before.ends_with("--filename=");
  const bool values = near.ends_with(" --values") || before.ends_with("--values=");
  if (!named && !values) return false;
  if (contains(before, "helm ")) return true;
  if (named && (contains(before, "docker compose ") || contains(before, "docker-compose "))) return true;
  return named && (contains(before, "kubectl ") || contains(before, "oc ")) &&
         std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(before, verb); });
}

bool hands_over(std::string_view line) {
  constexpr std::array<std::string_view, 10> kPrograms{
      "kubectl ",   "sbatch ",           "oc apply",      "oc create",     "oc delete",
      "envsubst <", "ansible-playbook ", "helm upgrade ", "helm install ", "docker compose "};
  return contains(line, "--cluster-configuration") || contains(line, "docker-compose ") ||
         std::ranges::any_of(kPrograms, [&](std::string_view one) { return contains(line, one); });
}

std::vector<std::string_view> guide_commands(std::string_view line) {
  std::vector<std::string_view> out;
  char quote = 0;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    const std::string_view command = without_prompt(line.substr(begin, end - begin));
    if (!command.empty()) out.push_back(command);
  };
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != 0 || c == '"' || c == '\'') {
      if (quote == 0 || c == quote) quote = quote == 0 ? c : '\0';
      continue;
    }
    if (c == '#' && (at == 0 || is_white(line[at - 1]))) {
      take(at);
      return out;
    }
    const bool two = line.substr(at, 2) == "&&" || line.substr(at, 2) == "||";
    if (!two && c != ';') continue;
    take(at);
    if (two) ++at;
    begin = at + 1;
  }
  take(line.size());
  return out;
}

bool brings_files(std::string_view command) {
  constexpr std::array<std::string_view, 6> kBring{"git clone", "wget ", "curl ", "unzip ", "tar x", "<<"};
  return std::ranges::any_of(kBring, [&](std::string_view one) { return contains(command, one); });
}

std::optional<std::string_view> folder_moved_to(std::string_view command) {
  const bool within = command.starts_with('(') || command.starts_with('{');  // where that ends is not read
  const std::vector<std::string_view> words = split_blanks(within ? command.substr(1) : command);
  if (words.empty() || (words[0] != "cd" && words[0] != "pushd")) return std::nullopt;
  if (within || words.size() != 2) return "~";
  std::string_view folder = words[1];
  while (!folder.empty() && (folder.front() == '"' || folder.front() == '\'')) folder.remove_prefix(1);
  while (!folder.empty() && (folder.back() == '"' || folder.back() == '\'' || folder.back() == '/'))
    folder.remove_suffix(1);
  return folder.empty() ? "/" : folder;
}

std::string_view script_that_runs(std::string_view command) {
  const std::vector<std::string_view> words = words_from_program(command);
  std::string_view script;
  if (words.empty()) return script;
  if (words[0].starts_with("./")) script = words[0];
  for (std::size_t w = 1; w < words.size() && script.empty(); ++w) {
    const bool option = words[w].starts_with('-');
    if (words[0] == "srun") {
      if (words[w].starts_with("./")) script = words[w];
    } else if (words[0] != "bash" && words[0] != "sh") {
      return script;
    } else if (option && !words[w].starts_with("--") && contains(words[w], "c")) {
      return script;
    } else if (!option) {
      script = words[w];
    }
  }
  return is_plain_path(script) && kind_of_guide_file(script) == ".sh" ? script : std::string_view();
}

std::string_view program_that_runs(std::string_view command) {
  constexpr std::array<std::string_view, 7> kProgramStarters{"python", "python3",    "torchrun", "deepspeed",
                                                             "mpirun", "accelerate", "srun"};
  const std::vector<std::string_view> words = words_from_program(command);
  if (words.empty() || std::ranges::find(kProgramStarters, words[0]) == kProgramStarters.end()) return {};
  for (std::size_t w = 1; w < words.size(); ++w) {
    if (!words[w].ends_with(".py")) continue;
    const bool of_option = words[w - 1].starts_with('-') && !contains(words[w - 1], "=");
    return is_plain_path(words[w]) && !of_option ? words[w] : std::string_view();
  }
  return {};
}

bool uses_file(std::string_view command, std::string_view name) {
  if (hands_over(command)) return true;
  return std::ranges::any_of(guide_commands(command), [&](std::string_view one) {
    return one.starts_with("chmod ") || script_that_runs(one).ends_with(name) || program_that_runs(one).ends_with(name);
  });
}

bool may_tell_how(std::string_view line, std::string_view name) {
  constexpr std::array<std::string_view, 7> kBrings{"copy", "cp ", "download", "generat", "mv ", "render", "sav"};
  constexpr std::array<std::string_view, 11> kMakes{"add",  "build",  "call",   "creat", "export", "make",
                                                    "name", "output", "produc", "put",   "writ"};
  const std::string lower = to_lower(line);
  const std::string_view behind = std::string_view(lower).substr(lower.starts_with('>') ? 1 : 0);  // a quotation
  const auto has = [&](std::string_view word) { return contains(lower, word); };
  const bool copied = is_copied(lower, to_lower(name));
  const auto brings = [&](std::string_view word) { return has(word) && !(copied && word == "copy"); };
  if (contains(behind, ">") || std::ranges::any_of(kBrings, brings)) return true;
  if (copied || is_presumed(lower, to_lower(name))) return false;
  const bool link = has("](");
  return std::ranges::any_of(kMakes, [&](std::string_view word) { return has(word) && !(link && word == "name"); });
}

bool is_of_other_repository(std::string_view before) {
  before = trim(before);
  before = trim(before.substr(0, std::min(before.rfind('\n'), before.size())));  // the fence
  const std::size_t line = before.rfind('\n');
  if (line != before.npos) before.remove_prefix(line + 1);
  return contains(before, "](http") && contains(before, "repository");
}

bool is_folder_of_script(std::string_view value) {
  if (value.size() > 200) return false;
  std::string bare(value.substr(0, value.find(" #")));
  for (const std::string_view part :
       {"\"", "'", ">/dev/null", "> /dev/null", "2>&1", "&", " --", " -P", " -f", " -e", " "})
    bare = replace_all(std::move(bare), part, "");
  for (const std::string_view own : {"$0", "${0}", "$BASH_SOURCE", "${BASH_SOURCE}", "${BASH_SOURCE[0]}"}) {
    for (const std::string_view real : {"", "$(realpath", "$(readlink"}) {
      const std::string folder = "$(dirname" + std::string(real) + std::string(own) + (real.empty() ? ")" : "))");
      if (bare == folder || bare == "$(cd" + folder + "pwd)" || bare == "$(cd" + folder + ";pwd)") return true;
    }
  }
  return false;
}

}  // namespace muster
