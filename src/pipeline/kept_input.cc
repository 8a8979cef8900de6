#include "pipeline/kept_input.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "kinds/recognise.h"
#include "pipeline/check.h"
#include "pipeline/read_model.h"
#include "source/encoding.h"

namespace muster {
namespace {

bool same_file(const InputFile& a, const InputFile& b) {
  return a.context.path == b.context.path && a.context.bundle == b.context.bundle && a.reading == b.reading &&
         a.rooted == b.rooted && a.invalid_utf8 == b.invalid_utf8 && a.named == b.named;
}

template <class Source>
bool same_sources(const std::vector<Source>& a, const std::vector<Source>& b) {
  return std::ranges::equal(
      a, b, [](const Source& one, const Source& other) { return one.path == other.path && one.text == other.text; });
}

/// Files that are read for what they say of others, not only for themselves.
bool changes_what_is_read(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name == ".gitignore" || name == "muster.yaml";
}

}  // namespace

Result<Inputs> KeptInput::discover(const DiscoverOptions& options, const FileSystem& disk,
                                   std::vector<Finding>& findings) {
  if (!kept_ || !changed_ || !read_changed(disk)) {
    unreadable_.clear();
    left_out_.clear();
    Result<Inputs> fresh = muster::discover(options, disk, unreadable_);
    if (!fresh) {
      kept_ = false;
      return fresh;
    }
    take_over(std::move(*fresh));
    // An empty file is left out until something is in it.
    for (const std::string& path : changed_.value_or(std::set<std::string>())) {
      if (!by_path_.contains(path) && disk.size(path) > 0) left_out_.insert(path);
    }
  }
  findings.insert(findings.end(), unreadable_.begin(), unreadable_.end());
  kept_ = false;  // until take_back
  return std::move(inputs_);
}

/// Looks at the named files alone; false where the list of files may be another one.
bool KeptInput::read_changed(const FileSystem& disk) {
  std::map<std::size_t, std::string> texts;
  for (const std::string& path : *changed_) {
    if (changes_what_is_read(path)) return false;
    if (left_out_.contains(path)) continue;
    const auto found = by_path_.find(path);
    if (found == by_path_.end()) return false;
    const InputFile& file = inputs_.files[found->second];
    Result<std::string> bytes = disk.read(path);
    if (!bytes || bytes->empty() || bytes->size() > kMaxFileSize || file.reading != Reading::Whole) return false;
    DecodedText decoded = decode_text(std::move(*bytes));
    if (decoded.verdict != DecodedText::Verdict::Text || file.invalid_utf8) return false;
    texts[found->second] = std::move(decoded.text);
  }
  for (auto& [i, text] : texts) {
    const auto id = static_cast<FileId>(i);
    if (inputs_.sources.file(id).text() == text) continue;
    inputs_.sources.replace(id, std::move(text));
    parts_[i].stale = true;
  }
  return true;
}

void KeptInput::take_over(Inputs fresh) {
  const bool same = kept_ && std::ranges::equal(fresh.files, inputs_.files, same_file);
  if (!same) {
    parsed_.clear();
    parts_.clear();
    inputs_ = std::move(fresh);
    parts_.resize(inputs_.files.size());
    by_path_.clear();
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) by_path_[inputs_.files[i].context.path] = i;
    return;
  }
  for (std::size_t i = 0; i < fresh.files.size(); ++i) {
    const auto id = static_cast<FileId>(i);
    const std::string_view text = fresh.sources.file(id).text();
    if (inputs_.sources.file(id).text() == text) continue;
    inputs_.sources.replace(id, std::string(text));
    parts_[i].stale = true;
  }
  std::swap(fresh.sources, inputs_.sources);
  inputs_ = std::move(fresh);
}

std::vector<ParsedFile> KeptInput::parse(const Inputs& inputs, unsigned threads, std::vector<Finding>& findings,
                                         const KindTable& kinds) {
  if (parsed_.size() != inputs.files.size() || kinds_ != &kinds) {
    parsed_ = std::vector<ParsedFile>(inputs.files.size());
    for (Parts& parts : parts_) parts.stale = true;
  }
  kinds_ = &kinds;
  ++check_;
  parsed_anew_ = static_cast<std::size_t>(std::ranges::count(parts_, true, &Parts::stale));
  in_parallel(parsed_.size(), threads, [&](std::size_t i) {
    if (!parts_[i].stale) return;  // it is as its parser left it
    parsed_[i] = ParsedFile{};
    parse_file(static_cast<FileId>(i), inputs.sources, parsed_[i], kinds);
    parts_[i] = parts_of(parsed_[i]);
    parts_[i].read_by = check_;
    parsed_[i].values.close();
    parts_[i].values = std::move(parsed_[i].values);
  });
  settle_parsed(parsed_, inputs, findings);
  return std::move(parsed_);
}

