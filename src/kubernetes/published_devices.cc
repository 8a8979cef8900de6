#include "kubernetes/published_devices.h"

#include <algorithm>

#include "base/strings.h"
#include "expr/expr.h"
#include "expr/functions.h"
#include "kubernetes/device_selector.h"

namespace muster {
namespace {

// Source: kubernetes/api:resource/v1/types.go, ResourceSlice and Device (1.37); v1beta1 has `basic` in between.

constexpr std::uint64_t kMostLooks = 1'000'000;  // devices times expressions of a bundle
constexpr std::uint64_t kMostStepsOfDevice = 10'000;
constexpr std::size_t kMostDevices = 100'000;

std::string_view slice_text(const WrittenValue* value) {
  return value != nullptr && value->state == State::Set ? value->text() : std::string_view();
}

std::int64_t slice_number(const WrittenValue* value, std::int64_t otherwise) {
  const bool number = value != nullptr && value->state == State::Set && value->kind == WrittenValue::Kind::Int;
  return number ? value->number() : otherwise;
}

void add_named(const WrittenValue* map, std::string_view driver,
               std::map<std::pair<std::string_view, std::string_view>, const WrittenValue*>& out) {
  for (std::size_t i = 0; map != nullptr && i < map->keys().size(); ++i) {
    const std::string_view key = map->keys()[i];
    const std::size_t slash = key.find('/');
    const std::string_view domain = slash == key.npos ? driver : key.substr(0, slash);
    out[{domain, slash == key.npos ? key : key.substr(slash + 1)}] = &map->items()[i];
  }
}

/// Slices of one pool.
struct PoolOfSlices {
  std::int64_t generation = -1;
  std::int64_t wanted = 1;
  std::vector<const Manifest*> slices;
};

void add_pool(const PoolOfSlices& pool, PublishedDevices& out) {
  for (const Manifest* slice : pool.slices) {
    const std::string_view driver = slice->part("publisher").text();
    const std::string_view node = slice_text(&slice->part("node"));
    const WrittenValue& devices = slice->part("devices");
    const bool whole = static_cast<std::int64_t>(pool.slices.size()) >= pool.wanted;
    if (!whole || node.empty() || devices.state == State::Unknown ||
        out.devices.size() + devices.items().size() > kMostDevices) {
      out.open.insert(driver);
      continue;
    }
    for (const WrittenValue& device : devices.items()) {
      if (device.state == State::Unknown) out.open.insert(driver);
      const WrittenValue* basic = device.find("basic");
      const WrittenValue& body = basic == nullptr ? device : *basic;
      PublishedDevice one{node, driver, slice_text(device.find("name")), false, {}, {}};
      const WrittenValue* shared = body.find("allowMultipleAllocations");
      one.shared = shared != nullptr && shared->flag;
      add_named(body.find("attributes"), driver, one.attributes);
      add_named(body.find("capacity"), driver, one.capacities);
      out.devices.push_back(std::move(one));
    }
  }
}

/// `{string: a}`, `{int: 1}`, `{bool: true}`, `{version: 1.0.0}`; a list of such from 1.36 on. Nothing where it is
/// none, or cannot be read.
std::optional<Value> attribute_value(const WrittenValue& written, EvalContext& context) {
  if (written.keys().size() != 1) return std::nullopt;
  const std::string_view kind = written.keys().front();
  const WrittenValue& held = written.items().front();
  if (held.state != State::Set) return std::nullopt;
  if (kind == "string") return Value::of(held.text());
  if (kind == "int" && held.kind == WrittenValue::Kind::Int) return Value::of(held.number());
  if (kind == "bool" && held.kind == WrittenValue::Kind::Bool) return Value::of(held.flag);
  if (kind != "version") return std::nullopt;
  const std::optional<SemverData> version = parse_semver(held.text());
  if (!version) return std::nullopt;
  return Value::of(static_cast<const SemverData*>(context.read.arena->make(*version)));
}

/// `{value: 80Gi}`, or a quantity by itself as in v1beta1.
std::optional<Value> capacity_value(const WrittenValue& written, EvalContext&) {
  const WrittenValue* inner = written.find("value");
  const std::optional<Quantity> amount = Quantity::parse(slice_text(inner == nullptr ? &written : inner));
  return amount ? std::optional(Value::of(*amount)) : std::nullopt;
}

/// A map whose entries lie in the arena.
Value kept_map(std::span<const MapEntry> entries, EvalContext& context) {
  const std::span<MapEntry> kept = context.read.arena->make_array<MapEntry>(entries.size());
  std::ranges::copy(entries, kept.begin());
  return make_map(kept, context);
}

/// A map of domains, each a map of names. A domain that is read and that the device does not have is an empty map;
/// what cannot be read is open.
Value by_domain(const std::map<std::pair<std::string_view, std::string_view>, const WrittenValue*>& named,
                std::optional<Value> (*read)(const WrittenValue&, EvalContext&), const std::set<std::string>& asked,
                EvalContext& context) {
  std::map<std::string_view, std::vector<MapEntry>> domains;
  for (const std::string& domain : asked) domains.try_emplace(domain);
  for (const auto& [name, written] : named) {
    const std::optional<Value> value = read(*written, context);
    domains[name.first].push_back(
        {Value::of(name.second),
         value.value_or(Value::unknown(context.read.arena->make(UnknownNeed{"a value", nullptr})))});
  }
  std::vector<MapEntry> entries;
  for (const auto& [domain, names] : domains) entries.push_back({Value::of(domain), kept_map(names, context)});
  return kept_map(entries, context);
}

Value device_value(const PublishedDevice& device, const std::set<std::string>& asked, EvalContext& context) {
  const std::vector<MapEntry> entries{
      {Value::of(std::string_view("allowMultipleAllocations")), Value::of(device.shared)},
      {Value::of(std::string_view("attributes")), by_domain(device.attributes, attribute_value, asked, context)},
      {Value::of(std::string_view("capacity")), by_domain(device.capacities, capacity_value, asked, context)},
      {Value::of(std::string_view("driver")), Value::of(device.driver)}};
  return kept_map(entries, context);
}

}  // namespace

const WrittenValue* PublishedDevice::attribute(std::string_view full_name) const {
  const std::size_t slash = full_name.find('/');
  if (slash == full_name.npos) return nullptr;
  const auto found = attributes.find({full_name.substr(0, slash), full_name.substr(slash + 1)});
  return found == attributes.end() ? nullptr : found->second;
}

std::map<std::string, PublishedDevices> published_devices(const std::vector<const Manifest*>& slices) {
  std::map<std::string, std::map<std::pair<std::string_view, std::string_view>, PoolOfSlices>> pools;
  std::map<std::string, PublishedDevices> out;
  for (const Manifest* slice : slices) {
    if (slice_text(&slice->part("uid")).empty()) continue;
    out[slice->bundle].first = slice->where;
    const WrittenValue& pool = slice->part("pool");
    PoolOfSlices& of = pools[slice->bundle][{slice->part("publisher").text(), slice_text(pool.find("name"))}];
    const std::int64_t generation = slice_number(pool.find("generation"), 0);
    if (generation < of.generation) continue;  // about to be deleted
    if (generation > of.generation) of.slices.clear();
    of.generation = generation;
    of.wanted = slice_number(pool.find("resourceSliceCount"), 1);
    of.slices.push_back(slice);
  }
  for (const auto& [bundle, of_bundle] : pools) {
    for (const auto& [name, pool] : of_bundle) add_pool(pool, out[bundle]);
  }
  return out;
}

const std::vector<DeviceVerdict>& DeviceSelection::by(std::string_view expression) {
  const auto known = known_.find(expression);
  if (known != known_.end()) return known->second;
  std::vector<DeviceVerdict>& out = known_[std::string(expression)];
  out.assign(all_.devices.size(), DeviceVerdict::Open);
  looks_ += all_.devices.size();
  const std::optional<DeviceSelector> read = read_device_selector(expression);
  if (looks_ > kMostLooks || !read || !read->refused.empty()) return out;
  std::set<std::string> domains;
  for (const DeviceRead& one : read->reads) domains.insert(one.domain);
  CompileEnv env;
  env.gradual = true;
  env.variables = {{"device", kDynType}};
  std::vector<ExprIssue> issues;
  const std::optional<Expr> compiled = Expr::compile(expression, env, issues);
  if (!compiled) return out;
  Arena arena;
  EvalContext context;
  context.read.arena = &arena;
  context.max_steps = kMostStepsOfDevice;
  context.slots.resize(1);
  for (std::size_t i = 0; i < all_.devices.size(); ++i) {
    arena.reset();
    context.begin_evaluation();
    context.slots.resize(1);
    context.slots[0] = device_value(all_.devices[i], domains, context);
    const Value value = compiled->eval(context);
    if (value.is(Value::Kind::Bool)) out[i] = value.as_bool() ? DeviceVerdict::Yes : DeviceVerdict::No;
  }
  return out;
}

}  // namespace muster
