#pragma once

#include <string>
#include <string_view>

namespace muster {

/// Printable text, in which XML takes every character, as content or as the value of an attribute: no markup is left in
/// it.
std::string xml_text(std::string_view printable_words);
/// ` name="value"`; the value is any bytes.
std::string xml_attribute(std::string_view name, std::string_view value);
std::string xml_attribute(std::string_view name, std::size_t value);

/// What every XML document begins with.
inline constexpr std::string_view kXmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

}  // namespace muster