NormalisedFile KeptInput::normalised(const ParsedFile& file, const Normalisation& all) {
  Parts& parts = parts_[static_cast<std::size_t>(file.file)];
  // What is rendered is judged elsewhere, and what a template or a file of Slurm's is, others say.
  if (file.rendered || parts.stale || parts.candidate) return all.described(file);
  if (!parts.normalised && !parts.refers) {
    parts.normalised = all.alone(file);
    parts.refers = !parts.normalised;
  }
  if (parts.spare) return *std::exchange(parts.spare, std::nullopt);
  return parts.normalised ? *parts.normalised : all.described(file);
}

std::vector<Stranger> KeptInput::strangers(const ParsedFile& file, const SourceFile& source) {
  Parts& parts = parts_[static_cast<std::size_t>(file.file)];
  const auto begins_at = [](const Artifact& artifact) { return artifact.object.where().begin; };
  const auto complains_at = [](const Finding& finding) { return finding.where.begin; };
  const bool as_parsed = std::ranges::equal(file.artifacts, parts.artifacts, {}, begins_at, begins_at) &&
                         std::ranges::equal(file.findings, parts.findings, {}, complains_at, complains_at);
  if (parts.stale || !as_parsed) return strangers_in(file, source);
  if (!parts.strangers) parts.strangers = strangers_in(file, source);
  return *parts.strangers;
}

std::optional<std::uint64_t> KeptInput::read_by(FileId file) const {
  const auto i = static_cast<std::size_t>(file);
  return i < parts_.size() ? std::optional(parts_[i].read_by) : std::nullopt;
}

KeptInput::Parts KeptInput::parts_of(const ParsedFile& file) {
  Parts out;
  out.artifacts = file.artifacts;
  out.findings = file.findings;
  out.custom = file.custom;
  out.containers = file.containers;
  out.manifests = file.manifests;
  out.named_keys = file.named_keys;
  out.key_uses = file.key_uses;
  out.removed = file.removed;
  out.evidence = file.evidence;
  out.candidate = file.candidate;
  // The lines of a template are made anew by what playbooks say.
  out.stale = file.template_kind.has_value();
  return out;
}

void KeptInput::restore(const Parts& parts, ParsedFile& file) {
  file.artifacts = parts.artifacts;
  file.findings = parts.findings;
  file.custom = parts.custom;
  file.containers = parts.containers;
  file.manifests = parts.manifests;
  file.named_keys = parts.named_keys;
  file.key_uses = parts.key_uses;
  file.removed = parts.removed;
  file.evidence = parts.evidence;
  file.candidate = parts.candidate;
  file.rendered = false;
}

bool KeptInput::give_book(const std::string& config, const SiteFiles& files, Workspace& workspace) {
  if (workspace.knowledge != nullptr || kinds_ == nullptr || config != config_ ||
      !same_sources(files.rules, site_files_.rules) || !same_sources(files.knowledge, site_files_.knowledge)) {
    kinds_ = nullptr;  // the next table may stand where this one stood
    config_ = config;
    site_files_ = files;
    return false;
  }
  workspace.merged_knowledge = std::move(knowledge_);
  workspace.merged_book = std::move(book_);
  return true;
}

void KeptInput::take_back(Workspace& workspace) {
  if (workspace.book != nullptr && workspace.knowledge != nullptr) {
    knowledge_ = std::move(workspace.merged_knowledge);
    book_ = std::move(workspace.merged_book);
  } else {
    kinds_ = nullptr;
  }
  if (!workspace.parsed.empty() && workspace.parsed.size() == workspace.inputs.files.size()) {
    inputs_ = std::move(workspace.inputs);
    inputs_.sources.shrink(inputs_.files.size());  // without muster.yaml
    parsed_ = std::move(workspace.parsed);
    kept_ = true;
  }
  workspace = Workspace{};
  for (std::size_t i = 0; i < parsed_.size() && kept_; ++i) {
    Parts& parts = parts_[i];
    if (parts.stale) continue;
    restore(parts, parsed_[i]);
    if (!parts.spare) parts.spare = parts.normalised;
  }
}

}  // namespace muster
