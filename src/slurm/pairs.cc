#include "slurm/pairs.h"

#include <algorithm>
#include <unordered_set>

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// Keys whose values are numbers or names of hosts: neither has a letter in capitals behind an underscore.
bool is_of_host(std::string_view key) {
  constexpr std::string_view kKeys[] = {
      "nodename",   "nodeaddr", "nodehostname",  "nodes",        "slurmctldhost",  "controlmachine",  "controladdr",
      "cpus",       "procs",    "boards",        "sockets",      "corespersocket", "socketsperboard", "threadspercore",
      "realmemory", "tmpdisk",  "defmempernode", "defmempercpu", "defmempergpu"};
  return std::ranges::any_of(kKeys, [&](std::string_view one) { return equals_ignoring_case(key, one); });
}

/// `[your-host]`: a list of hosts in brackets has numbers in it.
bool is_word_in_brackets(std::string_view text) {
  return text.size() > 3 && text.front() == '[' && text.back() == ']' &&
         std::ranges::all_of(text.substr(1, text.size() - 2), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
         });
}

/// Keys that are yes or no: N is no number to be filled in there, and Slurm refuses it.
bool is_yes_or_no(std::string_view key) {
  constexpr std::string_view kKeys[] = {"default",
                                        "hidden",
                                        "rootonly",
                                        "exclusiveuser",
                                        "lln",
                                        "reqresv",
                                        "trackwckey",
                                        "priorityfavorsmall",
                                        "usepam",
                                        "disablerootjobs",
                                        "allowspecresourcesusage"};
  return starts_with_ignoring_case(key, "constrain") ||
         std::ranges::any_of(kKeys, [&](std::string_view one) { return equals_ignoring_case(key, one); });
}

/// `CPUs=N`, `CPUs=FILL_ME`, and `Sockets=SOCKETS`: a word of its own key in capitals is for somebody to replace, and
/// so is `NodeName=SET_NODE_NAME`.
bool is_to_be_replaced(const ConfPair& pair) {
  if (pair.replaced) return true;
  if (is_of_host(pair.key) && (is_screaming(pair.value) || is_word_in_brackets(pair.value))) return true;
  for (const std::string_view word : {"N", "FILL_ME", "FILLME", "FILL_IN", "CHANGE_ME", "CHANGEME", "REPLACE_ME",
                                      "REPLACEME", "TODO", "FIXME", "TBD"}) {
    if (pair.value == word) return word != "N" || !is_yes_or_no(pair.key);
  }
  const bool capitals =
      pair.value.size() > 2 && std::ranges::all_of(pair.value, [](char c) { return c >= 'A' && c <= 'Z'; });
  return capitals && contains(to_lower(pair.key), to_lower(pair.value));
}

}  // namespace

Located<std::string> located_value(const ConfPair& pair, FieldName field) {
  if (is_placeholder(pair.value) || is_to_be_replaced(pair)) {
    return unknown_until<std::string>("a value for `" + pair.key + "`", pair.value_where, field);
  }
  return set_to(pair.value, pair.value_where, field);
}

Span whole_pair(const ConfPair& pair) {
  if (pair.key_where.file != pair.value_where.file) return pair.key_where;
  return {pair.key_where.file, pair.key_where.begin, pair.value_where.end};
}

const ConfPair* find_pair(const ConfLine& line, std::string_view lower_key) {
  // The last one counts when a record names a key twice.
  for (auto pair = line.pairs.rbegin(); pair != line.pairs.rend(); ++pair) {
    if (equals_ignoring_case(pair->key, lower_key)) return &*pair;
  }
  return nullptr;
}

Located<std::string> take_pair(const ConfLine& line, FieldName lower_key) {
  if (const ConfPair* pair = find_pair(line, lower_key)) return located_value(*pair, lower_key);
  Located<std::string> absent;
  absent.where = line.where;
  absent.field = lower_key;
  return absent;
}

void report_repeated(const ConfLine& line, std::size_t first, std::vector<Finding>& findings) {
  std::unordered_set<std::string> seen;
  for (std::size_t i = first; i < line.pairs.size(); ++i) {
    if (seen.insert(to_lower(line.pairs[i].key)).second) continue;
    const std::string& value = line.pairs[i].value;  // of a template with marks put out
    findings.push_back(problem("slurm-record-key-repeated", line.pairs[i].key_where,
                               "`" + line.pairs[i].key + "` stands twice on this line; Slurm uses the last value" +
                                   (contains(value, "{") ? "" : ", `" + value + "`")));
  }
}

}  // namespace muster
