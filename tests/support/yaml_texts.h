#pragma once

#include <random>
#include <string>
#include <vector>

namespace muster::test {

/// The documents of a stream, each with its `---`.
std::vector<std::string> documents_of(const std::string& text);

/// A block of some indentation, with a line end behind it; `anchors` counts those it makes.
std::string generated_block(std::mt19937_64& random, std::size_t indent, int depth, int& anchors);

/// A text with a few random edits, most of which touch what YAML is made of.
std::string bent_yaml(std::string text, std::mt19937_64& random);

}  // namespace muster::test
