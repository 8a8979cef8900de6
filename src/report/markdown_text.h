#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster {

/// Any bytes as a code span on one line: shown as they are, whatever Markdown, HTML or references to people and issues
/// they hold. Source: CommonMark 0.30, section 6.1; GitHub and GitLab look for references outside of code alone.
std::string markdown_code(std::string_view text);

/// A sentence of a report, in Markdown: what stands in backticks is code, and so is every word that is more than a
/// plain word with its punctuation. Nothing in it is a link, a mention, an image, HTML or structure.
std::string markdown_text(std::string_view sentence);

/// Printable lines as a block of code.
std::string markdown_block(std::string_view lines);

/// A part that is folded; `head` is HTML of our own, the body Markdown.
enum class Fold { Closed, Open };
std::string markdown_details(std::string_view head, std::string_view body, Fold fold);

// A comment has at most 65,536 characters on GitHub (its API says "body is too long") and more on GitLab.
inline constexpr std::size_t kCommentBytes = 65'000;

}  // namespace muster
