#include "syntax/terraform_objects.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "syntax/hcl_reader.h"
#include "syntax/hcl_yaml.h"
#include "syntax/terraform_blocks.h"
#include "syntax/terraform_node_groups.h"

namespace muster {
namespace {

constexpr std::size_t kMostObjects = 200;  // of one file
constexpr std::size_t kMostWritten = 64 * 1024;

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
    HclYaml out;
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

  void put(const std::string& key, HclYaml& out) {
    const auto found = at_.find(key);
    if (found == at_.end()) return out.add(kOpenHcl);
    HclReader in(text_, left_);
    in.at = found->second;
    HclConverter(in, out).value(1);
  }

  /// What it sets. Unknown where values come from several places.
  bool values(HclYaml& out) {
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
    HclConverter converter(in, out);
    converter.value(1);
    out.add("\n");
    return !converter.broken();
  }

  static bool open(HclYaml& out) {
    out.add(" ");
    out.add(kOpenHcl);
    out.add("\n");
    return true;
  }

  static bool is_last(HclReader& in) {
    in.skip(true);
    if (in.here() == ',') ++in.at;
    in.skip(true);
    return in.here() == ']';
  }

  bool lines(const HclReader::Here& here, HclYaml& out) const {
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
  std::size_t typed = 0;
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
      HclYaml writer;
      if (!HclConverter(in, writer).top_level() || left == 0 || writer.size() > kMostWritten) continue;
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
  while (out.size() < kMostObjects) {
    std::optional<CutText> object = next_terraform_object(text, typed, left);
    if (!object) break;
    if (object->text.size() <= kMostWritten) out.push_back(*std::move(object));
  }
  std::size_t grouped = 0;
  while (out.size() < kMostObjects) {
    std::optional<CutText> group = next_node_group(text, grouped, left);
    if (!group) break;
    if (group->text.size() <= kMostWritten) out.push_back(*std::move(group));
  }
  for (CutText& group : module_node_groups(text, left)) {
    if (out.size() < kMostObjects && group.text.size() <= kMostWritten) out.push_back(std::move(group));
  }
  for (CutText& one : out) one.limit = static_cast<std::uint32_t>(text.size());
  return out;
}

}  // namespace muster
