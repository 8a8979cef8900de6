// What Slurm's parser and checks make of single values. Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "base/c_number.h"
#include "base/strings.h"
#include "facts/slurm_keys.h"

namespace muster {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_infinite(std::string_view text) {
  return equals_ignoring_case(text, "infinite") || equals_ignoring_case(text, "unlimited");
}

std::string number_error(const SlurmKey& key, std::string_view text, const Version& release) {
  const bool bounded = key.max && (!key.max_since || release >= *key.max_since);
  if (is_infinite(text)) return bounded ? "it must be at most " + std::to_string(*key.max) : "";
  if (text.starts_with('-') && parse_c_number(text.substr(1))) return "it is less than zero";
  std::uint64_t factor = 1;
  // The 16-bit keys take no unit, the others take k alone.
  if (key.type != SlurmKey::Type::Uint16 && (text.ends_with('k') || text.ends_with('K'))) {
    factor = 1024;
    text.remove_suffix(1);
  }
  const std::optional<std::uint64_t> number = parse_c_number(text);
  if (!number) return "it is not a number";
  const std::uint64_t most = key.type == SlurmKey::Type::Uint16   ? std::numeric_limits<std::uint16_t>::max()
                             : key.type == SlurmKey::Type::Uint32 ? std::numeric_limits<std::uint32_t>::max()
                                                                  : std::numeric_limits<std::uint64_t>::max();
  if (*number > most / factor) return "it is greater than " + std::to_string(most);
  const auto value =
      static_cast<std::int64_t>(std::min<std::uint64_t>(*number * factor, std::numeric_limits<std::int64_t>::max()));
  if (key.min && value < *key.min) return "it must be at least " + std::to_string(*key.min);
  if (bounded && value > *key.max) return "it must be at most " + std::to_string(*key.max);
  return {};
}

bool is_bool(std::string_view text) {
  constexpr std::string_view kWords[] = {"yes", "up", "true", "1", "no", "down", "false", "0"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return equals_ignoring_case(text, word); });
}

bool is_float(std::string_view text) {
  if (is_infinite(text)) return true;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && stop == text.data() + text.size();
}

/// `FORCE:NUMBER` fits FORCE:4 and FORCE:x, for which Slurm logs an error and goes on; NUMBER alone wants digits.
bool fits_word(std::string_view word, std::string_view text) {
  if (word == "NUMBER") return all_digits(text);
  if (word == "NUMBER...") return !text.empty() && all_digits(text.substr(0, 1));
  if (word.ends_with(":NUMBER")) {
    const std::string_view head = word.substr(0, word.size() - 6);
    return starts_with_ignoring_case(text, head);
  }
  return equals_ignoring_case(word, text);
}

bool is_known(const std::vector<SlurmWord>& words, std::string_view text, const Version& release) {
  return std::ranges::any_of(
      words, [&](const SlurmWord& word) { return word.known_in(release) && fits_word(word.text, text); });
}

/// Some keys of partitions look at the beginning of the word only: State=DRAINED is DRAIN.
bool begins_with_known(const std::vector<SlurmWord>& words, std::string_view text, const Version& release) {
  return std::ranges::any_of(words, [&](const SlurmWord& word) {
    return word.known_in(release) && starts_with_ignoring_case(text, word.text);
  });
}

std::string known_words(const std::vector<SlurmWord>& words, const Version& release) {
  std::vector<std::string_view> out;
  for (const SlurmWord& word : words) {
    if (word.known_in(release) && out.size() < 12) out.push_back(word.text);
  }
  return join(out, ", ");
}

std::vector<std::string_view> unknown_words(const SlurmKey& key, std::string_view value, const Version& release) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split(value, ',')) {
    if (!word.empty() && !is_known(key.list, word, release)) out.push_back(word);
  }
  return out;
}

/// Of these states of a node Slurm looks at the beginning alone: CLOUD*, as sinfo prints it, and CLOUD+DRAIN.
/// Source: SchedMD/slurm:src/common/node_conf.c, state_str2int (22.05-26.05).
bool begins_node_state(std::string_view text) {
  return starts_with_ignoring_case(text, "CLOUD") || starts_with_ignoring_case(text, "DRAIN") ||
         starts_with_ignoring_case(text, "FAIL");
}

std::string words_error(const SlurmKey& key, std::string_view value, const Version& release) {
  if (key.words.empty() && key.list.empty()) return {};
  const bool partition_state = key.name == "State" && is_known(key.words, "INACTIVE", release);
  const bool prefix = partition_state || (key.name == "SelectTypeParameters" && !key.words.empty());
  if (key.name == "State" && !partition_state && begins_node_state(value)) return {};
  if (is_known(key.words, value, release)) return {};
  if (prefix && begins_with_known(key.words, value, release)) return {};
  if (key.list.empty()) return "expected one of " + known_words(key.words, release);
  const std::vector<std::string_view> unknown = unknown_words(key, value, release);
  if (unknown.empty()) return {};
  if (key.ignored && (!key.refused_until || release >= *key.refused_until)) return {};
  std::vector<SlurmWord> expected = key.words;
  expected.insert(expected.end(), key.list.begin(), key.list.end());
  return "no `" + std::string(unknown.front()) + "` in " + std::string(release.text()) + "; expected " +
         known_words(expected, release);
}

}  // namespace

