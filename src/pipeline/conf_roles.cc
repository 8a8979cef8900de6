#include "pipeline/conf_roles.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "input/kind.h"
#include "kinds/recognise.h"
#include "slurm/conf_evidence.h"
#include "slurm/keys.h"
#include "syntax/slurm_conf_reader.h"
#include "syntax/template_probe.h"

namespace muster {
namespace {

constexpr std::size_t kMostOffered = 1'000'000;  // characters
constexpr int kBesideSlurmConf = 110;
constexpr int kIncluded = 70;
constexpr int kIncludedKeys = 150;  // be what is behind each key wrong

/// Whether every line that is no comment begins with a key of slurm.conf: what is wrong then is no placeholder.
bool begins_with_keys(std::string_view text) {
  return std::ranges::all_of(split(text, '\n'), [](std::string_view line) {
    const std::string_view code = trim(line.substr(0, line.find('#')));
    const auto end = std::ranges::find_if_not(code, is_word_char);
    return code.empty() || is_slurm_conf_key(to_lower(code.substr(0, static_cast<std::size_t>(end - code.begin()))));
  });
}

/// Files that look like little but that Slurm opens: by their name beside a slurm.conf, or because a file of the site
/// includes them. Exactly the broken ones show nothing of their own.
class Roles {
 public:
  Roles(std::vector<ParsedFile>& parsed, const Inputs& inputs) : parsed_(parsed), inputs_(inputs) {}

  void run() {
    for (std::size_t i = 0; i < parsed_.size(); ++i) {
      by_path_[inputs_.files[i].context.path] = i;
      if (!is_slurm_conf(parsed_[i])) continue;
      if (file_name(i) == "slurm.conf") folders_.insert(inputs_.files[i].context.folder);
      slurm_conf_ = std::ranges::find_if(parsed_[i].artifacts, is_slurm_conf_artifact)->kind;
    }
    std::vector<std::size_t> readers;
    for (std::size_t i = 0; i < parsed_.size(); ++i) {
      const bool beside = folders_.contains(inputs_.files[i].context.folder) && !kind_opened_as(file_name(i)).empty();
      if (parsed_[i].candidate && beside) add(i, {kBesideSlurmConf, "Slurm opens it by its name beside slurm.conf"});
      if (is_slurm_conf(parsed_[i])) readers.push_back(i);
    }
    std::map<std::size_t, bool> offered;  // each file once: all of its text is looked at
    while (!readers.empty()) {            // what is included may include
      const std::size_t reader = readers.back();
      readers.pop_back();
      for (const std::size_t i : included_by(reader)) {
        const auto [known, fresh] = offered.try_emplace(i);
        if (fresh) known->second = offer(i);
        const bool keys = known->second;
        if (add(i, {keys ? kIncludedKeys : kIncluded, "`" + inputs_.files[reader].context.path + "` includes it"}))
          readers.push_back(i);
      }
    }
  }

 private:
  std::string_view file_name(std::size_t i) const {
    const std::string_view path = inputs_.files[i].context.path;
    return path.substr(path.rfind('/') + 1);
  }

  static bool is_slurm_conf_artifact(const Artifact& artifact) { return artifact.kind->id == "slurm-conf"; }

  static bool is_slurm_conf(const ParsedFile& file) {
    return std::ranges::any_of(file.artifacts, is_slurm_conf_artifact);
  }

  std::vector<std::size_t> included_by(std::size_t reader) const {
    std::vector<std::size_t> out;
    const std::string& folder = inputs_.files[reader].context.folder;
    for (const ConfLine& line : parsed_[reader].lines) {
      if (!line.include) continue;
      for (const std::string& path : {line.rest, line.rest.substr(line.rest.rfind('/') + 1)}) {
        const auto found = by_path_.find(folder.empty() ? path : folder + "/" + path);
        if (found == by_path_.end()) continue;
        out.push_back(found->second);
        break;
      }
    }
    return out;
  }

  /// Makes a file readable that shows no pair of Slurm's, as all of it is broken or a comment; whether all that stands
  /// in it are keys.
  bool offer(std::size_t i) {
    ParsedFile& file = parsed_[i];
    const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
    if (!file.artifacts.empty() || text.size() > kMostOffered || probe_conf_template(text) || !begins_with_keys(text))
      return false;
    if (file.candidate) return true;
    file.lines = read_slurm_conf(file.file, text);
    file.evidence = weigh_conf({file_name(i), text, file.lines, nullptr, false});
    file.candidate.emplace();
    file.candidate->kind = slurm_conf_;
    file.candidate->file = file.file;
    file.candidate->lines = &file.lines;
    return true;
  }

  /// Whether that makes it ours.
  bool add(std::size_t i, Evidence evidence) {
    ParsedFile& file = parsed_[i];
    if (!file.candidate) return false;
    file.evidence.push_back(std::move(evidence));
    if (weight_of(file.evidence) < kEnoughEvidence) return false;
    file.artifacts.push_back(*file.candidate);
    file.candidate.reset();
    // What slurmctld makes of it depends on its release: a rule of topologies says so.
    std::erase_if(file.findings, [](const Finding& finding) { return finding.rule == "yaml-syntax"; });
    return true;
  }

  std::vector<ParsedFile>& parsed_;
  const Inputs& inputs_;
  std::map<std::string, std::size_t> by_path_;
  std::set<std::string> folders_;     ///< that hold a slurm.conf
  const Kind* slurm_conf_ = nullptr;  ///< once a file is one
};

}  // namespace

void settle_conf_roles(std::vector<ParsedFile>& parsed, const Inputs& inputs) { Roles(parsed, inputs).run(); }

}  // namespace muster
