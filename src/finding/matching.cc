#include "finding/matching.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>

namespace muster {
namespace {

/// Numbers of findings, the most severe first: what was an error stays for errors as long as there are some.
std::vector<std::size_t> by_severity(std::span<const KeyedFindings> findings) {
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return findings[i].severity; });
  return order;
}

/// An object stays what it is when its API goes on to another version.
FindingKey of_any_version(FindingKey key) {
  key.object = without_api_version(key.object);
  return key;
}

FindingKey anywhere(FindingKey key) {
  key.file.clear();
  return of_any_version(std::move(key));
}

class Matcher {
 public:
  Matcher(std::span<const KeyedFindings> earlier, std::span<const KeyedFindings> later)
      : earlier_(earlier), later_(later), earlier_order_(by_severity(earlier)), later_order_(by_severity(later)) {
    out_.known.resize(later.size());
    out_.from.resize(later.size(), Matching::kNone);
    for (const KeyedFindings& one : earlier) out_.left.push_back(one.count);
  }

  Matching run(const HoldsObject& holds) {
    match([](const FindingKey& key) { return key; }, [](const KeyedFindings&) { return true; });
    match(of_any_version, [](const KeyedFindings&) { return true; });
    match(anywhere, [&](const KeyedFindings& one) { return one.named && !holds(one.key.file, one.key.object); });
    return std::move(out_);
  }

 private:
  /// Matches what is still open and equal under `name`; of the earlier ones those that `counts`.
  template <class Name, class Counts>
  void match(Name name, Counts counts) {
    std::map<FindingKey, std::vector<std::size_t>> open;
    for (const std::size_t i : earlier_order_) {
      if (out_.left[i] > 0 && counts(earlier_[i])) open[name(earlier_[i].key)].push_back(i);
    }
    std::map<FindingKey, std::size_t> taken;  // how many of each list are used up
    for (const std::size_t i : later_order_) {
      if (out_.known[i]) continue;
      const auto found = open.find(name(later_[i].key));
      if (found == open.end()) continue;
      std::size_t& at = taken[found->first];
      while (at < found->second.size() && out_.left[found->second[at]] == 0) ++at;
      if (at == found->second.size()) continue;
      const std::size_t continued = found->second[at];
      if (earlier_[continued].severity > later_[i].severity) continue;
      --out_.left[continued];
      out_.known[i] = true;
      out_.from[i] = continued;
    }
  }

  std::span<const KeyedFindings> earlier_;
  std::span<const KeyedFindings> later_;
  std::vector<std::size_t> earlier_order_;
  std::vector<std::size_t> later_order_;
  Matching out_;
};

}  // namespace

Matching match_findings(std::span<const KeyedFindings> earlier, std::span<const KeyedFindings> later,
                        const HoldsObject& holds) {
  return Matcher(earlier, later).run(holds);
}

std::string without_api_version(std::string_view object) {
  const std::size_t slash = object.find('/');
  if (slash == object.npos) return std::string(object);
  const auto is_version = [](std::string_view part) {
    return part.size() > 1 && part[0] == 'v' && part[1] >= '0' && part[1] <= '9';
  };
  const std::string_view first = object.substr(0, slash);
  if (is_version(first)) return std::string(object.substr(slash + 1));
  const std::string_view rest = object.substr(slash + 1);
  const std::size_t next = rest.find('/');
  if (next == rest.npos || !is_version(rest.substr(0, next))) return std::string(object);
  return std::string(first) + std::string(rest.substr(next));
}

std::string words_of_user(std::string_view message) {
  std::string out;
  for (std::size_t begin = message.find('`'); begin != message.npos;) {
    const std::size_t end = message.find('`', begin + 1);
    if (end == message.npos) break;
    if (!out.empty()) out += ' ';
    out += message.substr(begin + 1, end - begin - 1);
    begin = message.find('`', end + 1);
  }
  return out;
}

}  // namespace muster
