#include "rulebook/load_slurm_keys.h"

#include <array>

#include "base/strings.h"

namespace muster {
namespace {

class Loader {
 public:
  Loader(SlurmKeyTable& out, BookReader& reader) : out_(out), reader_(reader) {}

  void run(const Node& scopes) {
    for (std::size_t s = 0; scopes.is_mapping() && s < scopes.size(); ++s) {
      const Node keys = scopes.value(s);
      if (!keys.is_mapping()) reader_.wrong(keys.where(), "expected a mapping of keys");
      for (std::size_t k = 0; keys.is_mapping() && k < keys.size(); ++k) {
        out_.add(std::string(scopes.key(s).text()), read_key(std::string(keys.key(k).text()), keys.value(k)));
      }
    }
  }

 private:
  SlurmKey read_key(std::string name, const Node& row) {
    reader_.known_keys(row,
                       {"type",    "since",         "until", "defunct",       "renamed",   "new_name", "current_name",
                        "refused", "refused_since", "min",   "max",           "max_since", "words",    "list",
                        "parts",   "plugins",       "none",  "refused_until", "otherwise", "default"});
    SlurmKey key;
    key.name = std::move(name);
    key.type = type_of(row["type"]);
    key.since = release(row["since"]);
    key.until = release(row["until"]);
    key.defunct = release(row["defunct"]);
    key.renamed = release(row["renamed"]);
    key.new_name = row["new_name"].text();
    key.current_name = row["current_name"].text();
    key.refused = row["refused"].text();
    key.refused_since = release(row["refused_since"]);
    key.min = number(row["min"]);
    key.max = number(row["max"]);
    key.max_since = release(row["max_since"]);
    key.words = words(row["words"]);
    key.list = words(row["list"]);
    key.parts = words(row["parts"]);
    key.plugins = words(row["plugins"]);
    key.none = release(row["none"]);
    key.refused_until = release(row["refused_until"]);
    key.ignored = row["otherwise"].text() == "ignored";
    read_defaults(row["default"], key);
    return key;
  }

  SlurmKey::Type type_of(const Node& node) {
    constexpr std::array<std::string_view, 9> kNames{"string", "uint16", "uint32", "uint64", "bool",
                                                     "float",  "time",   "record", "host"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (node.text() == kNames[i]) return static_cast<SlurmKey::Type>(i);
    }
    reader_.wrong(node.where(), "expected one of " + join(kNames, ", "));
    return SlurmKey::Type::String;
  }

  std::optional<Version> release(const Node& node) {
    if (!node.exists()) return std::nullopt;
    std::optional<Version> out = Version::parse(node.text());
    if (!out) reader_.wrong(node.where(), "`" + std::string(node.text()) + "` is not a version");
    return out;
  }

  std::optional<std::int64_t> number(const Node& node) {
    if (!node.exists()) return std::nullopt;
    const std::optional<std::int64_t> out = parse_int(node.text());
    if (!out) reader_.wrong(node.where(), "expected an integer");
    return out;
  }

  /// `LL_SHARED_GRES >=23.11`: the word and the releases that know it.
  std::vector<SlurmWord> words(const Node& list) {
    std::vector<SlurmWord> out;
    if (!list.exists()) return out;
    for (const std::string& text : reader_.texts(list)) {
      const std::vector<std::string_view> parts = split_blanks(text);
      SlurmWord word{std::string(parts.empty() ? std::string_view{} : parts.front()), {}, {}};
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const bool from = parts[i].starts_with(">=");
        const std::optional<Version> version = Version::parse(parts[i].substr(from ? 2 : 1));
        if (!version || (!from && !parts[i].starts_with("<")))
          reader_.wrong(list.where(), "`" + text + "`: expected WORD >=X.Y or WORD <X.Y");
        (from ? word.since : word.until) = version;
      }
      out.push_back(std::move(word));
    }
    return out;
  }

  void read_defaults(const Node& node, SlurmKey& key) {
    if (!node.exists()) return;
    if (node.is_scalar()) return key.defaults.emplace_back(Version{}, std::string(node.text())), void();
    for (std::size_t i = 0; node.is_mapping() && i < node.size(); ++i) {
      const std::optional<Version> version = Version::parse(node.key(i).text());
      if (!version) reader_.wrong(node.value(i).where(), "a default stands behind its release");
      key.defaults.emplace_back(version.value_or(Version{}), std::string(node.value(i).text()));
    }
  }

  SlurmKeyTable& out_;
  BookReader& reader_;
};

}  // namespace

void load_slurm_keys(const Node& root, SlurmKeyTable& out, BookReader& reader) {
  Loader(out, reader).run(root["slurm_keys"]);
}

}  // namespace muster
