#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/natural_order.h"
#include "base/strings.h"
#include "inventory/readers.h"

namespace muster {
namespace {

// Source: linux-rdma/rdma-core:infiniband-diags/ibnetdiscover.c (topology file), and its manual page.

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// Groups that turn out to be one are joined; the smallest number stands for the group.
class Groups {
 public:
  explicit Groups(std::size_t count) : up_(count) {
    for (std::size_t i = 0; i < count; ++i) up_[i] = i;
  }
  std::size_t of(std::size_t i) {
    while (up_[i] != i) i = up_[i] = up_[up_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = of(a);
    b = of(b);
    up_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> up_;
};

bool is_device(std::string_view word) {
  return starts_with_ignoring_case(word, "hca-") || starts_with_ignoring_case(word, "mlx") ||
         starts_with_ignoring_case(word, "hfi") || starts_with_ignoring_case(word, "ib") ||
         starts_with_ignoring_case(word, "bnxt");
}

/// The host of an HCA by its node description: `a08-c01 mlx5_5`, `a08-c01 HCA-6`, `'a08-c01' mlx5_0`. Empty where
/// nobody set it: then it is the name of the product.
std::string host_of(std::string_view description) {
  const std::vector<std::string_view> words = split_blanks(description);
  if (words.empty() || words.size() > 2 || (words.size() == 2 && !is_device(words[1]))) return "";
  std::string host = replace_all(std::string(words[0]), "'", "");
  if (!is_node_name(host) || host == "localhost" || (words.size() == 1 && is_device(host))) return "";
  return host;
}

/// A switch's own name in what a managed switch says of itself: `MF0;leaf-01:MQM9701/U1` is leaf-01.
std::string switch_name(std::string_view description, std::string_view guid) {
  const std::size_t semicolon = description.find(';');
  std::string_view name = semicolon == description.npos ? description : description.substr(semicolon + 1);
  name = trim(name.substr(0, name.find(':')));
  const bool good = is_node_name(name) && (semicolon != description.npos || !contains(description, " "));
  return std::string(good ? name : guid);
}

class FabricReader {
 public:
  FabricReader(FileId file, DumpContext& context)
      : file_(file), context_(context), text_(context.sources.file(file).text()) {}

  void run() {
    read_lines();
    make_names_unique();
    const std::vector<std::size_t> level = levels();
    Dump dump = make_dump(level);
    context_.dumps.push_back(std::move(dump));
  }

 private:
  struct IbSwitch {
    std::string guid;
    std::string name;
    std::string description;
    Span where;
    std::vector<std::size_t> switches;  ///< by number; may repeat
    std::vector<std::size_t> hosts;     ///< by number; may repeat
    bool has_hca = false;               ///< be it of a host without a name
  };
  struct Host {
    std::string name;
    Span where;
    std::vector<std::string_view> ports;  ///< HCAs by GUID
  };

  std::size_t switch_number(std::string_view guid) {
    const auto [found, fresh] = by_guid_.try_emplace(std::string(guid), switches_.size());
    if (fresh) {
      switches_.emplace_back();
      switches_.back().guid = guid;
    }
    return found->second;
  }

  void read_lines() {
    std::size_t current = kNone;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = text_.substr(at, end - at);
      const Span where{file_, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + trim(line).size())};
      at = end + 1;
      if (line.starts_with("Switch")) {
        current = switch_number(quoted_id(line));
        IbSwitch& one = switches_[current];
        one.where = where;
        one.description = description_of(line);
        one.name = switch_name(one.description, one.guid);
      } else if (line.starts_with("Ca") || line.starts_with("Rt")) {
        current = kNone;
        if (line.starts_with("Ca")) count_hca(line, where);
      } else if (current != kNone && line.starts_with("[")) {
        read_port(current, line, where);
      }
    }
  }

  /// `Switch 65 "S-guid"  # "description" ...` and `[1] "H-guid"[1](port) # "description" lid ...`.
  static std::string_view quoted_id(std::string_view line) { return between_quotes(line, 0); }
  static std::string_view description_of(std::string_view line) {
    const std::size_t hash = line.find('#');
    return hash == line.npos ? std::string_view{} : between_quotes(line.substr(hash), 0);
  }
  static std::string_view between_quotes(std::string_view line, std::size_t from) {
    const std::size_t open = line.find('"', from);
    if (open == line.npos) return {};
    const std::size_t close = line.find('"', open + 1);
    return close == line.npos ? std::string_view{} : line.substr(open + 1, close - open - 1);
  }

  static bool is_aggregation(std::string_view description) {
    return contains(description, "Aggregation Node");
  }  // SHARP, inside the switch

  std::size_t host_number(const std::string& name, const Span& where) {
    const auto [found, fresh] = by_host_.try_emplace(name, hosts_.size());
    if (fresh) hosts_.push_back({name, where, {}});
    return found->second;
  }

  void count_hca(std::string_view line, const Span& where) {
    const std::string_view description = description_of(line);
    if (is_aggregation(description)) return;
    const std::string host = host_of(description);
    if (host.empty()) ++nameless_;
    if (!host.empty()) hosts_[host_number(host, where)].ports.push_back(quoted_id(line));
  }

  void read_port(std::size_t number, std::string_view line, const Span& where) {
    const std::string_view id = quoted_id(line);
    const std::string_view description = description_of(line);
    if (id.starts_with("S-")) {
      const std::size_t other = switch_number(id);
      switches_[number].switches.push_back(other);
      if (switches_[other].description.empty()) {
        switches_[other].description = description;
        switches_[other].name = switch_name(description, id);
        switches_[other].where = where;
      }
      return;
    }
    if (!id.starts_with("H-") || is_aggregation(description)) return;
    switches_[number].has_hca = true;
    const std::string host = host_of(description);
    if (!host.empty()) switches_[number].hosts.push_back(host_number(host, where));
  }

