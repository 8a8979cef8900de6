#include "pipeline/result_places.h"

#include <algorithm>
#include <set>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::int64_t kMaxNumber = 32 << 20;  // no file that is read has more lines, or a longer one

std::optional<std::uint32_t> number_in(const Node& mapping, std::string_view key) {
  const Node node = mapping[key];
  if (!node.is_scalar() || node.style() == ScalarStyle::Quoted) return std::nullopt;
  const std::optional<std::int64_t> number = parse_int(node.text());
  if (!number || *number < 1 || *number > kMaxNumber) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::size_t offset_in(std::string_view text, const Position& at) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < at.line; ++line) begin = text.find('\n', begin) + 1;
  return begin + at.column - 1;
}

/// The nth word of so many bytes that no text has; empty where there are not so many.
std::string nth_word(std::size_t number, std::size_t size) {
  constexpr std::size_t kDigits = 18;
  constexpr char kFirst = '\x0e';  // up to \x1f
  std::string out(size, kFirst);
  for (char& c : out) {
    c = static_cast<char>(kFirst + static_cast<char>(number % kDigits));
    number /= kDigits;
  }
  return number == 0 ? out : "";
}

}  // namespace

std::optional<ResultPlaces::Place> ResultPlaces::place_in(const Node& location) {
  const std::optional<std::uint32_t> numbers[] = {number_in(location, "line"), number_in(location, "column"),
                                                  number_in(location, "end_line"), number_in(location, "end_column")};
  if (!location["file"].is_scalar() || !std::ranges::all_of(numbers, [](const auto& one) { return one.has_value(); }))
    return std::nullopt;
  Place out{std::string(location["file"].text()), {*numbers[0], *numbers[1]}, {*numbers[2], *numbers[3]}};
  if (out.end < out.begin) return std::nullopt;
  return out;
}

bool ResultPlaces::reach(File& file, const Position& at) {
  if (at.line > file.lines) bytes_ += at.line - file.lines;
  file.lines = std::max(file.lines, at.line);
  std::uint32_t& width = file.widths[at.line];
  if (at.column - 1 > width) bytes_ += at.column - 1 - width;
  width = std::max(width, at.column - 1);
  return bytes_ <= kMaxTexts;
}

bool ResultPlaces::add(const Document& result) {
  for (const Node& mapping : result.mappings()) {
    if (mapping["edits"].is_sequence()) remember_edits(mapping);
    if (!mapping["end_column"].exists()) continue;
    const std::optional<Place> place = place_in(mapping);
    if (!place) return false;
    File& file = files_[place->file];
    if (!reach(file, place->begin) || !reach(file, place->end)) return false;
  }
  return true;
}

void ResultPlaces::remember_edits(const Node& fix) {
  std::vector<Place> places;
  const Node edits = fix["edits"];
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const std::optional<Place> place = place_in(edits.item(i)["location"]);
    if (!place || place->begin.line != place->end.line) return;
    places.push_back(*place);
  }
  if (places.size() > 1) edits_.push_back(std::move(places));
}

std::string ResultPlaces::text_of(const File& file) const {
  std::string out;
  std::uint32_t line = 1;
  for (const auto& [number, width] : file.widths) {
    out.append(number - line, '\n').append(width, ' ');
    line = number;
  }
  return out.append(file.lines - line, '\n');
}

void ResultPlaces::mark_edits(std::map<std::string, std::string>& texts) const {
  std::set<std::vector<Place>> marked;
  std::map<std::string, std::size_t> words;
  for (const std::vector<Place>& places : edits_) {
    std::string& text = texts[places.front().file];
    const std::size_t size = places.front().end.column - places.front().begin.column;
    const std::string word = nth_word(words[places.front().file]++, size);
    if (word.empty() || !marked.insert(places).second) continue;
    for (const Place& place : places) {
      const std::size_t at = offset_in(text, place.begin);
      const bool free = place.file == places.front().file && place.end.column - place.begin.column == size &&
                        text.compare(at, size, std::string(size, ' ')) == 0;
      if (free) text.replace(at, size, word);
    }
  }
}

void ResultPlaces::settle(SourceMap& sources) {
  sources_ = &sources;
  std::map<std::string, std::string> texts;
  for (const auto& [path, file] : files_) texts.emplace(path, text_of(file));
  mark_edits(texts);
  for (auto& [path, file] : files_) file.id = sources.add(path, std::move(texts[path]));
}

Span ResultPlaces::span_of(const Node& location) const {
  const std::optional<Place> place = place_in(location);
  const auto found = place ? files_.find(place->file) : files_.end();
  if (found == files_.end()) return {};
  const SourceFile& file = sources_->file(found->second.id);
  return {found->second.id, file.line_start(place->begin.line) + place->begin.column - 1,
          file.line_start(place->end.line) + place->end.column - 1};
}

}  // namespace muster
