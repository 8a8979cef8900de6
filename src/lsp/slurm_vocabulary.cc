#include <algorithm>
#include <array>

#include "base/strings.h"
#include "facts/slurm_keys.h"
#include "lsp/shipped_book.h"
#include "lsp/vocabulary.h"
#include "slurm/topology_grammar.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kFiles{"cgroup.conf", "gres.conf", "slurm.conf", "slurmdbd.conf"};
constexpr std::string_view kTopology = "topology.conf";

/// `slurm.conf`, also of `slurm.conf.example`; empty: another file.
std::string_view file_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json")) return {};
  if (name.starts_with(kTopology)) return kTopology;
  const auto found = std::ranges::find_if(kFiles, [&](std::string_view file) { return name.starts_with(file); });
  return found == kFiles.end() ? std::string_view{} : *found;
}

std::string_view name_of(SlurmKey::Type type) {
  switch (type) {
    case SlurmKey::Type::String: return "text";
    case SlurmKey::Type::Uint16:
    case SlurmKey::Type::Uint32:
    case SlurmKey::Type::Uint64: return "number";
    case SlurmKey::Type::Bool: return "yes or no";
    case SlurmKey::Type::Float: return "number with a point";
    case SlurmKey::Type::Time: return "time";
    case SlurmKey::Type::Record: return "record";
    case SlurmKey::Type::Host: break;
  }
  return "host";
}

std::string releases(const std::optional<Version>& since, const std::optional<Version>& until) {
  std::string out;
  if (since) out += "since Slurm " + since->text();
  if (until) out += std::string(out.empty() ? "" : ", ") + "gone in " + until->text();
  return out;
}

std::vector<Word> values_of(const SlurmKey& key) {
  std::vector<Word> out;
  for (const std::vector<SlurmWord>* words : {&key.words, &key.list, &key.parts, &key.plugins}) {
    for (const SlurmWord& word : *words) {
      if (word.text != "," && !contains(word.text, "NUMBER"))
        out.push_back({word.text, releases(word.since, word.until), ""});
    }
  }
  if (key.type == SlurmKey::Type::Bool) out.insert(out.end(), {{"YES", "", ""}, {"NO", "", ""}});
  return out;
}

Word word_of(const SlurmKey& key) {
  std::vector<std::string> said;
  const auto say = [&](std::string words) {
    if (!words.empty()) said.push_back(std::move(words));
  };
  say(releases(key.since, key.until));
  if (key.defunct) say("without effect since " + key.defunct->text());
  if (key.renamed) say("since " + key.renamed->text() + " called `" + key.new_name + "`");
  if (!key.current_name.empty()) say("now called `" + key.current_name + "`");
  if (!key.refused.empty())
    say("the daemons stop at it" + (key.refused_since ? " since " + key.refused_since->text() : std::string()) + ": " +
        key.refused);
  for (const auto& [release, value] : key.defaults)
    say("from " + release.text() + " on: " + (value.empty() ? "nothing" : "`" + value + "`") + " where it is not set");
  std::vector<std::string> words;
  for (const Word& word : values_of(key)) words.push_back("`" + word.name + "`");
  if (!words.empty()) say("one of " + join(words, ", "));
  return {key.name, std::string(name_of(key.type)), join(said, "\n\n")};
}

/// What stands between blanks, with the `=` in it.
struct ConfWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t equals = std::string_view::npos;  ///< in the text
};

ConfWord conf_word_at(std::string_view line, std::size_t at) {
  ConfWord out;
  const std::size_t before = at == 0 ? line.npos : line.find_last_of(" \t", at - 1);
  out.begin = before == line.npos ? 0 : before + 1;
  out.end = std::min(line.find_first_of(" \t#", at), line.size());
  out.end = std::max(out.end, out.begin);
  out.equals = line.substr(0, out.end).find('=', out.begin);
  return out;
}

class SlurmWords {
 public:
  SlurmWords(std::string_view file, std::string_view line) : file_(file) {
    for (const std::string_view word : split_blanks(line.substr(0, line.find('#')))) {
      const std::string_view key = word.substr(0, word.find('='));
      if (word.size() != key.size()) keys_.push_back(key);
    }
  }

