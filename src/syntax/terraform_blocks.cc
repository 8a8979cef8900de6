#include "syntax/terraform_blocks.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/strings.h"
#include "syntax/hcl_reader.h"
#include "syntax/hcl_yaml.h"

namespace muster {
namespace {

struct Resource {
  std::string_view name;  ///< behind `kubernetes_`, without `_v1`
  std::string_view head;
};
constexpr std::array<Resource, 7> kResources{
    Resource{"cron_job", "apiVersion: batch/v1\nkind: CronJob\n"},
    Resource{"daemon_set", "apiVersion: apps/v1\nkind: DaemonSet\n"},
    Resource{"daemonset", "apiVersion: apps/v1\nkind: DaemonSet\n"},
    Resource{"deployment", "apiVersion: apps/v1\nkind: Deployment\n"},
    Resource{"job", "apiVersion: batch/v1\nkind: Job\n"},
    Resource{"pod", "apiVersion: v1\nkind: Pod\n"},
    Resource{"stateful_set", "apiVersion: apps/v1\nkind: StatefulSet\n"},
};

/// Blocks that may stand several times, and the list that they are.
struct Listed {
  std::string_view block;
  std::string_view list;
};
constexpr std::array<Listed, 23> kListed{
    Listed{"claim", "claims"},
    Listed{"container", "containers"},
    Listed{"env", "env"},
    Listed{"env_from", "envFrom"},
    Listed{"host_aliases", "hostAliases"},
    Listed{"http_header", "httpHeaders"},
    Listed{"image_pull_secrets", "imagePullSecrets"},
    Listed{"init_container", "initContainers"},
    Listed{"items", "items"},
    Listed{"match_expressions", "matchExpressions"},
    Listed{"match_fields", "matchFields"},
    Listed{"node_selector_term", "nodeSelectorTerms"},
    Listed{"port", "ports"},
    Listed{"preferred_during_scheduling_ignored_during_execution", "preferredDuringSchedulingIgnoredDuringExecution"},
    Listed{"readiness_gate", "readinessGates"},
    Listed{"rule", "rules"},
    Listed{"sources", "sources"},
    Listed{"toleration", "tolerations"},
    Listed{"topology_spread_constraint", "topologySpreadConstraints"},
    Listed{"volume", "volumes"},
    Listed{"volume_claim_template", "volumeClaimTemplates"},
    Listed{"volume_device", "volumeDevices"},
    Listed{"volume_mount", "volumeMounts"},
};

/// `host_ipc` -> `hostIPC`.
std::string camel(std::string_view key) {
  constexpr std::array<Listed, 4> kCapitals{Listed{"host_ipc", "hostIPC"}, Listed{"host_pid", "hostPID"},
                                            Listed{"host_ip", "hostIP"}, Listed{"cluster_ip", "clusterIP"}};
  const auto found = std::ranges::find(kCapitals, key, &Listed::block);
  if (found != kCapitals.end()) return std::string(found->list);
  std::string out;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool next = key[i] == '_' && i + 1 < key.size();
    const char c = key[next ? ++i : i];
    out += next && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return out;
}

bool is_number_or_bool(std::string_view text) {
  if (text == "true" || text == "false") return true;
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_digit(c); });
}

/// One object; each block is gone through twice, since those of a list may stand apart.
class Blocks {
 public:
  Blocks(std::string_view text, std::string_view kind, std::size_t& left, HclYaml& out)
      : text_(text), kind_(kind), left_(left), out_(out) {}

  /// Attributes and blocks of the resource but for what speaks to Terraform alone.
  bool run(std::size_t brace) {
    bool spec = false;
    for (const Entry& entry : entries_of(brace)) {
      if (entry.what != Entry::Block || (entry.key != "metadata" && entry.key != "spec")) continue;
      spec = spec || entry.key == "spec";
      out_.put(entry.key, entry.from);
      out_.add(": ");
      body(entry.at, entry.key, 1);
      out_.add("\n");
    }
    return spec && !broken_ && left_ > 0;
  }

 private:
  struct Entry {
    enum What { Attribute, Block, Dynamic } what = Attribute;
    std::string_view key;
    std::size_t from = 0;  ///< of the key
    std::size_t at = 0;    ///< of the value, or the brace
  };

  std::vector<Entry> entries_of(std::size_t brace) {
    std::vector<Entry> out;
    HclReader in(text_, left_);
    in.at = brace + 1;
    while (true) {
      in.skip(true);
      if (in.ended() || in.here() == '}') return out;
      Entry entry;
      entry.from = in.at;
      while (!in.ended() && is_hcl_letter(in.here())) ++in.at;
      entry.key = text_.substr(entry.from, in.at - entry.from);
      in.skip(false);
      if (in.here() == '=') {
        ++in.at;
        in.skip(false);
        entry.at = in.at;
      } else {
        label(in, entry);
        entry.at = in.at;
        if (in.here() != '{') broken_ = true;
      }
      in.skip_expression();
      if (in.at == entry.from) {
        broken_ = true;
        return out;
      }
      out.push_back(entry);
    }
  }

