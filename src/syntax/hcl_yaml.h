#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "syntax/hcl_reader.h"
#include "syntax/here_documents.h"

namespace muster {

/// What stands for an expression that nothing here works out.
inline constexpr std::string_view kOpenHcl = "\"${x}\"";

inline constexpr int kDeepestHcl = 40;

/// Text that knows of each piece where it comes from.
class HclYaml {
 public:
  void put(std::string_view piece, std::size_t from) {
    out_.lines.emplace_back(static_cast<std::uint32_t>(out_.text.size()), static_cast<std::uint32_t>(from));
    out_.text += piece;
  }
  void add(std::string_view piece) { out_.text += piece; }
  std::size_t size() const { return out_.text.size(); }
  CutText take() { return std::move(out_); }

 private:
  CutText out_;
};

/// Writes one expression as YAML in flow style.
class HclConverter {
 public:
  HclConverter(HclReader& reader, HclYaml& out) : in_(reader), out_(out) {}

  void value(int depth) {
    in_.skip(true);
    const std::size_t begin = in_.at;
    const std::size_t mark = out_.size();
    if (depth < kDeepestHcl && literal(depth)) {
      in_.skip(false);
      constexpr std::string_view kEnds = ",\n}])";
      if (in_.ended() || kEnds.find(in_.here()) != kEnds.npos) return;
    }
    broken_ = broken_ || out_.size() > mark;  // what was written is a part of something else
    in_.at = begin;
    in_.skip_expression();
    if (out_.size() == mark) out_.put(mark_of(in_.text().substr(begin, in_.at - begin)), begin);
  }

  /// Keys of an object, each in a line of its own. False: it has none, or holds something that cannot be taken back.
  bool top_level() {
    bool any = false;
    each_entry([&](std::string_view key, std::size_t from) {
      const bool quoted = key.size() > 2 && key.front() == '"' && key.find_first_of("\\$ ") == key.npos;
      out_.put(quoted ? key.substr(1, key.size() - 2) : key, quoted ? from + 1 : from);
      out_.add(": ");
      value(1);
      out_.add("\n");
      any = true;
    });
    return any && !broken_;
  }

  bool broken() const { return broken_; }

 private:
  bool literal(int depth) {
    const std::size_t begin = in_.at;
    const char c = in_.here();
    if (c == '{') return object(depth);
    if (c == '[') return list(depth);
    if (c == '"') {
      in_.skip_text();
      const std::string_view raw = in_.text().substr(begin, in_.at - begin);
      if (raw.size() < 2 || !raw.ends_with('"') || contains(raw, "%{")) return false;
      if (!is_alone()) return false;
      out_.put(with_brace_marks(raw), begin);
      return true;
    }
    if (const auto here = in_.here_document()) {
      out_.put(quoted(in_.text().substr(here->first, here->end - here->first)), here->first);
      return true;
    }
    while (!in_.ended() && (is_hcl_letter(in_.here()) || in_.here() == '.' || in_.here() == '+')) ++in_.at;
    const std::string_view word = in_.text().substr(begin, in_.at - begin);
    const bool plain = word == "true" || word == "false" || word == "null" ||
                       (!word.empty() && is_digit(word[0]) && word.find_first_not_of("0123456789.") == word.npos);
    if (!plain || !is_alone()) return false;
    out_.put(word, begin);
    return true;
  }

  bool is_alone() {
    const std::size_t behind = in_.at;
    in_.skip(false);
    constexpr std::string_view kEnds = ",\n}])";
    const bool alone = in_.ended() || kEnds.find(in_.here()) != kEnds.npos;
    in_.at = behind;
    return alone;
  }

  bool object(int depth) {
    if (is_loop()) return false;
    out_.put("{", in_.at);
    bool first = true;
    each_entry([&](std::string_view key, std::size_t from) {
      if (!first) out_.add(", ");
      first = false;
      out_.put(key, from);
      out_.add(": ");
      value(depth + 1);
    });
    out_.add("}");
    return true;
  }

  bool list(int depth) {
    if (is_loop()) return false;
    out_.put("[", in_.at);
    ++in_.at;
    for (bool first = true;; first = false) {
      in_.skip(true);
      if (in_.ended() || in_.here() == ']') break;
      if (!first) out_.add(", ");
      const std::size_t before = in_.at;
      value(depth + 1);
      in_.skip(true);
      if (in_.here() == ',') ++in_.at;
      if (in_.at == before) break;  // no way on
    }
    out_.add("]");
    if (in_.here() == ']') ++in_.at;
    return true;
  }

  /// `[for x in list : ...]`
  bool is_loop() const {
    HclReader look = in_;
    ++look.at;
    look.skip(true);
    return look.begins("for ");
  }

  void each_entry(const auto& take) {
    ++in_.at;  // {
    while (true) {
      in_.skip(true);
      while (in_.here() == ',') {
        ++in_.at;
        in_.skip(true);
      }
      if (in_.ended() || in_.here() == '}') break;
      const std::size_t from = in_.at;
      std::string key;
      if (in_.here() == '"') {
        in_.skip_text();
        key = with_brace_marks(in_.text().substr(from, in_.at - from));
      } else {
        while (!in_.ended() && is_hcl_letter(in_.here())) ++in_.at;
        key = in_.text().substr(from, in_.at - from);
      }
      in_.skip(false);
      if (key.empty() || (in_.here() != '=' && in_.here() != ':')) {  // `(var.name) = ...`
        broken_ = true;
        in_.skip_expression();
        if (in_.at == from) return;
        continue;
      }
      ++in_.at;
      take(key, from);
    }
    if (in_.here() == '}') ++in_.at;
  }

  /// `"${var.name}"`, so that people see which one.
  static std::string mark_of(std::string_view expression) {
    constexpr std::size_t kLongest = 60;
    const std::string_view name = trim(expression);
    const bool plain =
        name.size() <= kLongest && std::ranges::all_of(name, [](char c) { return is_hcl_letter(c) || c == '.'; });
    return plain && !name.empty() ? "\"${" + std::string(name) + "}\"" : std::string(kOpenHcl);
  }

  static std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      if (c == '\n') {
        out += "\\n";
      } else {
        out += c;
      }
    }
    return with_brace_marks(out + "\"");
  }

  HclReader& in_;
  HclYaml& out_;
  bool broken_ = false;
};

}  // namespace muster
