#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/enum_names.h"
#include "base/version.h"

namespace muster {

/// A word of a closed list and the releases that know it.
struct SlurmWord {
  std::string text;
  std::optional<Version> since;
  std::optional<Version> until;  ///< first release that does not know it any more

  bool known_in(const Version& release) const { return (!since || release >= *since) && (!until || release < *until); }
};

/// A key of a Slurm file over the releases: one row of rules/reference/slurm-keys.yaml, which says what each field
/// means.
struct SlurmKey {
  enum class Type { String, Uint16, Uint32, Uint64, Bool, Float, Time, Record, Host };
  std::string name;
  Type type = Type::String;
  std::optional<Version> since;
  std::optional<Version> until;
  std::optional<Version> defunct;
  std::optional<Version> renamed;
  std::string new_name;
  std::string current_name;
  std::string refused;
  std::optional<Version> refused_since;  ///< absent: in every release that muster knows, and for all it knows before
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::optional<Version> max_since;
  std::vector<SlurmWord> words;
  std::vector<SlurmWord> list;
  std::vector<SlurmWord> parts;
  std::vector<SlurmWord> plugins;
  std::optional<Version> none;                            ///< release since which a value with `none` in it means unset
  std::optional<Version> refused_until;                   ///< release since which a word of no list is only ignored
  bool ignored = false;                                   ///< a word of no list is logged and ignored, in every release
  std::vector<std::pair<Version, std::string>> defaults;  ///< from that release on, oldest first
};

/// What a release makes of a key.
enum class SlurmKeyState { Known, Unknown, Later, Removed, Defunct, Refused };
template <>
struct EnumNames<SlurmKeyState> {
  static constexpr std::string_view names[] = {"known", "unknown", "later", "removed", "defunct", "refused"};
};

/// The keys of all Slurm files. A scope is a file (slurm.conf, gres.conf, cgroup.conf) or a record (NodeName ...).
class SlurmKeyTable {
 public:
  void add(const std::string& scope, SlurmKey key);
  bool has_scope(std::string_view scope) const { return scopes_.find(scope) != scopes_.end(); }
  using Keys = std::map<std::string, SlurmKey, std::less<>>;
  /// All of a scope by lower-case key; nullptr where there is no such scope.
  const Keys* keys(std::string_view scope) const {
    const auto found = scopes_.find(scope);
    return found == scopes_.end() ? nullptr : &found->second;
  }
  /// nullptr when no release knows the key.
  const SlurmKey* find(std::string_view scope, std::string_view lower_key) const;

  SlurmKeyState state(std::string_view scope, std::string_view lower_key, const Version& release) const;
  /// Other words for the reader: since which release it is there, or which key it may mean; empty when nothing helps.
  std::string hint(std::string_view scope, std::string_view key) const;
  /// The key that the release reads and of which one that no release knows is a slip; empty where there is no such key,
  /// or several.
  std::string_view meant(std::string_view scope, std::string_view key, const Version& release) const;
  /// What applies when the key is not set; nothing when the table does not say.
  std::optional<std::string> default_of(std::string_view scope, std::string_view lower_key,
                                        const Version& release) const;

 private:
  std::map<std::string, Keys, std::less<>> scopes_;
};

/// Why the daemons of a release stop at this value; empty when they do not.
std::string refused_value(const SlurmKey& key, std::string_view value, const Version& release);
/// The words of a comma list that a release logs as errors and goes on without, joined; empty when there are none.
std::string ignored_words(const SlurmKey& key, std::string_view value, const Version& release);
/// The words of a comma list that a release never looks for, joined; empty when there are none.
std::string unread_words(const SlurmKey& key, std::string_view value, const Version& release);
/// Whether a release has the plugin that a value names.
SlurmKeyState plugin_state(const SlurmKey& key, std::string_view value, const Version& release);

/// Why slurmctld cannot read weights such as `CPU=1.0,Mem=0.25G,GRES/gpu=2.0`, when it counts the TRES of `tracked`
/// beside its own; empty when it can. Source: SchedMD/slurm:src/common/slurm_protocol_defs.c, executed with 22.05.8.
std::string tres_weights_error(std::string_view weights, std::string_view tracked);

/// Whether Slurm reads a text as minutes: 30, 30:00, 1:30:00, 2-0, 2-12:30, UNLIMITED.
bool is_slurm_time(std::string_view text);

}  // namespace muster
