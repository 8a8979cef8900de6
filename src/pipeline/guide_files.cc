#include "pipeline/guide_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/paths.h"
#include "base/strings.h"
#include "pipeline/guide_lines.h"
#include "pipeline/input_names.h"
#include "pipeline/reach.h"
#include "syntax/sbatch_reader.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostWords = 200'000;  // of all guides together
constexpr int kMostGuideLines = 50;          // of one command
constexpr std::string_view kBlank = " \t\r\n";

/// Where a command ends that goes on behind lines that end in `\`.
std::size_t end_of_command(std::string_view text, std::size_t at, std::size_t to) {
  for (int lines = 0;; ++lines) {
    const std::size_t end = std::min(text.find('\n', at), to);
    if (end == to || lines == kMostGuideLines || !trim(text.substr(at, end - at)).ends_with('\\')) return end;
    at = end + 1;
  }
}

/// A line of a text and those above that it goes on from.
std::string_view with_lines_above(std::string_view text, std::string_view line) {
  const std::size_t end = static_cast<std::size_t>(line.data() - text.data()) + line.size();
  std::size_t begin = end - line.size();
  for (int lines = 0; begin > 0 && lines < kMostGuideLines; ++lines) {
    const std::size_t above = begin < 2 ? 0 : text.rfind('\n', begin - 2) + 1;  // npos + 1 is 0
    if (!trim(text.substr(above, begin - 1 - above)).ends_with('\\')) break;
    begin = above;
  }
  return text.substr(begin, end - begin);
}

bool ends_with_parts(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool is_below_folder(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size(), 1) == "/";
}

class GuideFiles {
 public:
  GuideFiles(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), reach_(inputs), names_(inputs) {
    for (const InputFile& file : inputs.files) {
      const std::string& path = file.context.path;
      if (const std::string_view kind = kind_of_guide_file(path); !kind.empty())
        neighbours_.emplace(folder_of(path), kind);
    }
  }

  void run() {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (is_guide(i)) each_block(i, [&](std::size_t from, std::size_t to) { note_roots(i, from, to); });
    }
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string& path = inputs_.files[i].context.path;
      if (inputs_.files[i].named) continue;
      cloned_ = false;
      if (is_guide(i)) {
        each_block(i, [&](std::size_t from, std::size_t to) {
          if (!is_of_other_repository(text(i).substr(0, from))) lines(i, from, to);
        });
      } else if (path.ends_with(".sh")) {
        lines(i, 0, text(i).size());
        beside(i);
      } else if (is_recipe_file(path) && !contains(text(i), "working-directory") && !contains(text(i), "[no-cd")) {
        recipes(i);
      }
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// What it gives to sbatch is seen by who reads scripts.
  bool is_script(std::size_t i) const { return inputs_.files[i].context.path.ends_with(".sh"); }

  bool is_guide(std::size_t i) const { return inputs_.files[i].context.path.ends_with(".md"); }

