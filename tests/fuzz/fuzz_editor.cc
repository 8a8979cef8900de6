// What a language server makes of texts while they are being written: places, words, URIs and frames.
// Reads: src/lsp/text_position.cc src/lsp/uri.cc src/lsp/message.cc src/lsp/yaml_outline.cc src/lsp/schema_words.cc
// Reads: src/lsp/slurm_vocabulary.cc src/lsp/yaml_vocabulary.cc src/lsp/known_key.cc src/lsp/completion.cc
// Reads: src/lsp/hover.cc src/lsp/asked_place.cc
// Seeds: tests/cases/kinds/*-conf/* tests/cases/kinds/*/*.yaml tests/cases/rules/gang-*/*.yaml
#include <array>
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "lsp/completion.h"
#include "lsp/hover.h"
#include "lsp/message.h"
#include "lsp/text_position.h"
#include "lsp/uri.h"
#include "lsp/vocabulary.h"
#include "lsp/yaml_outline.h"
#include "source/encoding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = decode_text(fuzz::text_of(data, size)).text;
  const LineIndex lines(text);
  const std::size_t step = 1 + text.size() / 8;
  const bool lines_of_pairs = text.find('=') < text.find(':');
  for (const char* path : lines_of_pairs ? std::array{"slurm.conf", "topology.conf"} : std::array{"a.yaml", "a.json"}) {
    const OpenDocument document{"file:///w/a", std::string("/w/") + path, text, 1};
    for (std::size_t at = 0; at <= text.size(); at += step) {
      const bool within = at < text.size() && (text[at] & 0xC0) == 0x80;  // a character
      for (const PositionEncoding encoding : {PositionEncoding::Utf16, PositionEncoding::Utf8}) {
        const TextPosition position = lines.position(at, encoding);
        fuzz::expect(within || lines.offset(position, encoding) <= at, "a position is behind its byte");
        lines.line(position.line);
      }
      const AskedPlace place{document,
                             lines.position(at, PositionEncoding::Utf16),
                             PositionEncoding::Utf16,
                             nullptr,
                             {},
                             [](const std::string& one) { return uri_of_path(one); }};
      completion(place);
      hover(place);
      if (const std::optional<Vocabulary> words = vocabulary_at(path, text, at))
        fuzz::expect(words->begin <= words->end && words->end <= text.size(), "a word is outside its text");
      const YamlOutline outline = yaml_outline_at(text, at);
      fuzz::expect(outline.begin <= outline.end && outline.end <= text.size(), "a key is outside its text");
    }
  }
  if (const std::optional<std::string> path = path_of_uri(text)) {
    fuzz::expect(path_of_uri(uri_of_path(*path)) == path, "a path is another one as a URI");
    if (lies_below("/w", *path)) path_below("/w", *path);
  }
  MessageReader reader;
  reader.feed(framed(text));
  fuzz::expect(reader.next() == text, "a framed message is not read");
  MessageReader broken;
  broken.feed(text);
  while (broken.next()) {
  }
  return 0;
}
