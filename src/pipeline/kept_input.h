#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "input/artifact.h"
#include "pipeline/coverage.h"
#include "pipeline/discover.h"
#include "pipeline/normalisation.h"
#include "pipeline/site_files.h"
#include "rulebook/rule_book.h"

namespace muster {

struct Workspace;

/// What a check takes over from the one before it of the same options: the files that were found, what became of those
/// whose text is the same, and the book. A check with it finds what one without it finds.
class KeptInput {
 public:
  /// Before a check: the files, as they are shown, whose text may be another one; nullopt: anything may be different.
  void expect(std::optional<std::set<std::string>> changed) { changed_ = std::move(changed); }

  /// As muster::discover. Without new or lost files every file keeps its id.
  Result<Inputs> discover(const DiscoverOptions& options, const FileSystem& disk, std::vector<Finding>& findings);
  /// As parse_all.
  std::vector<ParsedFile> parse(const Inputs& inputs, unsigned threads, std::vector<Finding>& findings,
                                const KindTable& kinds);
  /// As Normalisation::described. Of several files at once, each by one thread.
  NormalisedFile normalised(const ParsedFile& file, const Normalisation& all);
  /// As strangers_in, and as `normalised`.
  std::vector<Stranger> strangers(const ParsedFile& file, const SourceFile& source);

  /// Gives back the book and the knowledge of the last check, where configuration and folders of rules are the same.
  bool give_book(const std::string& config, const SiteFiles& files, Workspace& workspace);

  /// After a check, also one that failed: what the next one can have, made ready for it. The model is gone then, and
  /// the places of the findings cannot be looked up any more.
  void take_back(Workspace& workspace);

  /// The check that was the first to read the text that stands in a file; nullopt where each reads it anew.
  std::optional<std::uint64_t> read_by(FileId file) const;
  /// How many files the last check parsed.
  std::size_t parsed_anew() const { return parsed_anew_; }

 private:
  /// What later stages change in a ParsedFile or take out of it, as the parser left it.
  struct Parts {
    std::vector<Artifact> artifacts;
    std::vector<Finding> findings;
    std::vector<CustomObject> custom;
    Boxed<Container> containers;
    Boxed<Manifest> manifests;
    std::vector<NamedKeys> named_keys;
    std::vector<KeyUse> key_uses;
    std::vector<RemovedObject> removed;
    std::vector<Evidence> evidence;
    std::optional<Artifact> candidate;
    bool stale = true;  ///< has to be parsed
    ValueBlock values;  ///< of the manifests
    std::uint64_t read_by = 0;
    std::optional<NormalisedFile> normalised;        ///< where no other file has a say in that, once it was asked for
    std::optional<NormalisedFile> spare;             ///< a copy of it for the next check
    bool refers = false;                             ///< others have a say
    std::optional<std::vector<Stranger>> strangers;  ///< of the file as it was parsed, once they were asked for
  };
  static Parts parts_of(const ParsedFile& file);
  static void restore(const Parts& parts, ParsedFile& file);

  bool read_changed(const FileSystem& disk);
  void take_over(Inputs fresh);

  std::optional<std::set<std::string>> changed_;
  bool kept_ = false;  ///< whether what follows is of a check
  std::vector<Finding> unreadable_;
  std::map<std::string, std::size_t> by_path_;
  std::set<std::string> left_out_;  ///< that may be different, and are no part of the input
  std::vector<Parts> parts_;
  Inputs inputs_;
  std::vector<ParsedFile> parsed_;
  std::size_t parsed_anew_ = 0;
  std::uint64_t check_ = 0;  ///< the number of the last

  std::string config_;
  SiteFiles site_files_;
  std::unique_ptr<const Knowledge> knowledge_;
  std::unique_ptr<const RuleBook> book_;
  const KindTable* kinds_ = nullptr;  ///< that the files were parsed with
};

}  // namespace muster
