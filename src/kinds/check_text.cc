#include "kinds/check_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "kinds/language.h"
#include "kubernetes/check_containerd.h"
#include "kubernetes/check_installs.h"
#include "kubernetes/check_mig.h"
#include "kubernetes/check_taints.h"
#include "slurm/file_modes.h"
#include "slurm/munge_folder.h"
#include "slurm/submit_plugin.h"
#include "syntax/jinja_blocks.h"
#include "syntax/nfs_exports.h"
#include "syntax/terraform_taints.h"

namespace muster {
namespace {

/// Whether the last of what begins something has no end.
bool is_open(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t last = text.rfind(begin);
  return last != text.npos && text.find(end, last) == text.npos;
}

/// Templates of files whose reader takes a backslash for no more than that; rsyslog and others read `\n` themselves.
bool is_template_of_slurm(std::string_view path) {
  constexpr std::array<std::string_view, 4> kNames{"slurm", "gres", "cgroup", "topology"};
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return path.ends_with(".conf.j2") &&
         std::ranges::any_of(kNames, [&](std::string_view one) { return contains(name, one); });
}

/// `{% endif %}\n{% endfor %}`: outside of expressions Jinja takes a backslash for a sign like others.
void check_literal_line_ends(std::string_view text, ParsedFile& out) {
  constexpr std::string_view kSign = "%}\\n";
  int left = 50;  // to look at
  for (std::size_t at = text.find(kSign); at != text.npos && left > 0; at = text.find(kSign, at + 1), --left) {
    const std::string_view behind = text.substr(at + kSign.size());
    if (!behind.empty() && !behind.starts_with("{%") && !behind.starts_with('\n') && !behind.starts_with('\r'))
      continue;
    const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view before = text.substr(line, at - line);
    const std::size_t statement = before.rfind("{%");
    // In a text in quotes it may be for whoever reads the file.
    const std::string_view outside = before.substr(0, statement);
    if (outside.starts_with('#') || std::ranges::count(outside, '"') % 2 != 0) continue;
    if (is_open(text.substr(0, at), "{#", "#}") || is_open(text.substr(0, at), "{% raw", "{% endraw")) continue;
    out.findings.push_back(problem("template-line-end-literal",
                                   {out.file, static_cast<std::uint32_t>(at + 2), static_cast<std::uint32_t>(at + 4)},
                                   "this is a backslash and an n in the file, not the end of a line"));
    return;
  }
}

void check_jinja(const SourceFile& source, ParsedFile& out) {
  const std::string_view path = source.path();
  const std::string_view text = source.text();
  if (is_template_of_slurm(path)) check_literal_line_ends(text, out);
  const bool named = path.ends_with(".j2") || path.ends_with(".jinja2") || path.ends_with(".jinja");
  if (!named || text.starts_with("#jinja2:") || !contains(text, "{%")) return;
  const std::optional<JinjaSlip> slip = find_jinja_slip(text);
  if (!slip) return;
  out.findings.push_back(problem(
      "template-block-unpaired",
      {out.file, static_cast<std::uint32_t>(slip->begin), static_cast<std::uint32_t>(slip->end)}, slip->message));
}

void check_terraform_taints(const SourceFile& source, ParsedFile& out) {
  if (!source.path().ends_with(".tf")) return;
  for (const TerraformTaint& one : refused_taints(source.text(), out.file))
    out.findings.push_back(problem("terraform-taint-effect-unknown", one.where,
                                   "`" + std::string(one.effect) + "` is no effect of a taint in " +
                                       std::string(one.resource) + ": NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE"));
}

void check_exports(const SourceFile& source, ParsedFile& out) {
  for (const Span& where : exports_options_apart(source.path(), source.text(), out.file))
    out.findings.push_back(problem("exports-options-apart", where,
                                   "a blank stands between the client and its options: they are everybody's"));
}

}  // namespace

void check_text(const SourceFile& source, ParsedFile& out) {
  check_jinja(source, out);
  check_submit_plugin(source.path(), source.text(), out.file, out.findings);
  switch (language_of(source.path())) {
    case Language::Data:
    case Language::Unknown:
      check_mig_layouts(source.text(), out.file, out.findings);
      check_file_modes(source.text(), out.file, out.findings);
      check_exports(source, out);
      check_munge_folder(source.text(), out.file, out.findings);
      break;
    case Language::Script:
      check_installs(source.text(), out.file, out.findings);
      check_file_modes(source.text(), out.file, out.findings);
      check_exports(source, out);
      check_munge_folder(source.text(), out.file, out.findings);
      [[fallthrough]];
    case Language::Prose: check_taints(source.text(), out.file, out.findings); break;
    case Language::Program: check_exports(source, out); return check_terraform_taints(source, out);
  }
  check_containerd(source.text(), out.file, out.findings);
}

}  // namespace muster
