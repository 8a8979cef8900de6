#include "pipeline/built_slurm.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::string_view kPrefix = "--prefix=/";
constexpr std::string_view kConf = "/slurm.conf";

bool is_path_char(char c) { return is_word_char(c) || c == '/' || c == '.' || c == '-'; }

/// The path that goes on from `at` to both sides.
std::string_view path_around(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  std::size_t end = at;
  while (begin > 0 && is_path_char(text[begin - 1])) --begin;
  while (end < text.size() && is_path_char(text[end])) ++end;
  return text.substr(begin, end - begin);
}

class BuiltSlurm {
 public:
  BuiltSlurm(const Inputs& inputs, std::vector<Finding>& findings) : inputs_(inputs), findings_(findings) {}

  void run() {
    std::vector<std::pair<FileId, std::size_t>> built;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (language_of(inputs_.files[i].context.path) == Language::Prose) continue;
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      constexpr std::array<std::string_view, 6> kTold{"SLURM_CONF",        "conf-server",
                                                      "enable_configless", "slurmctld -f",
                                                      "slurmd -f",         "SlurmctldParameters=enable_configless"};
      if (std::ranges::any_of(kTold, [&](std::string_view one) { return contains(text, one); })) return;
      note_paths(text);
      const std::size_t at = text.find(kPrefix);
      const bool of_slurm = contains(text, "cd slurm") || contains(text, "cd /tmp/slurm") ||
                            contains(text, "slurm-{{") || contains(text, "slurm-$") || contains(text, "slurm-2");
      if (at == text.npos || !of_slurm || contains(text, "sysconfdir") || is_of_other(text, at) ||
          text.find(kPrefix, at + 1) != text.npos)
        continue;
      const std::size_t near = at - std::min<std::size_t>(at, 200);
      if (contains(text.substr(near, at - near), "configure")) built.emplace_back(static_cast<FileId>(i), at);
    }
    for (const auto& [file, at] : built) judge(file, at);
  }

 private:
  /// Packages are built, or the folder that is gone into last before is that of another program.
  static bool is_of_other(std::string_view text, std::size_t at) {
    if (contains(text, "rpmbuild") || contains(text, "debuild")) return true;
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    const std::size_t folder = std::max(before.rfind("cd ") + 1, before.rfind("chdir") + 1);  // npos + 1 is 0
    return folder != 0 && !contains_ignoring_case(before.substr(folder - 1), "slurm");
  }

  /// Folders that a slurm.conf lies in, by whoever names it by its whole path.
  void note_paths(std::string_view text) {
    constexpr std::size_t kMost = 200;
    for (std::size_t at = text.find(kConf); at != text.npos && folders_.size() < kMost; at = text.find(kConf, at + 1)) {
      const std::string_view path = path_around(text, at);
      const auto begin = static_cast<std::size_t>(path.data() - text.data());
      // `{{ slurm_etc }}/slurm.conf`, `$SLURM_ETC/slurm.conf`
      const bool filled = begin > 0 && (text[begin - 1] == '}' || text[begin - 1] == '$');
      if (!path.ends_with(kConf)) continue;
      open_ = open_ || filled;
      if (!filled && path.starts_with('/')) folders_.emplace(path.substr(0, path.size() - kConf.size()));
    }
  }

  void judge(FileId file, std::size_t at) {
    const std::string_view text = inputs_.sources.file(file).text();
    const std::string_view prefix = path_around(text, at + kPrefix.size() - 1);
    const std::string own = std::string(prefix) + "/etc";
    if (prefix == "/usr" || open_ || folders_.empty() || folders_.contains(own) || names(own)) return;
    const auto begin = static_cast<std::uint32_t>(at);
    findings_.push_back(problem(
        "slurm-conf-where-nobody-looks",
        {file, begin, begin + static_cast<std::uint32_t>(kPrefix.size() - 1 + prefix.size())},
        "Slurm of this prefix reads `" + own + "/slurm.conf`, and slurm.conf lies in `" + *folders_.begin() + "`"));
  }

  bool names(std::string_view folder) const {
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      if (contains(inputs_.sources.file(static_cast<FileId>(i)).text(), folder)) return true;
    }
    return false;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  std::set<std::string, std::less<>> folders_;
  bool open_ = false;
};

/// Whether a text says `pmix` other than as the kind of MPI that jobs are started with.
bool speaks_of_pmix(std::string_view text) {
  for (const std::string_view spelling : {"pmix", "PMIx", "PMIX"}) {
    for (std::size_t at = find_part(text, spelling); at != text.npos; at = find_part(text, spelling, at + 1)) {
      const std::string_view before = text.substr(0, at);
      if (!before.ends_with("mpi=") && !before.ends_with("MpiDefault=")) return true;
    }
  }
  return false;
}

/// Whether a word is Slurm itself as it is released, `slurm-25.05.3.tar.bz2`, `slurm-$VERSION.tar.bz2`; not up
/// to 23.02, which looks for PMIx unasked.
bool is_release(std::string_view word) {
  constexpr std::string_view kName = "slurm-";
  const std::size_t at = word.rfind(kName);
  if (at == word.npos || (at > 0 && (is_word_char(word[at - 1]) || word[at - 1] == '-'))) return false;
  const std::string_view release = word.substr(at + kName.size());
  if (release.starts_with('$') || release.starts_with('*') || release.starts_with("{{")) return true;
  if (release.size() < 5 || release[2] != '.') return false;
  const std::string_view year = release.substr(0, 2);
  const bool digits = year.find_first_not_of("0123456789") == year.npos;
  return digits && (year > "23" || (year == "23" && release.substr(3, 2) > "02"));
}

/// `rpmbuild -ta slurm-25.05.3.tar.bz2`: the packages have what was asked for, and PMIx is not.
bool builds_packages(std::string_view text) {
  return find_part(text, "rpmbuild") != text.npos && some_line_with(text, "rpmbuild", [](std::string_view line) {
           return contains(line, " -t") && !contains(line, "--with ") &&
                  std::ranges::any_of(split_blanks(line), is_release);
         });
}

/// Packages of a distribution, which have the plugin.
bool installs_packages(std::string_view text) { return contains(text, "ohpc-slurm") || contains(text, "slurm-wlm"); }

void find_pmix_not_built(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  for (const SlurmSite& site : model.slurm_sites) {
    const SlurmSetting* mpi = site.setting("mpidefault");
    if (mpi == nullptr || !mpi->value.is_set() || !mpi->value.value.starts_with("pmix")) continue;
    bool builds = false;
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
      if (speaks_of_pmix(text) || installs_packages(text)) return;
      builds = builds || builds_packages(text);
    }
    if (!builds) return;
    findings.push_back(
        problem("slurm-mpi-default-not-built", mpi->where,
                "MpiDefault is " + mpi->value.value + ", and the packages of Slurm are built here without it"));
    return;
  }
}

}  // namespace

void find_built_slurm(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  find_pmix_not_built(inputs, model, findings);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (contains(text, kPrefix) && contains(text, "slurm")) return BuiltSlurm(inputs, findings).run();
  }
}

}  // namespace muster
