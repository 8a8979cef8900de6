#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace muster {

/// What is wrong with the value of an option of a model server: `--dtype fp16`, a parser that no release has. `server`:
/// vllm or sglang; `words`: its command line; `at`: the option in it, whose value stands behind `=` or is the next
/// word; `counts_as_json`: the release takes numbers of images and the like as JSON alone. Empty: nothing is, or only
/// the run knows.
std::string refused_value(std::string_view server, std::span<const std::string_view> words, std::size_t at,
                          bool counts_as_json = false);

/// What is wrong with a number that such an option is given, which is outside of its range; likewise. `of_ports`: ports
/// are asked, too.
std::string value_out_of_range(std::string_view server, std::span<const std::string_view> words, std::size_t at,
                               bool of_ports);

/// What is wrong with an option that takes one value and has none: another option stands behind it, or nothing does
/// where `whole` says that the words are all of the command line. Empty: it has one, or is not known to want it.
std::string value_missing(std::string_view server, std::span<const std::string_view> words, std::size_t at, bool whole);

/// The place of vLLM's `--tool-call-parser` in a line that does not switch it on; the end where that is not so.
std::size_t unused_tool_parser(std::span<const std::string_view> line);

/// Whether a line of vLLM's, behind `serve` or of its image, has no model, as option, by its place or in a file of
/// settings.
bool names_no_model(std::span<const std::string_view> line);

}  // namespace muster
