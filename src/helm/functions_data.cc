// Functions about lists and maps. Sources: Masterminds/sprig:dict.go, list.go, defaults.go, reflect.go (3.3);
// mergo 1.0; golang/go:src/text/template/funcs.go (1.25).
#include <algorithm>

#include "base/strings.h"
#include "helm/call.h"

namespace muster::helm {
namespace {

Value texts(Call& call, const std::vector<std::string>& from) {
  const Value out = call.engine.store().list();
  for (const std::string& one : from) out.list->items.push_back(Value::of(one));
  return out;
}

bool is_empty(const Value& value) {
  return !is_true(value);  // a record is never empty
}

/// As sprig's strslice does: what is nil is left out, what is no list is the only one.
std::vector<std::string> strings_of(const Value& value) {
  std::vector<std::string> out;
  if (!value.is_list()) {
    if (!value.is_nil()) out.push_back(text_of(value));
    return out;
  }
  for (const Value& item : value.list->items) {
    if (!item.is_nil()) out.push_back(text_of(item));
  }
  return out;
}

bool spend_on(Call& call, const Value& list) { return call.engine.spend(1 + list.list->items.size()); }

/// A copy of the items; a trouble where it is no list.
Value items_of(Call& call, const Value& value) {
  if (!value.is_list()) return call.fail("it takes a list, not a " + std::string(kind_name(value)));
  return spend_on(call, value) ? call.engine.store().list(value.list->items) : Value();
}

Value one_end(Call& call, bool last) {
  if (!call.at(0).is_list()) return call.fail("it takes a list, not a " + std::string(kind_name(call.at(0))));
  const std::vector<Value>& items = call.at(0).list->items;
  if (items.empty()) return {};
  return last ? items.back() : items.front();
}

Value without_end(Call& call, bool last) {
  const Value out = items_of(call, call.at(0));
  if (!out.is_list() || out.list->items.empty()) return out.is_list() ? Value() : out;
  out.list->items.erase(last ? out.list->items.end() - 1 : out.list->items.begin());
  return out;
}

Value with_more(Call& call, bool at_end) {
  const Value out = items_of(call, call.at(0));
  if (out.is_list()) out.list->items.insert(at_end ? out.list->items.end() : out.list->items.begin(), call.at(1));
  return out;
}

Value concat(Call& call) {
  const Value out = call.engine.store().list();
  out.list->unset = true;
  for (const Value& one : call.arguments) {
    if (!one.is_list()) return call.fail("Cannot concat type " + std::string(kind_name(one)) + " as list");
    if (!spend_on(call, one)) return {};
    out.list->items.insert(out.list->items.end(), one.list->items.begin(), one.list->items.end());
  }
  return out;
}

bool holds(Call& call, const std::vector<Value>& items, const Value& value) {
  return std::ranges::any_of(items, [&](const Value& one) { return call.engine.spend(1) && deep_equal(one, value); });
}

Value filtered(Call& call, bool (*keeps)(Call&, const Value&, const std::vector<Value>&)) {
  if (!call.at(0).is_list()) return call.fail("it takes a list, not a " + std::string(kind_name(call.at(0))));
  const Value out = call.engine.store().list();
  for (const Value& one : call.at(0).list->items) {
    if (call.engine.failed()) return {};
    if (keeps(call, one, out.list->items)) out.list->items.push_back(one);
  }
  return out;
}

Value has(Call& call) {
  if (call.at(1).is_nil()) return Value::of(false);
  if (!call.at(1).is_list()) return call.fail("Cannot find has on type " + std::string(kind_name(call.at(1))));
  return Value::of(holds(call, call.at(1).list->items, call.at(0)));
}

Value reversed(Call& call) {
  const Value out = items_of(call, call.at(0));
  if (out.is_list()) std::ranges::reverse(out.list->items);
  return out;
}

Value sorted(Call& call) {
  std::vector<std::string> all = strings_of(call.at(0));
  if (!call.engine.spend(all.size() * 4)) return {};
  std::ranges::sort(all);
  return texts(call, all);
}

Value chunk(Call& call) {
  if (!call.at(1).is_list() || call.integer(0) <= 0) return call.fail("it takes a size and a list");
  const Value out = call.engine.store().list();
  for (const Value& one : call.at(1).list->items) {
    std::vector<Value>& parts = out.list->items;
    const auto size = static_cast<std::size_t>(call.integer(0));
    if (parts.empty() || parts.back().list->items.size() == size) parts.push_back(call.engine.store().list());
    parts.back().list->items.push_back(one);
    if (!call.engine.spend(1)) return {};
  }
  return out;
}

/// `slice LIST 1 3`, also of a text where Go's own is meant; sprig's has the name.
Value slice(Call& call) {
  const Value& value = call.at(0);
  if (!value.is_list()) return call.fail("list should be type of slice or array but " + std::string(kind_name(value)));
  const auto size = static_cast<std::int64_t>(value.list->items.size());
  const std::int64_t begin = call.size() > 1 ? to_integer(call.at(1)) : 0;
  const std::int64_t end = call.size() > 2 ? to_integer(call.at(2)) : size;
  if (size == 0) return {};
  if (begin < 0 || end < begin || end > size) return call.fail("slice bounds out of range");
  if (!spend_on(call, value)) return {};
  return call.engine.store().list({value.list->items.begin() + begin, value.list->items.begin() + end});
}

Value dict(Call& call) {
  const Value out = call.engine.store().map();
  for (std::size_t i = 0; i < call.size(); i += 2)
    out.map->at(text_of(call.at(i))) = i + 1 < call.size() ? call.at(i + 1) : Value::of(std::string());
  return out;
}

Value get(Call& call) {
  const Value* found = call.at(0).map->find(call.text(1));
  return found == nullptr ? Value::of(std::string()) : *found;
}

Value set(Call& call) {
  call.at(0).map->at(call.text(1)) = call.at(2);
  return call.at(0);
}

Value unset(Call& call) {
  const auto found = call.at(0).map->members.find(call.text(1));
  if (found != call.at(0).map->members.end()) call.at(0).map->members.erase(found);
  return call.at(0);
}

Value keys(Call& call) {
  std::vector<std::string> out;
  for (const Value& one : call.arguments) {
    for (const auto& [key, member] : one.map->members) out.push_back(key);
  }
  return call.engine.spend(out.size()) ? texts(call, out) : Value();
}

Value values(Call& call) {
  const Value out = call.engine.store().list();
  for (const auto& [key, member] : call.at(0).map->members) out.list->items.push_back(member.value);
  return call.engine.spend(out.list->items.size()) ? out : Value();
}

Value pluck(Call& call) {
  const Value out = call.engine.store().list();
  for (std::size_t i = 1; i < call.size(); ++i) {
    if (!call.at(i).is_map()) return call.fail("it takes maps");
    if (const Value* found = call.at(i).map->find(call.text(0))) out.list->items.push_back(*found);
  }
  return out;
}

Value picked(Call& call, bool picks) {
  const Value out = call.engine.store().map();
  std::vector<std::string> names;
  for (std::size_t i = 1; i < call.size(); ++i) {
    // `omit . (list "a" "b")` is refused by Go; what is given are texts.
    if (!call.at(i).is_text()) return call.fail("it takes names of keys");
    names.push_back(call.text(i));
  }
  for (const auto& [key, member] : call.at(0).map->members) {
    if ((std::ranges::find(names, key) != names.end()) == picks) out.map->members.emplace(key, member);
  }
  return call.engine.spend(1 + call.at(0).map->members.size()) ? out : Value();
}

void merge_into(Call& call, Map& to, const Map& from, bool overwrites, int depth) {
  if (depth > kDeepestValue || &to == &from) return;
  for (const auto& [key, member] : from.members) {
    if (!call.engine.spend(1)) return;
    const auto found = to.members.find(key);
    const bool there = found != to.members.end();
    const Value& value = member.value;
    if (value.is_nil()) {
      if (overwrites) to.members[key] = member;
      continue;
    }
    if (there && value.is_map() && found->second.value.is_map() && !found->second.value.map->members.empty()) {
      merge_into(call, *found->second.value.map, *value.map, overwrites, depth + 1);
      continue;
    }
    const bool stays = there && !is_empty(found->second.value);
    if (stays && value.is_list() && (!overwrites || value.list->items.empty())) continue;
    if (!stays || overwrites) to.members[key] = member;
  }
}

Value merged(Call& call) {
  const bool overwrites = call.name.ends_with("Overwrite");
  for (std::size_t i = 1; i < call.size(); ++i) merge_into(call, *call.at(0).map, *call.at(i).map, overwrites, 0);
  return call.at(0);
}

Value copied(Call& call) {
  Value out;
  if (!deep_copy(call.at(0), call.engine.store(), out)) return call.fail("it is nested too deeply");
  return call.engine.spend(100) ? out : Value();
}

Value dig(Call& call) {
  if (call.size() < 3) return call.fail("dig needs at least three arguments");
  Value value = call.at(call.size() - 1);
  for (std::size_t i = 0; i + 2 < call.size(); ++i) {
    if (!value.is_map()) return call.fail("interface conversion: it is no map");
    const Value* next = value.map->find(text_of(call.at(i)));
    if (next == nullptr) return call.at(call.size() - 2);
    value = *next;
  }
  return value;
}

Value index(Call& call) {
  Value value = call.at(0);
  if (value.is_nil()) return call.fail("index of untyped nil");
  for (std::size_t i = 1; i < call.size(); ++i) {
    const Value& key = call.at(i);
    if (value.is_map()) {
      if (!key.is_text()) return call.fail("value has type " + std::string(kind_name(key)) + "; should be string");
      const Value* found = value.map->find(key.text);
      value = found == nullptr ? Value() : *found;
      call.engine.see(value);
      continue;
    }
    if (!value.is_list() && !value.is_text())
      return call.fail(value.is_nil() ? "index of nil pointer"
                                      : "can't index item of type " + std::string(kind_name(value)));
    if (!key.is(Value::Kind::Integer))
      return call.fail("cannot index slice/array with type " + std::string(kind_name(key)));
    const std::size_t size = value.is_list() ? value.list->items.size() : value.text.size();
    if (key.integer < 0 || static_cast<std::size_t>(key.integer) >= size)
      return call.fail("index out of range: " + std::to_string(key.integer));
    const auto at = static_cast<std::size_t>(key.integer);
    value = value.is_list() ? Value(value.list->items[at])
                            : Value::of(static_cast<std::int64_t>(static_cast<unsigned char>(value.text[at])));
    call.engine.see(value);
  }
  return value;
}

Value length(Call& call) {
  const Value& value = call.at(0);
  if (value.is_text()) return Value::of(static_cast<std::int64_t>(value.text.size()));
  std::size_t size = 0;
  if (value.is_list())
    size = value.list->items.size();
  else if (value.is_map())
    size = value.map->members.size();
  else
    return call.fail(value.is_nil() ? "len of nil pointer" : "len of type " + std::string(kind_name(value)));
  Value out = Value::of(static_cast<std::int64_t>(size));
  out.constant = true;  // an int
  return out;
}

std::string type_name(const Value& value) {
  switch (value.kind) {
    case Value::Kind::Nil: return "<nil>";
    case Value::Kind::List: return "[]interface {}";
    case Value::Kind::Map: return value.map->record ? "struct" : "map[string]interface {}";
    default: return std::string(kind_name(value));
  }
}

Value coalesced(Call& call) {
  for (const Value& one : call.arguments) {
    if (!is_empty(one)) return one;
  }
  return {};
}

Value defaulted(Call& call) {
  if (call.size() < 2 || is_empty(call.at(1))) return call.at(0);
  return call.at(1);
}

Value split_map(Call& call) {
  const bool bounded = call.name == "splitn";
  const std::string& separator = call.text(0);
  std::string_view rest = call.text(call.size() - 1);
  const Value out = call.engine.store().map();
  for (std::int64_t i = 0;; ++i) {
    const std::size_t found =
        separator.empty() || (bounded && i + 1 >= call.integer(1)) ? rest.npos : rest.find(separator);
    out.map->at("_" + std::to_string(i)) = Value::of(std::string(rest.substr(0, found)));
    if (found == rest.npos || !call.engine.spend(1)) return out;
    rest.remove_prefix(found + separator.size());
  }
}

Value split_list(Call& call) {
  const std::string& separator = call.text(0);
  std::string_view rest = call.text(1);
  const Value out = call.engine.store().list();
  for (;;) {
    const std::size_t found = separator.empty() ? (rest.size() > 1 ? 1 : rest.npos) : rest.find(separator);
    out.list->items.push_back(Value::of(std::string(rest.substr(0, found))));
    if (found == rest.npos || !call.engine.spend(1)) return out;
    rest.remove_prefix(found + separator.size());
  }
}

Value join_texts(Call& call) {
  const std::vector<std::string> all = strings_of(call.at(1));
  std::string out = join(std::span<const std::string>(all), call.text(0));
  return call.engine.spend(all.size() + out.size() / 16) ? Value::of(std::move(out)) : Value();
}

Value required(Call& call) {
  const Value& value = call.at(1);
  if (value.is_nil() || (value.is_text() && value.text.empty())) return call.engine.refuse(call.text(0));
  return value;
}

bool keeps_full(Call&, const Value& one, const std::vector<Value>&) { return !is_empty(one); }
bool keeps_new(Call& call, const Value& one, const std::vector<Value>& kept) { return !holds(call, kept, one); }
bool keeps_other(Call& call, const Value& one, const std::vector<Value>&) {
  return !holds(call, {call.arguments.begin() + 1, call.arguments.end()}, one);
}

}  // namespace

const std::vector<Function> kDataFunctions = {
    {"all", "a*", [](Call& c) { return Value::of(std::ranges::none_of(c.arguments, is_empty)); }},
    {"any", "a*", [](Call& c) { return Value::of(!std::ranges::all_of(c.arguments, is_empty)); }},
    {"append", "aa", [](Call& c) { return with_more(c, true); }},
    {"chunk", "ia", chunk},
    {"coalesce", "a*", coalesced},
    {"compact", "a", [](Call& c) { return filtered(c, keeps_full); }},
    {"concat", "a*", concat},
    {"deepCopy", "a", copied},
    {"deepEqual", "aa", [](Call& c) { return Value::of(deep_equal(c.at(0), c.at(1))); }},
    {"default", "aa*", defaulted},
    {"dict", "a*", dict},
    {"dig", "a*", dig},
    {"empty", "a", [](Call& c) { return Value::of(is_empty(c.at(0))); }},
    {"fail", "s", [](Call& c) { return c.engine.refuse(c.text(0)); }},
    {"first", "a", [](Call& c) { return one_end(c, false); }},
    {"get", "ms", get},
    {"has", "aa", has},
    {"hasKey", "ms", [](Call& c) { return Value::of(c.at(0).map->find(c.text(1)) != nullptr); }},
    {"include", "sa", [](Call& c) { return c.engine.include(c.text(0), c.at(1)); }},
    {"index", "aa*", index},
    {"initial", "a", [](Call& c) { return without_end(c, true); }},
    {"join", "sa", join_texts},
    {"keys", "m*", keys},
    {"kindIs", "sa", [](Call& c) { return Value::of(c.text(0) == kind_name(c.at(1))); }},
    {"kindOf", "a", [](Call& c) { return Value::of(std::string(kind_name(c.at(0)))); }},
    {"last", "a", [](Call& c) { return one_end(c, true); }},
    {"len", "a", length},
    {"list", "a*", [](Call& c) { return c.engine.store().list(c.arguments); }},
    {"lookup", "ssss", [](Call& c) { return c.engine.store().map(); }},
    {"merge", "mm*", merged},
    {"mergeOverwrite", "mm*", merged},
    {"mustAppend", "aa", [](Call& c) { return with_more(c, true); }},
    {"mustChunk", "ia", chunk},
    {"mustCompact", "a", [](Call& c) { return filtered(c, keeps_full); }},
    {"mustDeepCopy", "a", copied},
    {"mustFirst", "a", [](Call& c) { return one_end(c, false); }},
    {"mustHas", "aa", has},
    {"mustInitial", "a", [](Call& c) { return without_end(c, true); }},
    {"mustLast", "a", [](Call& c) { return one_end(c, true); }},
    {"mustMerge", "mm*", merged},
    {"mustMergeOverwrite", "mm*", merged},
    {"mustPrepend", "aa", [](Call& c) { return with_more(c, false); }},
    {"mustPush", "aa", [](Call& c) { return with_more(c, true); }},
    {"mustRest", "a", [](Call& c) { return without_end(c, false); }},
    {"mustReverse", "a", reversed},
    {"mustSlice", "aa*", slice},
    {"mustUniq", "a", [](Call& c) { return filtered(c, keeps_new); }},
    {"mustWithout", "aa*", [](Call& c) { return filtered(c, keeps_other); }},
    {"omit", "ma*", [](Call& c) { return picked(c, false); }},
    {"pick", "ma*", [](Call& c) { return picked(c, true); }},
    {"pluck", "sa*", pluck},
    {"prepend", "aa", [](Call& c) { return with_more(c, false); }},
    {"push", "aa", [](Call& c) { return with_more(c, true); }},
    {"required", "sa", required},
    {"rest", "a", [](Call& c) { return without_end(c, false); }},
    {"reverse", "a", reversed},
    {"set", "msa", set},
    {"slice", "aa*", slice},
    {"sortAlpha", "a", sorted},
    {"split", "ss", split_map},
    {"splitList", "ss", split_list},
    {"splitn", "sis", split_map},
    {"ternary", "aab", [](Call& c) { return c.at(c.at(2).boolean ? 0 : 1); }},
    {"toStrings", "a", [](Call& c) { return texts(c, strings_of(c.at(0))); }},
    {"tpl", "sa", [](Call& c) { return c.engine.expand(c.text(0), c.at(1)); }},
    {"tuple", "a*", [](Call& c) { return c.engine.store().list(c.arguments); }},
    {"typeIs", "sa", [](Call& c) { return Value::of(c.text(0) == type_name(c.at(1))); }},
    {"typeIsLike", "sa",
     [](Call& c) { return Value::of(c.text(0) == type_name(c.at(1)) || c.text(0) == "*" + type_name(c.at(1))); }},
    {"typeOf", "a", [](Call& c) { return Value::of(type_name(c.at(0))); }},
    {"uniq", "a", [](Call& c) { return filtered(c, keeps_new); }},
    {"unset", "ms", unset},
    {"values", "m", values},
    {"without", "aa*", [](Call& c) { return filtered(c, keeps_other); }},
};

}  // namespace muster::helm
