#include "pipeline/script_syntax.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_blocks.h"

namespace muster {
namespace {

std::string said_of(const ShellBlockSlip& slip) {
  const std::string word = "`" + slip.word + "`";
  const std::string end = "`" + std::string(closing_word(slip.word)) + "`";
  if (slip.kind == ShellBlockSlip::Kind::Unclosed) return "no " + end + " of this script closes this " + word;
  if (slip.open.empty()) return word + " belongs to nothing that is open here";
  return word + " comes while this is open: `" + slip.open + "` without its `" + std::string(closing_word(slip.open)) +
         "`";
}

}  // namespace

void find_script_syntax(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (!begins_with_shell(text) || may_be_filled_in(text)) continue;
    const std::optional<ShellBlockSlip> slip = shell_block_slip(text);
    if (!slip) continue;
    const Span where{file, slip->begin, slip->begin + static_cast<std::uint32_t>(slip->word.size())};
    if (slip->kind == ShellBlockSlip::Kind::Quote) {
      findings.push_back(problem("script-quote-unclosed", where, "the text in quotes that begins here has no end"));
      continue;
    }
    findings.push_back(problem("script-block-unclosed", where, said_of(*slip)));
    if (!slip->open.empty()) {
      const auto end = slip->open_begin + static_cast<std::uint32_t>(slip->open.size());
      findings.back().related.push_back({{file, slip->open_begin, end}, "open since here"});
    }
  }
}

}  // namespace muster
