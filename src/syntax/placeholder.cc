#include "syntax/placeholder.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

bool is_name_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ' ';
}
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

/// A name between two markers, such as @NODES@; nothing but the name between them.
bool has_enclosed_name(std::string_view text, std::string_view open, std::string_view close) {
  for (std::size_t at = text.find(open); at != text.npos; at = text.find(open, at + 1)) {
    std::size_t end = at + open.size();
    if (end >= text.size() || !is_letter(text[end])) continue;
    while (end < text.size() && is_name_char(text[end]) && text.substr(end, close.size()) != close) ++end;
    if (text.substr(end, close.size()) == close) return true;
  }
  return false;
}

/// Most texts have none of the characters by which one is told.
bool may_be_placeholder(std::string_view text) {
  static constexpr std::array<bool, 256> kMarks = [] {
    std::array<bool, 256> marks{};
    for (const char mark : {'.', '{', '<', '%', '$', '@', '#', '_'}) marks[static_cast<unsigned char>(mark)] = true;
    return marks;
  }();
  for (const char c : text) {
    if (!kMarks[static_cast<unsigned char>(c)]) continue;
    if (c != '.' || text == "...") return true;
  }
  return false;
}

}  // namespace

bool is_placeholder(std::string_view text) {
  if (text == "{}") return false;  // an empty mapping
  if (!may_be_placeholder(text)) return false;
  // `(dashboard_port)`
  if (text.size() > 2 && text.front() == '(' && text.back() == ')' &&
      std::ranges::all_of(text.substr(1, text.size() - 2), [](char c) { return is_word_char(c); }))
    return true;
  return is_batch_placeholder(text) || has_enclosed_name(text, "%", "%");
}

bool is_batch_placeholder(std::string_view text) {
  if (!may_be_placeholder(text)) return false;
  if (text == "..." || text == "{}") return true;
  if (text.size() > 2 && text.front() == '{' && has_enclosed_name(text, "{", "}")) return true;
  if (text.size() > 2 && text.front() == '<' && text.back() == '>') return true;
  if (contains(text, "{{") || contains(text, "<%") || contains(text, "{%")) return true;
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (is_letter(next) || next == '{' || next == '(') return true;
  }
  return has_enclosed_name(text, "<", ">") || has_enclosed_name(text, "@", "@") || has_enclosed_name(text, "#", "#") ||
         has_enclosed_name(text, "__", "__");
}

bool is_screaming(std::string_view text) {
  return text.find('_') != text.npos && text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == text.npos;
}

bool is_unsaid(const Node& node) {
  return !node.is_scalar() || is_placeholder(node.text()) || is_screaming(node.text());
}

bool is_word_for_number(std::string_view text) {
  constexpr std::array<std::string_view, 15> kValues{"TRUE", "FALSE", "YES",      "NO",        "ON",
                                                     "OFF",  "NONE",  "NULL",     "NAN",       "INF",
                                                     "ANY",  "ALL",   "INFINITE", "UNLIMITED", "AUTO"};
  if (text.size() < 2 || text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != text.npos) return is_screaming(text);
  return std::ranges::find(kValues, text) == kValues.end();
}

}  // namespace muster
