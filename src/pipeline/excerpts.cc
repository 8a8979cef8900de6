#include "pipeline/excerpts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

#include "base/parallel.h"
#include "base/strings.h"
#include "kinds/custom_kinds.h"
#include "kinds/language.h"
#include "kinds/recognise.h"
#include "lint/lint.h"
#include "pipeline/batch_files.h"
#include "pipeline/excerpt_pieces.h"
#include "pipeline/named_elsewhere.h"
#include "pipeline/read_model.h"
#include "slurm/stated_release.h"

namespace muster {
namespace {

/// Directives without the line that makes a script of them: what is said of them alone can be judged.
void complete(Excerpt& excerpt) {
  const std::string_view text = trim(excerpt.text.text);
  // `#/bin/bash` is a first line with a mistake.
  const bool first = text.starts_with("#!") || text.starts_with("#/") || text.starts_with("!/");
  if (!contains(text, "#SBATCH") || first || contains(text, "apiVersion:")) return;
  excerpt.fragment = true;
  constexpr std::string_view kFirst = "#!/bin/bash\n";
  CutText whole;
  whole.text = std::string(kFirst) + excerpt.text.text;
  whole.lines = std::move(excerpt.text.lines);
  whole.ended = excerpt.text.ended;
  for (auto& [in_it, in_file] : whole.lines) in_it += static_cast<std::uint32_t>(kFirst.size());
  whole.lines.insert(whole.lines.begin(), {0, whole.lines.front().second});
  excerpt.text = std::move(whole);
}

constexpr std::string_view kOfWhatIsLeftOut[] = {"binding-account-unknown",
                                                 "cluster-queue-selects-nothing",
                                                 "custom-field-missing",
                                                 "document-separator-missing",
                                                 "duplicate-key",
                                                 "field-missing",
                                                 "flux-dependency-missing",
                                                 "flux-source-missing",
                                                 "gang-scheduler-missing",
                                                 "gang-without-restart-policy",
                                                 "network-policy-without-dns",
                                                 "pod-group-min-above-members",
                                                 "pod-selector-mismatch",
                                                 "restart-policy-unsupported",
                                                 "sbatch-dos-line-breaks",
                                                 "sbatch-option-as-command",
                                                 "sbatch-output-folder-made-late",
                                                 "sbatch-output-folder-missing",
                                                 "script-block-unclosed",
                                                 "script-quote-unclosed",
                                                 "server-model-gated",
                                                 "service-selects-no-pod"};

/// Whether something is wrong in a text for people: what is merely not the best is left to its readers, who know what
/// it is for.
bool counts_in_prose(const Finding& finding) {
  // What a guide makes in another of its steps, kinds that it defines itself, the command line that submits a job, and
  // a number that stands for the reader's.
  constexpr std::string_view kElsewhere[] = {"named-object-missing", "custom-api-version-not-served",
                                             "sbatch-step-above-nodes", "sbatch-dependency-by-number"};
  if (std::ranges::find(kElsewhere, finding.rule.view()) != std::end(kElsewhere)) return false;
  const bool better = finding.effect == Effect::Degraded && !finding.rule.starts_with("sbatch-");
  return finding.severity != Severity::Info && !better && finding.effect != Effect::Risk &&
         finding.effect != Effect::Exposed && finding.effect != Effect::PartialPlacement;
}

/// A script may lay more over what it writes, as a text for people may leave something out.
bool is_of_what_is_left_out(const Finding& finding) {
  return std::ranges::find(kOfWhatIsLeftOut, finding.rule.view()) != std::end(kOfWhatIsLeftOut);
}

/// What a slurm.conf alone does not tell: other files of its folder are texts of their own, if they are written at all.
bool is_of_other_conf(const Finding& finding) {
  constexpr std::string_view kBegins[] = {"gres-",        "topology-",     "slurmdbd-",
                                          "slurm-cgroup", "slurm-devices", "slurm-allowed"};
  return std::ranges::any_of(kBegins, [&](std::string_view one) { return finding.rule.starts_with(one); });
}

/// What the author of `#SBATCH` lines alone does not say: what stands before them and what follows.
bool counts_in_fragment(const Finding& finding) {
  // A list of options to choose from.
  if (finding.rule.ends_with("-conflict") || finding.rule.ends_with("-disagree")) return false;
  if (finding.rule == "sbatch-mark-misspelt" || finding.rule == "sbatch-option-unknown") return true;
  return finding.severity == Severity::Error && finding.rule != "sbatch-directive-after-command";
}

/// Also `job_ID_`.
bool has_word_in_capitals(std::string_view text) {
  const std::size_t mark = text.size() > 2 && text.ends_with('_') ? text.rfind('_', text.size() - 2) : text.npos;
  if (mark != text.npos && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(mark) + 1, text.end() - 1,
                                       [](char c) { return c >= 'A' && c <= 'Z'; }))
    return true;
  for (const std::string_view word : split(text, '-')) {
    if (word.size() > 2 && std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; })) return true;
  }
  return false;
}

