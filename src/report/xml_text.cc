#include "report/xml_text.h"

#include "base/utf8.h"

namespace muster {

std::string xml_text(std::string_view printable_words) {
  std::string out;
  for (const char c : printable_words) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string xml_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml_text(printable(value)) + "\"";
}

std::string xml_attribute(std::string_view name, std::size_t value) {
  return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

}  // namespace muster