  /// `first`: the key is the first of its line.
  std::vector<Word> keys(bool first) const {
    std::vector<Word> out;
    if (file_ == kTopology) {
      for (const TopologyKey& key : topology_keys()) {
        const bool within = key.place == TopologyKey::Place::InRecord;
        if (within != first && (!within || is_of_record(key))) out.push_back({std::string(key.name), type_of(key), ""});
      }
      return out;
    }
    const SlurmKeyTable& table = shipped_book().slurm_keys();
    const SlurmKeyTable::Keys* keys = table.keys(scope(first));
    if (keys == nullptr) return out;
    for (const auto& [lower, key] : *keys) out.push_back(word_of(key));
    return out;
  }

  std::vector<Word> values(std::string_view key) const {
    if (file_ == kTopology) return {};
    const bool first = !keys_.empty() && keys_.front() == key;
    const SlurmKey* found = shipped_book().slurm_keys().find(scope(first), to_lower(key));
    return found == nullptr ? std::vector<Word>() : values_of(*found);
  }

  std::vector<std::string> taken() const { return {keys_.begin(), keys_.end()}; }
  std::string of(bool first) const { return std::string(first || keys_.empty() ? file_ : keys_.front()); }

 private:
  /// A record's keys are a scope of its own where it has one.
  std::string scope(bool first) const {
    if (first || keys_.empty()) return std::string(file_);
    for (const std::string_view record : {"NodeName", "PartitionName", "NodeSet", "DownNodes", "FrontendName"}) {
      const bool here = equals_ignoring_case(keys_.front(), record) && file_ == "slurm.conf";
      if (here && shipped_book().slurm_keys().has_scope(record)) return std::string(record);
    }
    return std::string(file_);
  }

  bool is_of_record(const TopologyKey& key) const {
    return keys_.empty() || std::ranges::any_of(topology_keys(), [&](const TopologyKey& record) {
             return record.place == TopologyKey::Place::Record && record.kind == key.kind &&
                    equals_ignoring_case(record.name, keys_.front());
           });
  }

  static std::string type_of(const TopologyKey& key) {
    std::string out;
    if (!key.releases.since.empty()) out = "since Slurm " + std::string(key.releases.since);
    if (!key.releases.until.empty()) out += (out.empty() ? "gone in " : ", gone in ") + std::string(key.releases.until);
    return out;
  }

  std::string_view file_;
  std::vector<std::string_view> keys_;
};

}  // namespace

std::optional<Vocabulary> slurm_vocabulary_at(std::string_view path, std::string_view text, std::size_t offset) {
  const std::string_view file = file_of(path);
  if (file.empty()) return std::nullopt;
  const std::size_t before = offset == 0 ? text.npos : text.rfind('\n', offset - 1);
  const std::size_t start = before == text.npos ? 0 : before + 1;
  std::string_view line = text.substr(start, text.find('\n', offset) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t at = std::min(offset - start, line.size());
  if (line.substr(0, at).find('#') != line.npos) return std::nullopt;
  const ConfWord word = conf_word_at(line, at);
  const bool first = trim(line.substr(0, word.begin)).empty();
  const SlurmWords words(file, line);
  Vocabulary out;
  out.behind_key = "=";
  out.of = words.of(first);
  if (word.equals == line.npos || at <= word.equals) {
    out.begin = start + word.begin;
    out.end = start + std::min(word.end, word.equals);
    out.words = words.keys(first);
    out.taken = words.taken();
    return out;
  }
  // Of a list the word between commas.
  out.part = Vocabulary::Part::Value;
  const std::size_t comma = line.substr(0, at).rfind(',');
  const std::size_t begin = comma == line.npos || comma < word.equals ? word.equals + 1 : comma + 1;
  out.begin = start + begin;
  out.end = start + std::min(line.find(',', at), word.end);
  const std::string_view key = line.substr(word.begin, word.equals - word.begin);
  out.of = std::string(key);
  out.words = words.values(key);
  return out;
}

}  // namespace muster
