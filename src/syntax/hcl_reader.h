#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/strings.h"

namespace muster {

/// A letter of a name in the language of Terraform.
constexpr bool is_hcl_letter(char c) { return is_word_char(c) || c == '-'; }
/// The name that begins there; empty: none does.
std::string_view hcl_name_at(std::string_view text, std::size_t at);

/// Moves through a text of Terraform's language as far as its brackets, texts and comments go, and ends early where no
/// steps are `left`: what is not understood is passed over a second time, and all that look at one text share them.
/// Source: hashicorp/hcl:hclsyntax/spec.md (2.24).
class HclReader {
 public:
  HclReader(std::string_view text, std::size_t& left) : text_(text), left_(&left) {}

  std::size_t at = 0;

  bool ended() const { return at >= text_.size() || !step(); }
  char here() const { return ended() ? '\0' : text_[at]; }
  std::string_view text() const { return text_; }
  bool begins(std::string_view word) const { return text_.substr(std::min(at, text_.size())).starts_with(word); }

  /// Blanks and comments; line ends too, where they separate nothing.
  void skip(bool lines);
  /// Behind the text in quotes that begins here.
  void skip_text();
  /// Behind an expression, whatever it is: up to what separates it from the next.
  void skip_expression();

  struct Here {
    std::size_t first = 0;  ///< of its lines
    std::size_t end = 0;    ///< behind them
  };
  /// A here-document that begins here; behind its last word then.
  std::optional<Here> here_document();

 private:
  bool step() const {
    *left_ -= *left_ > 0 ? 1 : 0;
    return *left_ > 0;
  }

  std::string_view text_;
  std::size_t* left_;
};

/// Of a value, as skip_expression goes over it, a word or a text in quotes by itself; any other expression as it is.
std::string_view without_hcl_comment(std::string_view written);

}  // namespace muster
