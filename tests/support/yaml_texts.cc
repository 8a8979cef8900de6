#include "support/yaml_texts.h"

#include "syntax/yaml_reader.h"

namespace muster::test {
namespace {

std::string generated_scalar(std::mt19937_64& random) {
  constexpr std::string_view kScalars[] = {"a",
                                           "8",
                                           "~",
                                           "null",
                                           "true",
                                           "b c",
                                           "x:y",
                                           "-1",
                                           "\"q \\n \\\" \\u00e9\"",
                                           "'it''s'",
                                           "\"two\n    lines\"",
                                           "\u00e9\u00df",
                                           "\"\"",
                                           "''",
                                           "0x1f",
                                           "a#b",
                                           "http://x/y"};
  return std::string(kScalars[random() % std::size(kScalars)]);
}

std::string generated_flow(std::mt19937_64& random, int depth) {
  if (depth == 0 || random() % 3 == 0) return generated_scalar(random);
  std::string out;
  const bool mapping = random() % 2 == 0;
  for (std::uint64_t i = random() % 4; i > 0; --i) {
    out += (out.empty() ? "" : ", ") + (mapping ? "k" + std::to_string(random() % 3) + ": " : std::string()) +
           generated_flow(random, depth - 1);
  }
  return mapping ? "{" + out + "}" : "[" + out + "]";
}

}  // namespace

std::vector<std::string> documents_of(const std::string& text) {
  std::vector<std::string> out;
  for (const Span& where : split_yaml_documents(FileId{0}, text))
    out.push_back(text.substr(where.begin, where.end - where.begin));
  return out;
}

std::string generated_block(std::mt19937_64& random, std::size_t indent, int depth, int& anchors) {
  const std::string margin(indent, ' ');
  std::string out;
  const bool mapping = random() % 3 != 0;
  for (std::uint64_t i = 1 + random() % 4; i > 0; --i) {
    if (random() % 8 == 0) out += margin + "# a comment\n";
    out += margin + (mapping ? "k" + std::to_string(random() % 5) + ":" : "-");
    switch (random() % (depth > 0 ? 8 : 5)) {
      case 0: out += "\n"; break;
      case 1: out += " " + generated_flow(random, 2) + "\n"; break;
      case 2:
        out +=
            (random() % 2 == 0 ? " |\n" : " >-\n") + margin + "  one\n" + margin + "   two\n\n" + margin + "  three\n";
        break;
      case 3:
        out += anchors > 0 ? " *a" + std::to_string(random() % static_cast<std::uint64_t>(anchors)) + "\n"
                           : " " + generated_scalar(random) + "\n";
        break;
      case 4: {
        const std::string value = generated_scalar(random);
        out += " &a" + std::to_string(anchors++) + " " + value + "\n";
        break;
      }
      default: out += "\n" + generated_block(random, indent + 2, depth - 1, anchors); break;
    }
  }
  return out;
}

std::string bent_yaml(std::string text, std::mt19937_64& random) {
  constexpr std::string_view kWords[] = {
      "\n", "---\n", "\\",      "#",    "\"",  "'",       "{",     "}",      "[",       "]",         ": ",
      "- ", "&a ",   "*a",      "<<: ", "|\n", ">-\n",    "? ",    "|2\n",   "  ",      ", ",        "@",
      "`",  "[1-4]", "{{ x }}", "null", "~",   "\u00e9z", "\\x41", "x: y\n", "- - a\n", "? a\n: b\n"};
  for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t at = text.empty() ? 0 : random() % (text.size() + 1);
    const std::size_t length = random() % 20;
    switch (random() % 5) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, kWords[random() % std::size(kWords)]); break;
      case 3: text.replace(at, length, kWords[random() % std::size(kWords)]); break;
      default: text.resize(at); break;
    }
  }
  return text + "\n";
}

}  // namespace muster::test
