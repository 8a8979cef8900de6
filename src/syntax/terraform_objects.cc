#include "syntax/terraform_objects.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "syntax/hcl_reader.h"
#include "syntax/here_documents.h"

namespace muster {
namespace {

constexpr int kDeepest = 40;
constexpr std::size_t kMostObjects = 200;  // of one file
constexpr std::size_t kMostWritten = 64 * 1024;
constexpr std::string_view kOpen = "\"${x}\"";

/// Text that knows of each piece where it comes from.
class Writer {
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
class Converter {
 public:
  Converter(HclReader& reader, Writer& out) : in_(reader), out_(out) {}

  void value(int depth) {
    in_.skip(true);
    const std::size_t begin = in_.at;
    const std::size_t mark = out_.size();
    if (depth < kDeepest && literal(depth)) {
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
    return plain && !name.empty() ? "\"${" + std::string(name) + "}\"" : std::string(kOpen);
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
  Writer& out_;
  bool broken_ = false;
};

/// `helm_release`: its attributes and `set` blocks.
class Release {
 public:
  Release(std::string_view text, std::size_t at, std::size_t& left) : text_(text), left_(left), in_(text, left) {
    in_.at = at;
  }

  std::optional<CutText> run() {
    const std::size_t begin = in_.at;
    read_block();
    const std::string chart = text_of("chart");
    const std::string name(chart.substr(chart.rfind('/') + 1));  // npos + 1 is 0
    if (name.empty() || contains(chart, "$") || chart.starts_with(".") || chart.ends_with(".tgz")) return std::nullopt;
    Writer out;
    out.put("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: ", begin);
    put("name", out);
    if (at_.contains("namespace")) {
      out.add("\n  namespace: ");
      put("namespace", out);
    }
    out.add("\nspec:\n  chart:\n    spec:\n      chart: ");
    out.put("\"" + name + "\"", at_["chart"]);
    if (at_.contains("version")) {
      out.add("\n      version: ");
      put("version", out);
    }
    out.add("\n      sourceRef: {kind: HelmRepository, name: \"${x}\"}\n  values:");
    if (!values(out)) return std::nullopt;
    return out.take();
  }

 private:
  void read_block() {
    ++in_.at;  // {
    while (true) {
      in_.skip(true);
      if (in_.ended() || in_.here() == '}') return;
      const std::size_t from = in_.at;
      while (!in_.ended() && is_hcl_letter(in_.here())) ++in_.at;
      const std::string key(text_.substr(from, in_.at - from));
      in_.skip(false);
      if (in_.here() == '=') {
        ++in_.at;
        in_.skip(false);
        at_.try_emplace(key, in_.at);
        others_ = others_ || sets_more(key);
        in_.skip_expression();
      } else {
        others_ = others_ || sets_more(key);
        in_.skip_expression();
        if (in_.at == from) return;
      }
    }
  }

  static bool sets_more(std::string_view key) {
    return key.starts_with("set") || key == "dynamic" || key == "postrender";
  }

  std::string text_of(const std::string& key) const {
    const auto found = at_.find(key);
    if (found == at_.end() || found->second >= text_.size() || text_[found->second] != '"') return {};
    const std::size_t end = text_.find('"', found->second + 1);
    return end == text_.npos ? std::string() : std::string(text_.substr(found->second + 1, end - found->second - 1));
  }

  void put(const std::string& key, Writer& out) {
    const auto found = at_.find(key);
    if (found == at_.end()) return out.add(kOpen);
    HclReader in(text_, left_);
    in.at = found->second;
    Converter(in, out).value(1);
  }

  /// What it sets. Unknown where values come from several places.
  bool values(Writer& out) {
    const auto found = at_.find("values");
    if (found == at_.end() && !others_) {
      out.add(" {}\n");
      return true;
    }
    HclReader in(text_, left_);
    in.at = found == at_.end() ? text_.size() : found->second;
    if (others_ || in.here() != '[') return open(out);
    ++in.at;
    in.skip(true);
    HclReader behind = in;
    behind.skip_expression();
    if (!is_last(behind)) return open(out);  // several, one over the other
    if (const auto here = in.here_document()) return lines(*here, out);
    constexpr std::string_view kEncode = "yamlencode(";
    if (!in.begins(kEncode)) return open(out);
    in.at += kEncode.size();
    in.skip(true);
    if (in.here() != '{') return open(out);
    out.add(" ");
    Converter converter(in, out);
    converter.value(1);
    out.add("\n");
    return !converter.broken();
  }

  static bool open(Writer& out) {
    out.add(" ");
    out.add(kOpen);
    out.add("\n");
    return true;
  }

  static bool is_last(HclReader& in) {
    in.skip(true);
    if (in.here() == ',') ++in.at;
    in.skip(true);
    return in.here() == ']';
  }

  bool lines(const HclReader::Here& here, Writer& out) const {
    const std::string_view all = text_.substr(here.first, here.end - here.first);
    if (contains(all, "%{")) return false;
    const std::vector<TextLine> found = lines_of(all);
    std::size_t indent = std::string_view::npos;
    for (const TextLine& line : found) indent = line.blank() ? indent : std::min(indent, line.indent());
    out.add("\n");
    for (const TextLine& line : found) {
      const std::size_t cut = std::min(indent, line.indent());
      out.add("    ");
      out.put(with_brace_marks(line.text.substr(std::min(cut, line.text.size()))), here.first + line.begin + cut);
      out.add("\n");
    }
    return true;
  }

  std::string_view text_;
  std::size_t& left_;
  HclReader in_;
  std::map<std::string, std::size_t> at_;  ///< where the value of each attribute begins
  bool others_ = false;                    ///< values come from elsewhere, too
};

/// The brace of the object that a word begins; npos: there is none.
std::size_t object_behind(std::string_view text, std::size_t word_end, std::string_view between, std::size_t& left) {
  HclReader in(text, left);
  in.at = word_end;
  in.skip(true);
  if (!between.empty()) {
    if (in.here() != between[0]) return text.npos;
    ++in.at;
    in.skip(true);
  }
  return in.here() == '{' ? in.at : text.npos;
}

}  // namespace

std::vector<CutText> terraform_objects(std::string_view text) {
  constexpr std::size_t kRounds = 16;
  std::vector<CutText> out;
  std::size_t left = kRounds * text.size() + 1;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kWords{
      {{"yamlencode(", ""}, {"manifest", "="}}};
  for (const auto& [word, between] : kWords) {
    for (std::size_t at = text.find(word); at != text.npos && out.size() < kMostObjects && left > 0;
         at = text.find(word, at + 1)) {
      if (at > 0 && is_hcl_letter(text[at - 1])) continue;
      const std::size_t brace = object_behind(text, at + word.size(), between, left);
      if (brace == text.npos) continue;
      HclReader in(text, left);
      in.at = brace;
      Writer writer;
      if (!Converter(in, writer).top_level() || left == 0 || writer.size() > kMostWritten) continue;
      CutText object = writer.take();
      const std::string lines = "\n" + object.text;
      if (contains(lines, "\napiVersion: ") && contains(lines, "\nkind: ")) out.push_back(std::move(object));
    }
  }
  constexpr std::string_view kRelease = "resource \"helm_release\"";
  for (std::size_t at = text.find(kRelease); at != text.npos && out.size() < kMostObjects && left > 0;
       at = text.find(kRelease, at + 1)) {
    const std::size_t brace = text.find_first_of("{\n", at);
    if (brace == text.npos || text[brace] != '{') continue;
    auto release = Release(text, brace, left).run();
    if (release && left > 0) out.push_back(std::move(*release));
  }
  for (CutText& one : out) one.limit = static_cast<std::uint32_t>(text.size());
  return out;
}

}  // namespace muster
