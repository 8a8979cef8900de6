#pragma once

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/boxed.h"
#include "finding/finding.h"
#include "input/artifact.h"
#include "kinds/registry.h"
#include "model/model.h"
#include "pipeline/discover.h"
#include "rulebook/rule_book.h"
#include "syntax/cut_text.h"

namespace muster {

/// A batch script or manifests that another text quotes or writes: a block of code of a text for people, a
/// here-document of a shell script or of Terraform, an object of a task of Ansible, what a chart has behind a switch
/// that is off. It is checked for itself: nobody says which of them belong together, and those of one guide are often
/// variants of one thing.
struct Excerpt {
  FileId within = FileId::None;  ///< the file that it stands in
  bool prose = false;            ///< that is for people: nothing runs what it quotes
  bool fragment = false;         ///< `#SBATCH` lines without a first line
  CutText text;
  Inputs inputs;                   ///< its text as the only file
  std::vector<ParsedFile> parsed;  ///< of that file
  Model model;
  std::vector<Finding> findings;  ///< of the readers, at its own places
  std::vector<Finding> of_kinds;  ///< of kinds that the input defines: where they do is a place of the input
};

/// Of one file; what comes behind them is not looked at.
inline constexpr std::size_t kMostExcerpts = 200;

/// Those of all texts for people, shell scripts, files of Terraform, playbooks and templates of charts that nothing was
/// made of, if they hold something whole that muster knows. What cannot be parsed or leaves something out (`...`) is no
/// excerpt.
Boxed<Excerpt> read_excerpts(const Inputs& inputs, const std::vector<ParsedFile>& parsed, const LinkOptions& options,
                             const KindTable& kinds, unsigned threads);

/// How many there are of each file.
std::map<FileId, std::size_t> excerpts_by_file(const Boxed<Excerpt>& excerpts);

/// What is wrong in them, at the places of the files that they stand in. Of texts for people nothing is an error, and
/// what would only inform is left out.
std::vector<Finding> lint_excerpts(Boxed<Excerpt>& excerpts, const RuleBook& book, const Targets& targets,
                                   unsigned threads);

/// Rules that say nothing of excerpts, which leave out what they do not speak of.
std::span<const std::string_view> rules_of_what_is_left_out();

}  // namespace muster