  /// Parts of one chassis share its name; they are told apart by what stands behind it, then by GUID.
  void make_names_unique() {
    std::map<std::string, int> count;
    for (const IbSwitch& one : switches_) ++count[one.name];
    for (IbSwitch& one : switches_) {
      if (count[one.name] > 1) one.name += "-" + one.guid;
    }
  }

  /// Hops to the nearest host: leaves are 0. What no host can be reached from has the largest number.
  std::vector<std::size_t> levels() const {
    std::vector<std::size_t> level(switches_.size(), switches_.size());
    std::vector<std::size_t> queue;
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      if (!switches_[i].has_hca) continue;
      level[i] = 0;
      queue.push_back(i);
    }
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const std::size_t other : switches_[queue[at]].switches) {
        if (level[other] < switches_.size()) continue;
        level[other] = level[queue[at]] + 1;
        queue.push_back(other);
      }
    }
    return level;
  }

  /// Switches of one level are one domain where something below hangs on several of them: rails of one host, leaves
  /// that reach each other through any of the spines.
  Groups group(const std::vector<std::size_t>& level) const {
    Groups groups(switches_.size());
    std::vector<std::size_t> first(hosts_.size(), switches_.size());
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      for (const std::size_t host : switches_[i].hosts) {
        if (first[host] == switches_.size()) first[host] = i;
        groups.join(first[host], i);
      }
    }
    // From the leaves up: what is below has been joined before.
    std::size_t top = 0;
    for (const std::size_t l : level) top = l < switches_.size() ? std::max(top, l) : top;
    std::vector<std::vector<std::size_t>> by_level(top + 1);
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      if (level[i] <= top) by_level[level[i]].push_back(i);
    }
    for (std::size_t l = 0; l + 1 <= top; ++l) {
      std::unordered_map<std::size_t, std::size_t> above;
      for (const std::size_t i : by_level[l]) {
        for (const std::size_t other : switches_[i].switches) {
          if (level[other] == l + 1) groups.join(above.try_emplace(groups.of(i), other).first->second, other);
        }
      }
    }
    return groups;
  }

  Dump make_dump(const std::vector<std::size_t>& level) {
    Dump dump;
    dump.file = file_;
    dump.format = "ibnetdiscover";
    dump.rank = 60;
    dump.scope = Scope::Fabric;
    dump.where = {file_, 0, 0};
    for (const Host& host : hosts_) {
      NodeRecord record;
      record.names = {host.name};
      record.where = host.where;
      say(context_, record, "fabric.kind", "infiniband", host.where);
      if (nameless_ == 0 && !host.ports.empty())
        say(context_, record, "fabric.rails", std::to_string(host.ports.size()), host.where);
      if (nameless_ > 0)
        leave_open(record, "fabric.rails",
                   "HCAs without a name may be of these hosts; `ibv_devices` on one of them tells");
      dump.nodes.push_back(std::move(record));
    }
    if (nameless_ > 0)
      dump.notes.push_back("the descriptions of " + count_of(nameless_, "HCA") +
                           " name no host: those hosts are not in here; rdma-ndd on them sets it");
    TopologyRecord topology = make_topology(level, group(level));
    if (!topology.domains.empty()) dump.topologies.push_back(std::move(topology));
    return dump;
  }

  TopologyRecord make_topology(const std::vector<std::size_t>& level, Groups groups) const {
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < switches_.size(); ++i) {
      if (level[i] < switches_.size()) members[groups.of(i)].push_back(i);
    }
    // A group is called after its first switch.
    std::unordered_map<std::size_t, std::string> names;
    for (auto& [id, list] : members) {
      std::ranges::sort(
          list, [&](std::size_t a, std::size_t b) { return naturally_before(switches_[a].name, switches_[b].name); });
      names[id] = switches_[list.front()].name;
    }
    TopologyRecord record;
    record.where = {file_, 0, 0};
    for (const auto& [id, list] : members) {
      DomainRecord domain;
      domain.name = names[id];
      domain.where = switches_[list.front()].where;
      for (const std::size_t i : list) {
        for (const std::size_t host : switches_[i].hosts) domain.nodes.push_back(hosts_[host].name);
        for (const std::size_t other : switches_[i].switches) {
          if (level[other] == level[i] + 1) domain.parent = names[groups.of(other)];
        }
      }
      std::ranges::sort(domain.nodes);
      domain.nodes.erase(std::unique(domain.nodes.begin(), domain.nodes.end()), domain.nodes.end());
      domain.note = note_of(list);
      record.domains.push_back(std::move(domain));
    }
    std::ranges::sort(record.domains,
                      [](const DomainRecord& a, const DomainRecord& b) { return naturally_before(a.name, b.name); });
    return record;
  }

  std::string note_of(const std::vector<std::size_t>& list) const {
    if (list.size() == 1) return "";
    constexpr std::size_t kShown = 12;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(list.size(), kShown); ++i) names.push_back(switches_[list[i]].name);
    return count_of(list.size(), "switch") + ": " + join(names, ", ") + (list.size() > kShown ? " ..." : "");
  }

  FileId file_;
  DumpContext& context_;
  std::string_view text_;
  std::vector<IbSwitch> switches_;
  std::vector<Host> hosts_;
  std::unordered_map<std::string, std::size_t> by_guid_;
  std::unordered_map<std::string, std::size_t> by_host_;
  std::size_t nameless_ = 0;
};

}  // namespace

void read_ibnetdiscover(FileId file, DumpContext& context) { FabricReader(file, context).run(); }

}  // namespace muster