/// `<number of GPUs>` on the line of a place, and `cpu: ResourceQuota`, which names the type of what belongs there.
bool has_words_to_fill_in(const Excerpt& excerpt, const Finding& finding) {
  const Span& where = finding.where;
  if (!where.placed()) return false;
  const SourceFile& file = excerpt.inputs.sources.file(where.file);
  const std::string_view line = file.line(file.position(where.begin).line);
  const std::string_view value = excerpt.inputs.sources.text_of(where);
  const bool type = !value.empty() && value.front() >= 'A' && value.front() <= 'Z' &&
                    std::ranges::all_of(value, [](unsigned char c) { return std::isalpha(c) != 0; });
  if (type && finding.rule.ends_with("field-type")) return true;
  // `image: [image:tag]`
  if (finding.rule.ends_with("field-type") && contains(line, ": [") && trim(line).ends_with(']')) return true;
  // `kopia-restore-APP` and `--time=1:00:00 <- longest time`.
  if (finding.rule == "object-name-invalid" && has_word_in_capitals(value)) return true;
  const std::string_view said = line.substr(0, line.find(" #"));  // a remark may have an arrow for its own words
  if (contains(line, " <-") || contains(said, "←")) return true;
  const std::size_t open = line.find('<');
  return open != line.npos && line.find('>', open + 2) != line.npos;
}

/// A word of a here-document that its shell fills in first (with_shell_marks).
bool is_filled_in_first(const Excerpt& excerpt, const Finding& finding) {
  if (!finding.where.placed()) return false;
  const std::string_view value = excerpt.inputs.sources.text_of(finding.where);
  if (value.starts_with('{') && contains(value, ": ")) return false;  // a mapping, of which a word may be open
  const std::size_t mark = value.find("{x");
  if (contains(value, "{}") && !contains(value, "\n")) return true;
  return mark != value.npos && !contains(value, "\n") && value.find_first_not_of('x', mark + 1) != value.npos &&
         value[value.find_first_not_of('x', mark + 1)] == '}';
}

/// A role has definitions of its own release, and a collection of roles has those of many.
bool is_of_other_role(const Excerpt& excerpt, const Finding& finding) {
  const std::string_view path = excerpt.inputs.files.front().context.path;  // `tasks/main.yml#1`
  const bool task = (contains(path, ".yml#") || contains(path, ".yaml#")) && !contains(path, "templates/");
  return (task || contains(path, ".j2#")) && finding.rule.starts_with("custom-api-version");
}

bool counts(const Excerpt& excerpt, const Finding& finding) {
  return !is_of_other_role(excerpt, finding) && !is_filled_in_first(excerpt, finding) &&
         !is_of_what_is_left_out(finding) && !is_of_other_conf(finding) &&
         (!excerpt.fragment || counts_in_fragment(finding)) &&
         (!excerpt.prose || (counts_in_prose(finding) && !has_words_to_fill_in(excerpt, finding)));
}

/// Whether it is something of ours, as far as that can be said before the kinds of the input are known.
bool parse(Excerpt& excerpt, const FileContext& of, std::size_t number, const KindTable& kinds) {
  complete(excerpt);
  FileContext context = of;
  context.path += "#" + std::to_string(number);
  context.bundle = context.path;
  excerpt.inputs.sources.add(context.path, excerpt.text.text);
  excerpt.inputs.files.push_back({std::move(context), Reading::Whole, "", std::nullopt, true});
  excerpt.parsed = std::vector<ParsedFile>(1);
  parse_file(FileId{0}, excerpt.inputs.sources, excerpt.parsed.front(), kinds);
  const ParsedFile& file = excerpt.parsed.front();
  const auto broken = [](const Finding& finding) { return finding.rule.ends_with("-syntax"); };
  return (!file.artifacts.empty() || !file.custom.empty() || !file.manifests.empty()) && !file.template_kind &&
         std::ranges::none_of(file.findings, broken);
}

/// Types are read again for the model, which drops what it finds said. Those with a related place stay: it is one of
/// the input, not of the excerpt.
void give_types_to_model(Excerpt& excerpt) {
  std::vector<Finding>& kept = excerpt.of_kinds;
  // Not std::ranges: clang 14 does not take what libstdc++ 12 returns there.
  const auto given = std::stable_partition(kept.begin(), kept.end(), [](const Finding& finding) {
    return finding.rule != "field-type" || !finding.related.empty();
  });
  std::move(given, kept.end(), std::back_inserter(excerpt.findings));
  kept.erase(given, kept.end());
}

/// `sglang-...-head`: nobody wrote the `${xxxx}` that stands for what is filled in first.
std::string with_shown_marks(std::string message) {
  for (std::size_t at = message.find("{x"); at != message.npos; at = message.find("{x", at)) {
    const std::size_t end = message.find_first_not_of('x', at + 1);
    const bool mark = end != message.npos && message[end] == '}';
    if (mark && at > 0 && message[at - 1] == '$') --at;
    if (mark) message.replace(at, end + 1 - at, "...");
    ++at;
  }
  return message;
}

