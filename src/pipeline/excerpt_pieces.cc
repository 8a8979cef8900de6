#include "pipeline/excerpt_pieces.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/strings.h"
#include "kinds/language.h"
#include "syntax/here_documents.h"
#include "syntax/playbook_objects.h"
#include "syntax/quoted_blocks.h"
#include "syntax/switched_text.h"
#include "syntax/terraform_objects.h"

namespace muster {
namespace {

constexpr std::size_t kMostText = 64 * 1024;
// Of code that is something else.
constexpr std::string_view kOtherLanguages[] = {"diff", "python", "py", "go", "json", "hcl", "terraform", "helm"};

// Folders of texts about what is planned, or was.
constexpr std::string_view kPlans[] = {"proposals", "proposal", "keps",   "enhancements", "rfcs",  "rfc",
                                       "design",    "designs",  "legacy", "archive",      "plans", "plan"};

/// `docs/proposals/x.md`, `docs/legacy-v1/y.md`, `ADR-004-gangs.md`, `CHANGELOG-1.0.md`.
bool is_about_other_times(std::string_view path) {
  for (const std::string_view part : split(path, '/')) {
    const std::string name = to_lower(part);
    if (std::ranges::find(kPlans, name) != std::end(kPlans) || name.starts_with("legacy-") || name.starts_with("adr-"))
      return true;
    if (name.starts_with("changelog") || name.starts_with("release-notes") || name.starts_with("release_notes"))
      return true;
  }
  return false;
}

/// What tests write is often a stand-in: nothing applies it.
bool is_of_tests(std::string_view path) {
  constexpr std::string_view kTests[] = {"test", "tests", "testing", "e2e", "fixtures", "mocks"};
  const std::vector<std::string_view> parts = split(path, '/');
  const std::string_view name = parts.back();
  return name.starts_with("test_") || name.starts_with("test-") || name.ends_with("_test.sh") ||
         name.ends_with(".bats") || std::ranges::any_of(parts, [&](std::string_view part) {
           return std::ranges::find(kTests, part) != std::end(kTests);
         });
}

bool has_line(const std::vector<TextLine>& lines, std::string_view begin) {
  return std::ranges::any_of(lines, [&](const TextLine& line) { return line.text.starts_with(begin); });
}

/// A whole slurm.conf: its name, nodes and partitions. What a script writes is read by embedded_conf.
bool is_whole_site(std::string_view text) {
  if (!contains(text, "ClusterName=") || !contains(text, "PartitionName=")) return false;
  const std::vector<TextLine> lines = lines_of(text);
  return has_line(lines, "ClusterName=") && has_line(lines, "NodeName=") && has_line(lines, "PartitionName=");
}

/// What the shell writes, as far as that is known: `\$` is the dollar of the text, `$NAME` of a script a mark.
CutText written(const std::vector<TextLine>& lines, const HereDocument& here) {
  CutText out;
  const bool script = here.first < here.end && lines[here.first].text.starts_with("#!");
  for (std::size_t i = here.first; i < here.end; ++i) {
    std::string line(lines[i].text.substr(std::min(here.indent, lines[i].indent())));
    if (here.expanded && script) line = with_shell_marks(line);
    if (here.expanded) line = replace_all(line, "\\$", "$");
    out.add(lines[i], here.indent, line);
  }
  return out;
}

void here_documents_of(std::string_view text, std::vector<CutText>& out) {
  if (!contains(text, "<<")) return;
  const std::vector<TextLine> lines = lines_of(text);
  HereDocuments here_documents(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<HereDocument> here = here_documents.at(i);
    if (!here) continue;
    out.push_back(written(lines, *here));
    i = here->end;
  }
}

/// What Terraform hands on: `<<-YAML` takes the indentation of all lines away, `${...}` is a mark.
void terraform_texts_of(std::string_view text, std::vector<CutText>& out) {
  if (!contains(text, "<<") || !contains(text, "apiVersion:")) return;
  const std::vector<TextLine> lines = lines_of(text);
  HereDocuments here_documents(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<HereDocument> here = here_documents.at(i);
    if (!here) continue;
    CutText written;
    std::size_t indent = std::string_view::npos;
    for (std::size_t at = here->first; at < here->end; ++at) {
      if (!trim(lines[at].text).empty()) indent = std::min(indent, lines[at].indent());
    }
    bool directives = false;
    for (std::size_t at = here->first; at < here->end; ++at) {
      const std::string_view line = lines[at].text;
      directives = directives || contains(line, "%{");
      written.add(lines[at], indent, with_brace_marks(line.substr(std::min(indent, lines[at].indent()))));
    }
    if (!directives) out.push_back(std::move(written));
    i = here->end;
  }
}

/// First lines of scripts; `Copy#!/bin/bash` has the label of a button of the page that it was copied from.
std::size_t scripts_in(std::string_view text) {
  std::size_t out = 0;
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with("Copy")) line.remove_prefix(4);
    out += line.starts_with("#!/") ? 1 : 0;
  }
  return out;
}

/// Where a text that was cut out of a piece stands in what the piece was cut out of.
CutText out_of(const CutText& piece, CutText within_it) {
  for (auto& [in_it, in_piece] : within_it.lines) in_piece = piece.place(Span{FileId{0}, in_piece, in_piece}).begin;
  return within_it;
}

/// `# queue.yaml`, in a line of its own.
bool names_file(std::string_view line) {
  if (!line.starts_with("# ")) return false;
  line.remove_prefix(2);
  const std::string_view word = line.substr(0, line.find(' '));
  return word.ends_with(".yaml") || word.ends_with(".yml");
}

