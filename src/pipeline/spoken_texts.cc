#include "pipeline/spoken_texts.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kAllowComment = "muster: allow";
constexpr std::string_view kAllowAnnotation = "muster.dev/allow";
constexpr std::size_t kConfigBegins = 2000;  // bytes in which muster.yaml says that it is one

std::size_t blanks_before(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

/// Where what is said behind a mark ends: with its line; of an annotation also the lines of its text below.
std::size_t end_of_saying(std::string_view text, std::size_t at, std::string_view mark) {
  std::size_t end = std::min(text.find('\n', at), text.size());
  const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
  const std::size_t indent = blanks_before(text.substr(begin, end - begin));
  while (mark == kAllowAnnotation && end < text.size()) {
    const std::size_t next = std::min(text.find('\n', end + 1), text.size());
    if (blanks_before(text.substr(end + 1, next - end - 1)) <= indent) break;
    end = next;
  }
  return end;
}

}  // namespace

SpokenTexts::SpokenTexts(const Inputs& inputs) : inputs_(inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (contains(text.substr(0, kConfigBegins), "muster: config/v1")) {
      cut_.emplace(i, std::string());
      continue;
    }
    for (const std::string_view mark : {kAllowComment, kAllowAnnotation}) {
      for (std::size_t at = find_part(text, mark); at != text.npos; at = find_part(text, mark, at + 1)) {
        std::string& cut = cut_.try_emplace(i, text).first->second;
        for (std::size_t end = end_of_saying(text, at, mark), k = at; k < end; ++k) {
          if (cut[k] != '\n') cut[k] = ' ';
        }
      }
    }
  }
}

std::string_view SpokenTexts::text(std::size_t i) const {
  const auto cut = cut_.find(i);
  return cut == cut_.end() ? inputs_.sources.file(static_cast<FileId>(i)).text() : std::string_view(cut->second);
}

}  // namespace muster