void move_out(const Excerpt& excerpt, Span& where) {
  if (!where.placed()) return;
  where = excerpt.text.place(where);
  where.file = excerpt.within;
}

/// A guide says which Slurm it installs.
void take_release_of_guide(std::string_view guide, Excerpt& excerpt) {
  if (excerpt.model.slurm_sites.empty()) return;
  const Located<std::string> release = common_release(slurm_releases_installed_in(excerpt.within, guide));
  if (!release.is_set()) return;
  for (SlurmSite& site : excerpt.model.slurm_sites) {
    if (!site.release) site.release = Version::parse(release.value);
  }
}

}  // namespace

Boxed<Excerpt> read_excerpts(const Inputs& inputs, const std::vector<ParsedFile>& parsed, const LinkOptions& options,
                             const KindTable& kinds, unsigned threads) {
  std::vector<Boxed<Excerpt>> by_file(inputs.files.size());
  in_parallel(by_file.size(), threads, [&](std::size_t i) {
    const SourceFile& source = inputs.sources.file(static_cast<FileId>(i));
    std::size_t number = 0;
    const bool unrendered = parsed[i].template_kind == TemplateKind::DoubleBraces;
    for (CutText& piece : pieces_of(source.path(), source.text(), unrendered)) {
      const bool prose = language_of(source.path()) == Language::Prose;
      if (number == kMostExcerpts || !may_be_read(piece.text, prose)) continue;
      Excerpt& excerpt = by_file[i].emplace_back();
      excerpt.within = static_cast<FileId>(i);
      excerpt.prose = prose;
      excerpt.text = std::move(piece);
      if (!parse(excerpt, inputs.files[i].context, ++number, kinds)) by_file[i].pop_back();
    }
  });
  Boxed<Excerpt> out;
  for (Boxed<Excerpt>& some : by_file) out.take(std::move(some));
  if (out.empty()) return out;
  CustomKinds custom(parsed, paths_in(inputs));
  for (Excerpt& excerpt : out) {
    std::vector<Finding>& said = excerpt.parsed.front().findings;
    excerpt.findings = std::exchange(said, {});
    custom.settle(excerpt.parsed.front());
    excerpt.of_kinds = std::exchange(said, {});
    give_types_to_model(excerpt);
  }
  out.erase_if([](const Excerpt& excerpt) {
    const ParsedFile& file = excerpt.parsed.front();
    return file.artifacts.empty() && file.manifests.empty() && excerpt.findings.empty() && excerpt.of_kinds.empty();
  });
  in_parallel(out.size(), threads, [&](std::size_t i) {
    out[i].model = normalise_all(out[i].parsed, out[i].inputs, options, out[i].findings);
    if (out[i].prose) take_release_of_guide(inputs.sources.file(out[i].within).text(), out[i]);
  });
  std::vector<Model*> models;
  std::vector<QuotedScript> scripts;
  for (Excerpt& excerpt : out) {
    models.push_back(&excerpt.model);
    scripts.push_back(
        {static_cast<std::size_t>(excerpt.within), excerpt.inputs.sources.file(FileId{0}).text(), &excerpt.model});
  }
  note_spreading(inputs, scripts);
  forgive_named_elsewhere(inputs, models);
  return out;
}

std::map<FileId, std::size_t> excerpts_by_file(const Boxed<Excerpt>& excerpts) {
  std::map<FileId, std::size_t> out;
  for (const Excerpt& excerpt : excerpts) ++out[excerpt.within];
  return out;
}

std::vector<Finding> lint_excerpts(Boxed<Excerpt>& excerpts, const RuleBook& book, const Targets& targets,
                                   unsigned threads) {
  std::vector<std::vector<Finding>> found(excerpts.size());
  in_parallel(excerpts.size(), threads, [&](std::size_t i) {
    Excerpt& excerpt = excerpts[i];
    found[i] = lint({excerpt.model, {}, book, targets, {}}).findings;
    complete_from_rules(excerpt.findings, book);
    complete_from_rules(excerpt.of_kinds, book);
    std::ranges::move(excerpt.findings, std::back_inserter(found[i]));
    for (std::vector<Finding>* some : {&found[i], &excerpt.of_kinds})
      std::erase_if(*some, [&](const Finding& one) { return !counts(excerpt, one); });
    for (Finding& finding : found[i]) {
      if (contains(finding.message, "{x")) finding.message = with_shown_marks(finding.message);
      for (RelatedPlace& place : finding.related) move_out(excerpt, place.where);
      for (TraceStep& step : finding.trace) move_out(excerpt, step.where);
    }
    std::ranges::move(excerpt.of_kinds, std::back_inserter(found[i]));
    for (Finding& finding : found[i]) {
      move_out(excerpt, finding.where);
      finding.fix.reset();
      if (excerpt.prose) finding.severity = Severity::Warning;
    }
  });
  std::vector<Finding> out;
  for (std::vector<Finding>& some : found) std::ranges::move(some, std::back_inserter(out));
  return out;
}

std::span<const std::string_view> rules_of_what_is_left_out() { return kOfWhatIsLeftOut; }

}  // namespace muster