/// `#SBATCH --nodes=4 (2)`: the number of a note below the block. Source: squidfunk/mkdocs-material:
/// docs/reference/code-blocks.md (9.6), Adding annotations.
std::string_view without_note(std::string_view line) {
  const std::string_view words = trim(line);
  const std::size_t mark = words.rfind(" (");
  if (!words.starts_with("#SBATCH") || mark == words.npos || !words.ends_with(')')) return line;
  const std::string_view number = words.substr(mark + 2, words.size() - mark - 3);
  const bool note = !number.empty() && std::ranges::all_of(number, is_digit);
  return note ? line.substr(0, static_cast<std::size_t>(words.data() - line.data()) + mark) : line;
}

/// `#SBATCH option_name argument`, `#SBATCH --option=value`: how directives are written, and none.
bool shows_how_to_write(std::string_view text) {
  return contains(text, "#SBATCH option_name") || contains(text, "#SBATCH --option-name") ||
         contains(text, "#SBATCH --option=") || contains(text, "#SBATCH --option ");
}

/// The files of one block: without a `---` between them the name of the next one is all that parts them.
std::vector<CutText> files_of(const CutText& block) {
  std::vector<CutText> out(1);
  bool whole = false;  // something stands in this piece
  bool noted = false;  // some line has a note
  std::string_view before;
  const std::vector<TextLine> lines = lines_of(block.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i].text;
    const bool marked = before == "---" || (i + 1 < lines.size() && trim(lines[i + 1].text) == "---");
    // A script may stand behind other commands, as what is to be saved.
    if (whole && ((!marked && names_file(line)) || line.starts_with("#!/"))) {
      out.emplace_back();
      whole = false;
    }
    const std::string_view kept = without_note(line);
    noted = noted || kept.size() != line.size();
    out.back().add(lines[i], 0, kept);
    if (lines[i].blank()) continue;
    whole = whole || !line.starts_with('#');
    before = line;
  }
  if (out.size() == 1 && !noted) return {block};
  for (CutText& one : out) one = out_of(block, std::move(one));
  return out;
}

/// Whether the words above a block say that it is wrong: an exercise, an example of what not to do. `begin` is where
/// its first line stands.
bool shows_a_mistake(std::string_view text, std::size_t begin) {
  constexpr std::array<std::string_view, 9> kWords{
      "find the error", "find the bug", "find the mistake", "what is wrong", "what\'s wrong", "anti-pattern", "❌",
      "改错",           "个错误"};
  std::string_view before = trim(text.substr(0, std::min(begin, text.size())));
  before = trim(before.substr(0, std::min(before.rfind('\n'), before.size())));  // the fence
  const std::string line = to_lower(before.substr(before.rfind('\n') + 1));      // npos + 1 is 0
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(line, word); });
}

/// A template of a chart.
bool is_in_templates(std::string_view path) {
  const bool manifest = path.ends_with(".yaml") || path.ends_with(".yml");
  return manifest && (path.starts_with("templates/") || contains(path, "/templates/"));
}

}  // namespace

bool may_be_read(std::string_view text, bool prose) {
  if (text.size() > kMostText) return false;
  if (prose && is_whole_site(text)) return true;
  if (!contains(text, "#SBATCH") && !(contains(text, "apiVersion:") && contains(text, "kind:"))) return false;
  const std::vector<TextLine> lines = lines_of(text);
  const bool script = has_line(lines, "#SBATCH");
  if (!script && !(has_line(lines, "apiVersion:") && has_line(lines, "kind:"))) return false;
  // `...` and `# ...` leave something out.
  return std::ranges::none_of(lines, [](const TextLine& line) {
    const std::string_view words = trim(line.text);
    return (words.ends_with("...") && words.find_first_not_of("#. -[]<>") == words.npos) || contains(words, "[...]") ||
           contains(words, "{...}");
  });
}

std::vector<CutText> pieces_of(std::string_view path, std::string_view text, bool unrendered) {
  std::vector<CutText> out;
  if (unrendered && is_in_templates(path)) {
    if (auto whole = switched_text(text)) out.push_back(std::move(*whole));
  }
  const Language language = language_of(path);
  if (language == Language::Script && !is_of_tests(path)) here_documents_of(text, out);
  if (path.ends_with(".yml") || path.ends_with(".yaml")) {
    for (CutText& one : playbook_objects(text)) out.push_back(std::move(one));
  }
  if (path.ends_with(".j2") && !contains(text, "podman")) {  // who takes Pods, too, and other names in them
    if (auto whole = filled_in_manifest(text)) out.push_back(std::move(*whole));
  }
  if (path.ends_with(".tf")) {
    terraform_texts_of(text, out);
    for (CutText& one : terraform_objects(text)) out.push_back(std::move(one));
  }
  if (language != Language::Prose || is_about_other_times(path)) return out;
  if (!contains(text, "#SBATCH") && !contains(text, "apiVersion:") && !contains(text, "PartitionName=")) return out;
  const Markup markup = path.ends_with(".rst")                                   ? Markup::ReStructuredText
                        : path.ends_with(".adoc") || path.ends_with(".asciidoc") ? Markup::AsciiDoc
                                                                                 : Markup::Markdown;
  for (QuotedBlock& block : quoted_blocks(text, markup)) {
    if (std::ranges::find(kOtherLanguages, block.language) != std::end(kOtherLanguages)) continue;
    if (scripts_in(block.text) > 1 || shows_how_to_write(block.text)) continue;  // the former: a fence is not closed
    if (!block.lines.empty() && shows_a_mistake(text, block.lines.front().second)) continue;
    std::vector<CutText> within;
    here_documents_of(block.text, within);
    for (CutText& one : within) out.push_back(out_of(block, std::move(one)));
    if (!within.empty()) continue;
    for (CutText& one : files_of(block)) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace muster
