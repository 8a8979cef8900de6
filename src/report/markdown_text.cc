#include "report/markdown_text.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kShaDigits = 7;  // of the shortest commit that is linked

bool is_letter_or_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool looks_like_commit(std::string_view word) {
  return word.size() >= kShaDigits && std::ranges::all_of(word, [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

/// Whether a word without its punctuation stays itself in Markdown, and no reference is made of it.
bool is_plain(std::string_view word) {
  if (word.empty() || !is_letter_or_digit(word.front()) || !is_letter_or_digit(word.back())) return false;
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '.' || c == ',' || c == '\''; };
  if (!std::ranges::all_of(word, fits)) return false;
  if (looks_like_commit(word) || starts_with_ignoring_case(word, "www.")) return false;
  // GH-12 is an issue, JIRA-12 may be one.
  for (std::size_t dash = word.find('-'); dash != word.npos; dash = word.find('-', dash + 1)) {
    if (is_digit(word[dash + 1])) return false;
  }
  return true;
}

struct Piece {
  enum class Kind { Plain, Word, Quoted };  ///< as it is; code that was a word; code that was in backticks
  Kind kind = Kind::Plain;
  bool gap = false;  ///< a blank stands before it
  std::string text;
};

class Sentence {
 public:
  /// What stood in backticks.
  void quoted(std::string_view text) {
    add(Piece::Kind::Quoted, text);
    gap_ = false;
  }

  /// What stood outside of them.
  void words(std::string_view text) {
    gap_ = gap_ || (!text.empty() && is_white(text.front()));
    for (const std::string_view word : split_blanks(text)) {
      write(word);
      gap_ = true;
    }
    gap_ = !text.empty() && is_white(text.back());
  }

  std::string done() const {
    std::string out;
    for (const Piece& piece : pieces_) {
      const bool code = piece.kind != Piece::Kind::Plain;
      // Two spans that touch would be one, or none.
      if (!out.empty() && (piece.gap || (code && out.back() == '`'))) out += ' ';
      out += code ? markdown_code(piece.text) : piece.text;
    }
    return out;
  }

 private:
  void write(std::string_view word) {
    constexpr std::string_view kBefore = "(\"'";
    constexpr std::string_view kBehind = ".,;:)\"'!?";
    std::size_t begin = 0;
    std::size_t end = word.size();
    while (begin < end && kBefore.find(word[begin]) != kBefore.npos) ++begin;
    // `null)` in `Gres=(null)` is no end of a remark.
    const auto closes = [&] { return word[end - 1] == ')' && contains(word.substr(begin, end - begin), "("); };
    while (end > begin && kBehind.find(word[end - 1]) != kBehind.npos && !closes()) --end;
    const std::string_view core = word.substr(begin, end - begin);
    // `1.` and `1)` would begin a list.
    const bool numbers = pieces_.empty() && end < word.size() && std::ranges::all_of(core, is_digit);
    if (is_plain(core) && !numbers) return add(Piece::Kind::Plain, word);
    // What follows a span at once, and a dash between words, are punctuation, too.
    const bool joins = !pieces_.empty() && ((core.empty() && begin == 0 && !gap_) || (word == "-" && gap_));
    if (joins) return add(Piece::Kind::Plain, word);
    if (core.empty() || numbers) return add(Piece::Kind::Word, word);
    if (begin > 0) add(Piece::Kind::Plain, word.substr(0, begin));
    add(Piece::Kind::Word, core);
    if (end < word.size()) add(Piece::Kind::Plain, word.substr(end));
  }

  void add(Piece::Kind kind, std::string_view text) {
    if (kind == Piece::Kind::Word && gap_ && !pieces_.empty() && pieces_.back().kind == kind) {
      pieces_.back().text += " " + std::string(text);
    } else {
      pieces_.push_back({kind, gap_, std::string(text)});
    }
    gap_ = false;
  }

  std::vector<Piece> pieces_;
  bool gap_ = false;
};

std::size_t longest_fence(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string markdown_code(std::string_view text) {
  std::string words = printable(text);
  if (std::string_view(words).find_first_not_of(' ') == words.npos) words = "(blank)";
  // One blank at each end is taken away again.
  const bool edge = words.front() == '`' || words.back() == '`' || words.front() == ' ' || words.back() == ' ';
  const std::string fence(longest_fence(words) + 1, '`');
  const std::string pad = edge ? " " : "";
  return fence + pad + words + pad + fence;
}

std::string markdown_block(std::string_view lines) {
  const std::string fence(std::max<std::size_t>(3, longest_fence(lines) + 1), '`');
  const std::string_view end = lines.ends_with('\n') ? "" : "\n";
  return fence + "text\n" + std::string(lines).append(end) + fence + "\n";
}

std::string markdown_details(std::string_view head, std::string_view body, Fold fold) {
  return std::string(fold == Fold::Open ? "<details open>" : "<details>") + "<summary>" + std::string(head) +
         "</summary>\n\n" + std::string(body) + "\n</details>\n\n";
}

std::string markdown_text(std::string_view sentence) {
  const std::string text = printable(sentence);
  Sentence out;
  std::size_t at = 0;
  for (std::size_t open = text.find('`'); open != text.npos; open = text.find('`', at)) {
    const std::size_t close = text.find('`', open + 1);
    if (close == text.npos) break;
    out.words(std::string_view(text).substr(at, open - at));
    out.quoted(std::string_view(text).substr(open + 1, close - open - 1));
    at = close + 1;
  }
  out.words(std::string_view(text).substr(at));
  return out.done();
}

}  // namespace muster