  /// The code blocks of Markdown.
  template <class Take>
  void each_block(std::size_t i, Take take) const {
    const std::string_view all = text(i);
    bool inside = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      if (trim(all.substr(at, end - at)).starts_with("```")) {
        if (inside) take(begin, at);
        inside = !inside;
        begin = end + 1;
      }
      at = end + 1;
    }
  }

  /// What `cd course/day1` and `cd course/day2` begin with where the input has both folders is its own name.
  void note_roots(std::size_t i, std::size_t from, std::size_t to) {
    const std::vector<std::string> around = folders_around(folder_of(inputs_.files[i].context.path));
    for (const std::string_view line : split(text(i).substr(from, to - from), '\n')) {
      for (const std::string_view command : guide_commands(line)) {
        const std::string_view folder = folder_moved_to(command).value_or("");
        const std::size_t slash = folder.find('/');
        if (slash == folder.npos || folder.starts_with('.') || !is_plain_path(folder)) continue;
        if (!folder_from(around, folder)) {
          if (const auto there = folder_from(around, folder.substr(slash + 1)))
            roots_[std::string(folder.substr(0, slash))].insert(*there);
        }
      }
    }
  }

  bool is_root(std::string_view first) const {
    const auto known = roots_.find(first);
    return known != roots_.end() && known->second.size() > 1;
  }

  void lines(std::size_t i, std::size_t from, std::size_t to) {
    const std::string_view all = text(i);
    const bool guide = is_guide(i);
    place_.reset();
    within_ = false;
    for (std::size_t at = from; at < to;) {
      const std::size_t end = end_of_command(all, at, to);
      const std::string_view line = all.substr(at, end - at);
      at = end + 1;
      cloned_ = cloned_ || contains(line, "git clone");
      if (brings_files(line)) return;  // the rest of the block is about another folder
      for (const std::string_view command : guide_commands(line)) {
        const std::optional<std::string_view> folder = folder_moved_to(command);
        if (folder && (!guide || !moves(i, *folder))) return;
        if (!folder) words(i, command);
      }
    }
  }

  /// Just runs a recipe in the folder of its file, make where it is called, most often there. Source:
  /// https://just.systems/man/en/working-directory.html
  void recipes(std::size_t i) {
    const std::string_view all = text(i);
    const std::string own(folder_of(inputs_.files[i].context.path));
    bool away = false;
    place_ = own;
    within_ = true;  // a build may run elsewhere: only where scripts stand beside
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = end_of_command(all, at, all.size());
      const std::string_view line = all.substr(at, end - at);
      at = end + 1;
      if (!line.starts_with(' ') && !line.starts_with('\t')) away = away && trim(line).empty();
      away = away || brings_files(line);
      for (const std::string_view command : guide_commands(line)) {
        away = away || folder_moved_to(command).has_value();
        if (!away && line.front() != '#') words(i, command);
      }
    }
    place_.reset();
    within_ = false;
  }

  /// Whether `cd FOLDER` leads to a folder of the input that is known, which is `place_` from there on.
  bool moves(std::size_t i, std::string_view folder) {
    const std::string own(folder_of(inputs_.files[i].context.path));
    if (!is_plain_path(folder)) {
      // `/scratch/$USER/course/day_2/` in a guide of day_2.
      if (place_ || own.empty() || last_part(folder) != last_part(own)) return false;
      if (last_part(own).find_first_of("-_0123456789") == own.npos) return false;  // as common as `docs`
      place_ = own;
      within_ = true;
      return true;
    }
    if (place_) {
      place_ = folder_from({*place_}, folder);
      return place_.has_value();
    }
    const std::vector<std::string> around = folders_around(own);
    const std::size_t slash = folder.find('/');
    if (slash != folder.npos && is_root(folder.substr(0, slash))) {
      place_ = folder_from(around, folder.substr(slash + 1));
      if (!place_) lost_folder(i, folder);
    } else if (!cloned_) {
      place_ = folder_from(folder.starts_with("..") ? std::vector<std::string>{own} : around, folder);
    }
    return place_.has_value();
  }

  /// `cd course/day9`, where there are others of `course` and no day9.
  void lost_folder(std::size_t i, std::string_view folder) {
    const std::size_t slash = folder.find('/');
    const std::string& other = *roots_.find(folder.substr(0, slash))->second.begin();
    const std::string_view name = last_part(folder);
    const bool placeholder = std::ranges::none_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
    const std::string path = joined_path(folder_of(other), folder.substr(slash + 1));
    if (placeholder || stands_for_some_file(name) || names_.is_aside(name) || !reach_.holds(path)) return;
    const bool made = names_.is_said_in_line(name, [&](std::size_t file, std::string_view line) {
      return !contains(line, "cd ") && (!is_guide(file) || may_tell_how(line, name));
    });
    if (made || !said_.insert({i, std::string(name)}).second) return;
    findings_.push_back(problem("guide-file-missing", span_of_part(static_cast<FileId>(i), text(i), folder),
                                "`" + std::string(folder) + "` is no folder of the input, as `" + other + "` is"));
  }

  /// The first of the folders below these that the input has.
  std::optional<std::string> folder_from(const std::vector<std::string>& from, std::string_view folder) const {
    for (const std::string& base : from) {
      std::string there = joined_path(base, folder);
      if (!there.starts_with("..") && !there.empty() && reach_.has_beginning("", there + "/")) return there;
    }
    return std::nullopt;
  }

  void words(std::size_t i, std::string_view line) {
    for (std::size_t at = line.find_first_not_of(kBlank); at != line.npos; at = line.find_first_not_of(kBlank, at)) {
      const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
      std::string_view word = line.substr(at, end - at);
      if (++seen_ > kMostWords) return;
      if (const std::size_t sign = word.rfind('='); word.starts_with("--filename=") && sign != word.npos) {
        word.remove_prefix(sign + 1);
      }
      if (is_plain_path(word) && !ending_of_guide_file(word).empty() &&
          takes_file(line, static_cast<std::size_t>(word.data() - line.data())))
        handed(i, word);
      at = end;
    }
    for (const std::string_view option : {" -k ", " --kustomize "}) {
      const std::size_t at = line.find(option);
      if (at == line.npos || !(contains(line, "kubectl") || contains(line, "oc "))) continue;
      const std::string_view rest = line.substr(at + option.size());
      built_folder(i, rest.substr(0, rest.find_first_of(kBlank)));
    }
    if (const std::size_t at = line.find("sbatch ");
        at != line.npos && (at == 0 || line[at - 1] == ' ') && !is_script(i)) {
      const std::string script = read_sbatch_arguments(sbatch_arguments_at(line, at + 6)).rest;
      const std::size_t found = script.empty() ? line.npos : line.find(script, at);
      if (found != line.npos && is_plain_path(script) && !ending_of_guide_file(script).empty())
        handed(i, line.substr(found, script.size()));
    }
    if (place_ && is_guide(i)) {
      for (const std::string_view word : {script_that_runs(line), program_that_runs(line)}) {
        if (!word.empty()) in_place(i, word);
      }
    } else if (const std::string_view script = script_that_runs(line); !script.empty() && is_guide(i) && !cloned_) {
      run_script(i, script);
    }
  }

  /// `kubectl apply -k deploy/ssh`, where `deploy` has other folders.
  void built_folder(std::size_t i, std::string_view word) {
    while (word.ends_with('/')) word.remove_suffix(1);
    std::string_view folder = word;
    while (folder.starts_with("./")) folder.remove_prefix(2);
    const std::size_t slash = folder.rfind('/');
    if (slash == folder.npos || !is_plain_path(folder) || folder.starts_with("..") || contains(folder, "//")) return;
    std::vector<std::string> from = folders_around(place_ ? *place_ : folder_of(inputs_.files[i].context.path));
    if (cloned_ || folder_from(from, folder)) return;
    const std::optional<std::string> above = folder_from(from, folder.substr(0, slash));
    if (!above || !reach_.holds(*above + "/" + std::string(last_part(folder)) + "/kustomization.yaml")) return;
    const bool brought = names_.is_said_in_line(folder, [](std::size_t, std::string_view line) {
      constexpr std::array<std::string_view, 6> kVerbs{"mkdir", "cp ", "mv ", "ln -s", "clone", "tar "};
      return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(line, verb); });
    });
    if (brought || !said_.insert({i, std::string(folder)}).second) return;
    findings_.push_back(problem("guide-file-missing", span_of_part(static_cast<FileId>(i), text(i), word),
                                "`" + std::string(word) + "` is built here, and `" + *above + "` has no such folder"));
  }

  /// `${SCRIPT_DIR}/job.yaml`, where SCRIPT_DIR is the folder of the script.
  void beside(std::size_t i) {
    const std::string_view all = text(i);
    for (std::size_t at = all.find("$(dirname "); at != all.npos; at = all.find("$(dirname ", at + 1)) {
      const std::size_t begin = at == 0 ? 0 : all.rfind('\n', at - 1) + 1;  // npos + 1 is 0
      std::string_view line = trim(all.substr(begin, std::min(all.find('\n', at), all.size()) - begin));
      if (line.starts_with("readonly ")) line = trim(line.substr(9));
      const std::string_view name = line.substr(0, line.find('='));
      if (!is_shell_name(name) || name.size() + 1 > line.size() || !is_folder_of_script(line.substr(name.size() + 1)))
        continue;
      for (const std::string& use : {"${" + std::string(name) + "}/", "$" + std::string(name) + "/"}) {
        for (std::size_t where = all.find(use); where != all.npos; where = all.find(use, where + 1))
          stands_beside(i, where + use.size(), use);
      }
      return;
    }
  }

  void stands_beside(std::size_t i, std::size_t at, std::string_view use) {
    const std::string_view all = text(i);
    std::size_t end = at;
    while (end < all.size() && (is_word_char(all[end]) || all[end] == '.' || all[end] == '/' || all[end] == '-')) ++end;
    const std::string_view path = all.substr(at, end - at);
    if (++seen_ > kMostWords || ending_of_guide_file(path).empty() || (end < all.size() && all[end] == '$')) return;
    const std::string there = joined_path(folder_of(inputs_.files[i].context.path), path);
    const std::string_view name = last_part(path);
    if (there.starts_with("..") || stands_for_some_file(name) || names_.is_aside(name) || names_.at(there)) return;
    if (!reach_.holds(there) ||
        !neighbours_.contains({std::string(folder_of(there)), std::string(kind_of_guide_file(path))}))
      return;
    // Whoever else speaks of it may make it, and so may a line that does not read it.
    const auto may_make = [](std::string_view line) {
      constexpr std::array<std::string_view, 7> kReads{"-f ", "source ", ". ", "bash ", "sh ", "sbatch ", "python"};
      constexpr std::array<std::string_view, 12> kMakes{">",    "[",   "cp ",   " -o",   " -O", "--out",
                                                        "tee ", "mv ", "wget ", "test ", "|| ", "curl "};
      const auto has = [&](std::string_view word) { return contains(line, word); };
      return std::ranges::any_of(kMakes, has) || std::ranges::none_of(kReads, has);
    };
    const bool spoken = names_.is_said_in_line(name, [&](std::size_t file, std::string_view line) {
      if (file != i || !contains(line, use)) return true;
      const std::string_view set = trim(line).substr(0, trim(line).find('='));
      if (!is_shell_name(set)) return may_make(line);
      return some_line_with(all, "$" + std::string(set), may_make) ||
             some_line_with(all, "${" + std::string(set), may_make);
    });
    if (spoken || !said_.insert({i, std::string(name)}).second) return;
    findings_.push_back(problem("guide-file-missing", span_of_part(static_cast<FileId>(i), all, path),
                                "`" + std::string(path) + "` is to stand beside the script, and does not"));
  }

  /// Who runs a script himself reads a guide for it: every other line about it may be how he comes by it.
  void run_script(std::size_t i, std::string_view word) {
    std::string_view path = word;
    while (path.starts_with("./")) path.remove_prefix(2);
    const std::string_view name = last_part(path);
    if (path.starts_with("../") || stands_for_some_file(name) || names_.is_aside(name)) return;
    if (!names_.called(name).empty() || !has_neighbours(i, path) || said_.contains({i, std::string(name)})) return;
    if (is_spoken_of(name, true)) return;
    said_.insert({i, std::string(name)});
    findings_.push_back(problem("guide-file-missing", span_of_part(static_cast<FileId>(i), text(i), word),
                                "`" + std::string(word) + "` is run here, and no file of the input is called so"));
  }

  void handed(std::size_t i, std::string_view word) {
    if (place_) {
      in_place(i, word);
    } else {
      named(i, static_cast<std::size_t>(word.data() - text(i).data()), word);
    }
  }

  /// What is named from a folder that the guide has changed to.
  void in_place(std::size_t i, std::string_view word) {
    const std::string path = joined_path(*place_, word);
    const std::string_view name = last_part(path);
    if (stands_for_some_file(name) || names_.is_aside(name) || names_.at(path) || !reach_.holds(path)) return;
    if (within_ && !neighbours_.contains({std::string(folder_of(path)), std::string(kind_of_guide_file(path))})) return;
    // `cd demo` may be the whole repository as well as a folder of that name in it.
    std::vector<std::string> around = folders_around(*place_);
    around.emplace_back(folder_of(inputs_.files[i].context.path));
    for (const std::string& folder : around) {
      if (names_.at(joined_path(folder, word))) return;
    }
    const std::vector<std::size_t>& known = names_.called(name);
    if (said_.contains({i, std::string(name)}) || (known.empty() ? is_spoken_of(name, true) : is_brought(i, name)))
      return;
    said_.insert({i, std::string(name)});
    const std::string there = known.empty() ? "no file of the input is called so"
                                            : "the input has `" + inputs_.files[known.front()].context.path + "`";
    findings_.push_back(problem("guide-file-missing", span_of_part(static_cast<FileId>(i), text(i), word),
                                "`" + std::string(word) + "` is not in " +
                                    (place_->empty() ? "the topmost folder" : "`" + *place_ + "`") + ", and " + there));
  }

  /// Whether the guide may tell how a file of the name comes to where it is, or some line copies it.
  bool is_brought(std::size_t i, std::string_view name) {
    return names_.is_said_in_line(name, [&](std::size_t file, std::string_view line) {
      constexpr std::array<std::string_view, 6> kVerbs{"cp ", "mv ", "ln -s", "wget ", "curl ", "rsync "};
      const std::string_view whole = with_lines_above(text(file), line);
      if (std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(whole, verb); })) return true;
      return file == i && !uses_file(whole, name) && may_tell_how(line, name);
    });
  }

  void named(std::size_t i, std::size_t begin, std::string_view word) {
    std::string_view path = word;
    while (path.starts_with("./")) path.remove_prefix(2);
    while (path.starts_with("../")) path.remove_prefix(3);
    const std::string_view name = last_part(path);
    if (stands_for_some_file(name) || names_.is_aside(name)) return;
    if (!names_.called(name).empty()) {
      if (path == word || word.starts_with("./")) stands_elsewhere(i, begin, word, path);
      return;
    }
    if (!has_neighbours(i, path) || !said_.insert({i, std::string(name)}).second || is_spoken_of(name, false)) return;
    findings_.push_back(problem(
        "guide-file-missing",
        {static_cast<FileId>(i), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + word.size())},
        "`" + std::string(word) + "` is handed over here, and no file of the input is called so"));
  }

  /// The one file of that name stands in another folder than the path says, whatever leads to it: `config/job.yaml`
  /// where there is `k8s/job.yaml`.
  void stands_elsewhere(std::size_t i, std::size_t begin, std::string_view word, std::string_view path) {
    const std::string_view folder = folder_of(path);
    const std::vector<std::size_t>& known = names_.called(last_part(path));
    const std::string_view own = folder_of(inputs_.files[i].context.path);
    const auto is_beside = [&](std::size_t one) { return is_below_folder(inputs_.files[one].context.path, own); };
    // Of several the one below the guide is meant.
    const auto found = known.size() == 1 ? known.begin() : std::ranges::find_if(known, is_beside);
    if (folder.empty() || found == known.end() || contains(path, "path/to") || contains(path, "../")) return;
    if (known.size() > 1 && (own.empty() || std::ranges::count_if(known, is_beside) != 1)) return;
    const std::string_view there = inputs_.files[*found].context.path;
    // Who stands above the repository, or in a folder around the guide, writes more of the path than the input has.
    for (std::string_view end = path; !end.empty() && contains(end, "/"); end = end.substr(end.find('/') + 1)) {
      if (std::ranges::any_of(known,
                              [&](std::size_t one) { return ends_with_parts(inputs_.files[one].context.path, end); }))
        return;
    }
    if (!contains(there, "/") || folder_of(there) == own) return;
    const bool deeper = stands_deeper(own, folder, there);
    if (!own.empty() && !is_below_folder(there, own) && !deeper) return;
    if (!reach_.holds((own.empty() ? "" : std::string(own) + "/") + std::string(path)) ||
        (deeper ? is_brought(i, last_part(path)) : brings(folder)))
      return;
    if (!said_.insert({i, std::string(last_part(path))}).second) return;
    findings_.push_back(problem(
        "guide-file-missing",
        {static_cast<FileId>(i), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + word.size())},
        "`" + std::string(word) + "` is handed over here, and the input has `" + std::string(there) + "`"));
  }

  /// `scripts/run.sh` in a guide of `docs`, which stands in `scripts/legacy` now: below the folder that is named, as it
  /// is found from a folder around the guide.
  bool stands_deeper(std::string_view own, std::string_view folder, std::string_view there) const {
    return std::ranges::any_of(folders_around(std::string(own)), [&](const std::string& above) {
      const std::string named = joined_path(above, folder);
      return is_below_folder(there, named) && neighbours_.contains({named, std::string(kind_of_guide_file(there))});
    });
  }

  /// Whether a line may make the folder, or what it begins with.
  bool brings(std::string_view folder) {
    const std::string_view first = folder.substr(0, folder.find('/'));
    return names_.is_said_in_line(first, [](std::size_t, std::string_view line) {
      constexpr std::array<std::string_view, 8> kVerbs{"mkdir", "cp ", "mv ", "ln -s", "clone", "unzip", "tar ", "cd "};
      return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(line, verb); });
    });
  }

  /// Whether others of its kind stand where it would, beside the guide or from the top of the input on.
  bool has_neighbours(std::size_t i, std::string_view path) const {
    const std::string_view own = inputs_.files[i].context.path;
    const std::string beside = (folder_of(own).empty() ? "" : std::string(folder_of(own)) + "/") + std::string(path);
    if (!reach_.holds(beside)) return false;
    const std::string ending(kind_of_guide_file(path));
    if (neighbours_.contains({std::string(folder_of(beside)), ending})) return true;
    const std::string_view folder = folder_of(path);
    return !folder.empty() && std::ranges::any_of(neighbours_, [&](const auto& one) {
      const auto& [there, kind] = one;
      return kind == ending && there.ends_with(folder) &&
             (there.size() == folder.size() || there[there.size() - folder.size() - 1] == '/');
    });
  }

  /// Whether a line names it that hands no file over, in a guide one that may tell how it is made; `strictly`: one that
  /// does anything else than to run it.
  bool is_spoken_of(std::string_view name, bool strictly) {
    return names_.is_said_in_line(name, [&](std::size_t i, std::string_view line) {
      if (trim(line.substr(0, line.find(name))).ends_with('>') && !trim(line).starts_with('>')) return true;  // made
      const bool prose = is_guide(i);
      const std::string_view whole = with_lines_above(text(i), line);
      return strictly ? !uses_file(whole, name) : !hands_over(whole) && (!prose || may_tell_how(line, name));
    });
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  std::set<std::pair<std::string, std::string>> neighbours_;  ///< folders and kinds of files in them
  std::set<std::pair<std::size_t, std::string>> said_;
  std::map<std::string, std::set<std::string>, std::less<>> roots_;  ///< names of the input in `cd`, and folders there
  std::optional<std::string> place_;                                 ///< the folder that the block has changed to
  bool within_ = false;                                              ///< it is known by its last part alone
  bool cloned_ = false;  ///< the guide has cloned a repository, its own or another
  std::size_t seen_ = 0;
};

}  // namespace

void find_guide_files(const Inputs& inputs, std::vector<Finding>& findings) {
  const bool any = std::ranges::any_of(inputs.files, [&](const InputFile& file) {
    const std::string& path = file.context.path;
    return path.ends_with(".md") || path.ends_with(".sh") || is_recipe_file(path);
  });
  if (any) GuideFiles(inputs, findings).run();
}

}  // namespace muster