bool is_slurm_time(std::string_view text) {
  if (is_infinite(text) || text == "-1") return true;
  std::size_t parts = 0;
  bool days = false;
  if (const std::size_t dash = text.find('-'); dash != text.npos) {
    if (!all_digits(text.substr(0, dash))) return false;
    days = true;
    text.remove_prefix(dash + 1);
    if (text.empty()) return true;  // `1-` is a day
  }
  for (const std::string_view part : split(text, ':')) {
    if (!all_digits(part)) return false;
    ++parts;
  }
  return parts >= 1 && parts <= 3 && (days || !text.empty());
}

std::string refused_value(const SlurmKey& key, std::string_view value, const Version& release) {
  switch (key.type) {
    case SlurmKey::Type::Uint16:
    case SlurmKey::Type::Uint32:
    case SlurmKey::Type::Uint64: return number_error(key, value, release);
    case SlurmKey::Type::Bool: return is_bool(value) ? "" : "expected yes or no";
    case SlurmKey::Type::Float: return is_float(value) ? "" : "it is not a number";
    case SlurmKey::Type::Time: {
      if (!is_slurm_time(value)) return "it is no time such as 30, 1:30:00, 7-0 or UNLIMITED";
      return key.min && (value == "0" || value == "-1") ? "it must be at least " + std::to_string(*key.min) : "";
    }
    case SlurmKey::Type::String: return words_error(key, value, release);
    case SlurmKey::Type::Record:
    case SlurmKey::Type::Host: return {};
  }
  return {};
}

std::string ignored_words(const SlurmKey& key, std::string_view value, const Version& release) {
  if (!key.ignored || (key.refused_until && release < *key.refused_until)) return {};
  return join(unknown_words(key, value, release), ", ");
}

std::string unread_words(const SlurmKey& key, std::string_view value, const Version& release) {
  if (key.parts.empty()) return {};
  std::vector<std::string_view> out;
  for (const std::string_view item : split(value, ',')) {
    const std::string_view word = trim(item);
    if (!word.empty() && !is_known(key.parts, word.substr(0, word.find('=')), release)) out.push_back(word);
  }
  return join(out, ", ");
}

SlurmKeyState plugin_state(const SlurmKey& key, std::string_view value, const Version& release) {
  if (key.plugins.empty()) return SlurmKeyState::Known;
  // A comma among the plugins: the value may name several.
  if (std::ranges::find(key.plugins, ",", &SlurmWord::text) != key.plugins.end() && contains(value, ",")) {
    for (const std::string_view one : split(value, ',')) {
      const SlurmKeyState state = one.empty() ? SlurmKeyState::Known : plugin_state(key, one, release);
      if (state != SlurmKeyState::Known) return state;
    }
    return SlurmKeyState::Known;
  }
  if (key.none && release >= *key.none && contains(to_lower(value), "none")) return SlurmKeyState::Known;
  // Names of plugins are names of files: their case counts.
  const auto found = std::ranges::find(key.plugins, value, &SlurmWord::text);
  if (found == key.plugins.end()) return SlurmKeyState::Unknown;
  if (found->since && release < *found->since) return SlurmKeyState::Later;
  return found->until && release >= *found->until ? SlurmKeyState::Removed : SlurmKeyState::Known;
}

std::string tres_weights_error(std::string_view weights, std::string_view tracked) {
  constexpr std::array<std::string_view, 8> kOwn{"cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages"};
  for (const std::string_view item : split(weights, ',')) {
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    if (equals == item.npos) return "`" + std::string(item) + "` is no weight: it has no number";
    const std::string name = to_lower(item.substr(0, equals));
    const bool own = std::ranges::find(kOwn, name) != kOwn.end();
    const std::vector<std::string_view> more = split(tracked, ',');
    const bool followed =
        std::ranges::any_of(more, [&](std::string_view tres) { return equals_ignoring_case(trim(tres), name); });
    if (!own && !followed) return "`" + std::string(item.substr(0, equals)) + "` is not a TRES that Slurm counts here";
    std::string_view number = item.substr(equals + 1);
    if (!number.empty() && std::string_view("kKmMgGtTpP").find(number.back()) != std::string_view::npos)
      number.remove_suffix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || stop != number.data() + number.size())
      return "`" + std::string(item) + "` has no number with a unit of K, M, G, T or P";
  }
  return {};
}

}  // namespace muster