  /// `dynamic "env" {`
  void label(HclReader& in, Entry& entry) const {
    entry.what = Entry::Block;
    if (in.here() != '"') return;
    const std::size_t begin = in.at + 1;
    in.skip_text();
    if (entry.key == "dynamic") {
      entry.what = Entry::Dynamic;
      entry.key = text_.substr(begin, in.at - begin - 1);
    }
    in.skip(false);
  }

  static std::string_view list_of(std::string_view key, std::string_view above) {
    if (key == "required_during_scheduling_ignored_during_execution" && above.starts_with("pod_"))
      return "requiredDuringSchedulingIgnoredDuringExecution";
    // The one of a probe is an attribute.
    const auto found = std::ranges::find(kListed, key, &Listed::block);
    return found == kListed.end() ? std::string_view() : found->list;
  }

  void body(std::size_t brace, std::string_view above, int depth) {
    if (depth > kDeepestHcl) {
      broken_ = true;
      return;
    }
    const std::vector<Entry> entries = entries_of(brace);
    out_.put("{", brace);
    std::vector<std::string_view> done;
    for (const Entry& entry : entries) {
      if (std::ranges::find(done, entry.key) != done.end()) continue;
      if (!done.empty()) out_.add(", ");
      done.push_back(entry.key);
      const std::string_view list = entry.what == Entry::Attribute ? std::string_view() : list_of(entry.key, above);
      // Source: hashicorp/terraform-provider-kubernetes:docs/resources/daemonset.md (2.38).
      const bool of_daemons = depth == 1 && entry.key == "strategy" && (kind_ == "daemonset" || kind_ == "daemon_set");
      out_.put(!list.empty() ? std::string(list) : of_daemons ? "updateStrategy" : camel(entry.key), entry.from);
      out_.add(": ");
      const bool open = std::ranges::any_of(
          entries, [&](const Entry& one) { return one.key == entry.key && one.what == Entry::Dynamic; });
      if (open) {
        out_.add(kOpenHcl);
      } else if (entry.what == Entry::Attribute) {
        attribute(entry);
      } else if (list.empty()) {
        body(entry.at, entry.key, depth + 1);
      } else {
        items(entries, entry.key, depth);
      }
    }
    out_.add("}");
  }

  void items(const std::vector<Entry>& entries, std::string_view key, int depth) {
    out_.add("[");
    bool first = true;
    for (const Entry& one : entries) {
      if (one.key != key) continue;
      if (!first) out_.add(", ");
      first = false;
      body(one.at, key, depth + 1);
    }
    out_.add("]");
  }

  /// The provider knows the type of each: `replicas = "2"` is a number, and `value = 1` of a variable a text.
  void attribute(const Entry& entry) {
    HclReader in(text_, left_);
    in.at = entry.at;
    HclReader behind = in;
    behind.skip_expression();
    const std::string_view written = without_hcl_comment(trim(text_.substr(entry.at, behind.at - entry.at)));
    const bool text = entry.key == "value" || entry.key == "name" || entry.key == "key";
    const std::string_view quoted =
        written.size() > 2 && written.front() == '"' ? written.substr(1, written.size() - 2) : std::string_view{};
    if (!text && is_number_or_bool(quoted)) return out_.put(quoted, entry.at + 1);
    if (text && is_number_or_bool(written)) {
      out_.add("\"");
      out_.put(written, entry.at);
      return out_.add("\"");
    }
    HclConverter converter(in, out_);
    converter.value(1);
    broken_ = broken_ || converter.broken();
  }

  std::string_view text_;
  std::string_view kind_;  ///< as the provider calls it: `daemonset`
  std::size_t& left_;
  HclYaml& out_;
  bool broken_ = false;
};

}  // namespace

std::optional<CutText> next_terraform_object(std::string_view text, std::size_t& from, std::size_t& left) {
  constexpr std::string_view kWord = "resource \"kubernetes_";
  while ((from = text.find(kWord, from)) != text.npos && left > 0) {
    from += kWord.size();
    std::string_view name = text.substr(from, text.find('"', from) - from);
    if (name.ends_with("_v1")) name.remove_suffix(3);
    const auto found = std::ranges::find(kResources, name, &Resource::name);
    const std::size_t brace = text.find_first_of("{\n", from);
    if (found == kResources.end() || brace == text.npos || text[brace] != '{') continue;
    HclYaml out;
    out.put(found->head, from);
    if (Blocks(text, name, left, out).run(brace)) return out.take();
  }
  from = text.size();
  return std::nullopt;
}

}  // namespace muster
