#include "pipeline/script_syntax.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/shell_blocks.h"

namespace muster {
namespace {

/// `#!/bin/bash -l`, `#!/usr/bin/env bash`: what follows the grammar of POSIX.
bool begins_with_shell(std::string_view text) {
  constexpr std::array<std::string_view, 4> kShells{"sh", "bash", "dash", "ash"};
  if (!text.starts_with("#!")) return false;
  const std::vector<std::string_view> words = split_blanks(text.substr(2, text.find('\n') - 2));
  const auto is_shell = [&](std::string_view word) {
    return std::ranges::find(kShells, word.substr(word.rfind('/') + 1)) != kShells.end();
  };
  if (words.empty()) return false;
  if (is_shell(words[0])) return true;
  return words[0].ends_with("/env") && std::ranges::any_of(words, is_shell);
}

/// Whether somebody else fills it in first, and what stands in its marks may be anything. In quotes `{{ }}` is the
/// business of a program that the script calls: `docker ps --format '{{.Names}}'`.
bool may_be_filled_in(std::string_view text) {
  for (const std::string_view mark : {"{%", "<%", "%{ if", "%{if", "%{ for", "%{for", "{{-", "{{/*", "{{#"}) {
    if (contains(text, mark)) return true;
  }
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t mark = line.find("{{");
    if (mark != line.npos && line.substr(0, mark).find_first_of("'\"") == line.npos) return true;
  }
  return false;
}

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
