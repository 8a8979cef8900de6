#include "helm/engine.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "helm/call.h"
#include "helm/chart_files.h"

namespace muster::helm {
namespace {

constexpr int kDeepestTemplate = 1000;                      // structures, templates and parentheses within each other
constexpr std::size_t kMostWritten = std::size_t{8} << 20;  // by one template
constexpr std::size_t kMostSeen = 2000;

/// Counts a level down for as long as it lives.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

}  // namespace

bool Engine::add(std::string name, std::string_view text) {
  ParsedTemplate& parsed = parsed_.emplace_back(parse_template(text));
  if (parsed.trouble || parsed.too_large) {
    trouble_ = name + ": " + (parsed.trouble ? parsed.trouble->why : "it is too large");
    return false;
  }
  for (const auto& [defined, parts] : parsed.tree.named) templates_[defined] = {&parts, text};
  templates_[std::move(name)] = {&parsed.tree.body, text};
  return true;
}

const Engine::Template* Engine::find(std::string_view name) const {
  const auto found = templates_.find(name);
  return found == templates_.end() ? nullptr : &found->second;
}

Value Engine::fail(std::string why) {
  if (trouble_.empty()) trouble_ = why.empty() ? "it fails" : std::move(why);
  return {};
}

Value Engine::refuse(std::string why) {
  refused_ = refused_ || !failed();
  return fail(std::move(why));
}

bool Engine::spend(std::size_t steps) {
  if (steps > left_) fail("it takes too many steps");
  left_ -= std::min(left_, steps);
  return !failed();
}

void Engine::see(const Value& value) {
  if (seen_ == nullptr || value.where.file == FileId::None || seen_->size() > kMostSeen) return;
  seen_->push_back({value.is_text() ? value.text : printed(value), value.where});
}

void Engine::see(std::string_view key, const Span& where) {
  if (seen_ == nullptr || where.file == FileId::None || seen_->size() > kMostSeen) return;
  seen_->push_back({std::string(key), where});
}

Written Engine::write(const std::string& name, const Value& dot) {
  Written out;
  if (const Template* found = find(name)) run(*found, dot, out.text, &out.pieces);
  return out;
}

Value Engine::include(const std::string& name, const Value& dot) {
  const Template* found = find(name);
  if (found == nullptr) return fail("there is no template `" + name + "`");
  std::string out;
  run(*found, dot, out, nullptr);
  return Value::of(std::move(out));
}

Value Engine::expand(const std::string& text, const Value& dot) {
  if (!contains(text, "{{")) return Value::of(text);
  if (!spend(text.size())) return {};
  const std::string& own = texts_.emplace_back(text);
  const ParsedTemplate& parsed = parsed_.emplace_back(parse_template(own));
  if (parsed.trouble || parsed.too_large) return fail("`tpl` cannot read what it is given");
  for (const auto& [defined, parts] : parsed.tree.named) templates_[defined] = {&parts, own};
  std::string out;
  run({&parsed.tree.body, own}, dot, out, nullptr);
  return Value::of(std::move(out));
}

void Engine::run(const Template& what, const Value& dot, std::string& out, std::vector<Piece>* pieces) {
  Frame frame{what.text, out, pieces, {}};
  frame.variables.push_back({"$", dot});
  parts(*what.parts, dot, frame);
}

Engine::Flow Engine::parts(const std::vector<Part>& list, const Value& dot, Frame& frame) {
  const Level level(depth_);
  if (depth_ > kDeepestTemplate) fail("templates are nested too deeply");
  for (const Part& one : list) {
    if (failed() || !spend(1)) return Flow::Break;
    const Flow flow = part(one, dot, frame);
    if (flow != Flow::On) return flow;
  }
  return Flow::On;
}

void Engine::begin_piece(Frame& frame, const Part& part, bool literal) const {
  if (frame.pieces != nullptr) frame.pieces->push_back({frame.out.size(), part.begin, part.end, literal, {}});
}

void Engine::put(Frame& frame, std::string_view text) {
  if (frame.out.size() + text.size() > kMostWritten) return void(fail("it writes too much"));
  if (!spend(text.size() / 16)) return;
  frame.out += text;
}

Engine::Flow Engine::part(const Part& one, const Value& dot, Frame& frame) {
  const std::size_t variables = frame.variables.size();
  switch (one.kind) {
    case Part::Kind::Text:
      begin_piece(frame, one, true);
      put(frame, frame.text.substr(one.begin, one.end - one.begin));
      return Flow::On;
    case Part::Kind::Value: {
      begin_piece(frame, one, false);
      if (frame.pieces != nullptr) seen_ = &frame.pieces->back().seen;
      const Value value = pipeline(one.pipeline, dot, frame);
      if (frame.pieces != nullptr) seen_ = nullptr;
      // Helm takes the `<no value>` out that Go prints for nothing.
      if (one.pipeline.names.empty() && !value.is_nil()) put(frame, text_of(value));
      return Flow::On;
    }
    case Part::Kind::Template: return use(one, dot, frame), Flow::On;
    case Part::Kind::Break: return Flow::Break;
    case Part::Kind::Continue: return Flow::Continue;
    case Part::Kind::Range: return range(one, dot, frame);
    case Part::Kind::If:
    case Part::Kind::With: break;
  }
  const Value value = pipeline(one.pipeline, dot, frame);
  if (failed()) return Flow::Break;
  const bool true_one = is_true(value);
  const Value& inner = true_one && one.kind == Part::Kind::With ? value : dot;
  const Flow flow = parts(true_one ? one.body : one.otherwise, inner, frame);
  frame.variables.resize(variables);
  return flow;
}

void Engine::use(const Part& one, const Value& dot, Frame& frame) {
  const Template* found = find(one.name);
  if (found == nullptr) return void(fail("there is no template `" + one.name + "`"));
  begin_piece(frame, one, false);
  if (frame.pieces != nullptr) seen_ = &frame.pieces->back().seen;
  const Value value = one.pipeline.commands.empty() ? Value() : pipeline(one.pipeline, dot, frame);
  if (!failed()) run(*found, value, frame.out, nullptr);
  if (frame.out.size() > kMostWritten) fail("it writes too much");
  if (frame.pieces != nullptr) seen_ = nullptr;
}

Engine::Flow Engine::range(const Part& one, const Value& dot, Frame& frame) {
  const std::size_t variables = frame.variables.size();
  Pipeline bare;  // the value alone: its variables take the items
  bare.commands = one.pipeline.commands;
  const Value value = pipeline(bare, dot, frame);
  if (failed()) return Flow::Break;
  Flow flow = Flow::On;
  bool any = false;
  const auto next = [&](const Value& key, const Value& item) {
    any = true;
    frame.variables.resize(variables);
    flow = round(one, key, item, frame);
    return flow != Flow::Break && !failed();
  };
  if (value.is_list()) {
    const std::vector<Value> items = value.list->items;  // the body may change it
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!next(Value::of(static_cast<std::int64_t>(i)), items[i])) break;
    }
  } else if (value.is_map() && !value.map->record) {
    const auto members = value.map->members;
    for (const auto& [key, member] : members) {
      if (!next(Value::of(key), member.value)) break;
    }
  } else if (value.is(Value::Kind::Integer)) {
    for (std::int64_t i = 0; i < value.integer && spend(1); ++i) {
      if (!next(Value::of(i), Value::of(i))) break;
    }
  } else if (!value.is_nil()) {
    fail("range can't iterate over " + printed(value));
  }
  frame.variables.resize(variables);
  if (failed()) return Flow::Break;
  if (!any) return parts(one.otherwise, dot, frame);
  return Flow::On;
}

Engine::Flow Engine::round(const Part& one, const Value& key, const Value& item, Frame& frame) {
  const std::vector<std::string>& names = one.pipeline.names;
  const auto set = [&](const std::string& name, const Value& value) {
    if (one.pipeline.declares) return void(frame.variables.push_back({name, value}));
    for (auto variable = frame.variables.rbegin(); variable != frame.variables.rend(); ++variable) {
      if (variable->name == name) return void(variable->value = value);
    }
  };
  if (names.size() == 2) set(names[0], key);
  if (!names.empty()) set(names.back(), item);
  return parts(one.body, item, frame);
}

Value Engine::pipeline(const Pipeline& what, const Value& dot, Frame& frame) {
  const Level level(depth_);
  if (depth_ > kDeepestTemplate) return fail("templates are nested too deeply");
  Value value;
  bool first = true;
  for (const Command& one : what.commands) {
    value = command(one, dot, frame, first ? nullptr : &value);
    if (failed()) return {};
    first = false;
  }
  for (const std::string& name : what.names) {
    if (what.declares) {
      frame.variables.push_back({name, value});
      continue;
    }
    const auto found = std::find_if(frame.variables.rbegin(), frame.variables.rend(),
                                    [&](const Variable& variable) { return variable.name == name; });
    if (found == frame.variables.rend()) return fail("undefined variable: " + name);
    found->value = value;
  }
  return value;
}

Value Engine::command(const Command& what, const Value& dot, Frame& frame, const Value* last) {
  if (!spend(1)) return {};
  const Operand& first = what.operands.front();
  if (first.kind == Operand::Kind::Function) {
    Value value = call(first.text, what, dot, frame, last);
    return first.fields.empty() || failed() ? value : fields(std::move(value), first.fields, first.fields.size());
  }
  const bool given = what.operands.size() > 1 || last != nullptr;
  if (!given) return operand(first, dot, frame);
  if (first.fields.empty()) return fail("can't give argument to non-function");
  // A method takes what follows.
  Operand receiver = first;
  const std::string name = receiver.fields.back();
  receiver.fields.pop_back();
  const Value value = operand(receiver, dot, frame);
  std::vector<Value> arguments;
  for (std::size_t i = 1; i < what.operands.size() && !failed(); ++i)
    arguments.push_back(operand(what.operands[i], dot, frame));
  if (last != nullptr) arguments.push_back(*last);
  return failed() ? Value() : method(value, name, arguments);
}

Value Engine::operand(const Operand& what, const Value& dot, Frame& frame) {
  Value value;
  switch (what.kind) {
    case Operand::Kind::Dot: value = dot; break;
    case Operand::Kind::Nil: break;
    case Operand::Kind::True: value = Value::of(true); break;
    case Operand::Kind::False: value = Value::of(false); break;
    case Operand::Kind::Integer: value = Value::of(what.integer); break;
    case Operand::Kind::Decimal: value = Value::of(what.decimal); break;
    case Operand::Kind::Text: value = Value::of(what.text); break;
    case Operand::Kind::Variable: {
      const auto found = std::find_if(frame.variables.rbegin(), frame.variables.rend(),
                                      [&](const Variable& variable) { return variable.name == what.text; });
      if (found == frame.variables.rend()) return fail("undefined variable: " + what.text);
      value = found->value;
      break;
    }
    case Operand::Kind::Function: {
      Command alone;
      alone.operands.push_back(what);
      return command(alone, dot, frame, nullptr);
    }
    case Operand::Kind::Within: value = pipeline(what.within.front(), dot, frame); break;
  }
  value.constant = what.kind == Operand::Kind::Integer || what.kind == Operand::Kind::Decimal;
  if (failed()) return {};
  if (!what.fields.empty()) return fields(std::move(value), what.fields, what.fields.size());
  see(value);
  return value;
}

Value Engine::fields(Value value, const std::vector<std::string>& names, std::size_t count) {
  // Of what is nothing from the beginning Go takes every field; of a member that is nothing, none.
  if (value.is_nil()) return {};
  for (std::size_t i = 0; i < count && !failed(); ++i) value = field(value, names[i]);
  see(value);
  return failed() ? Value() : value;
}

Value Engine::field(const Value& value, const std::string& name) {
  if (value.is_nil()) return fail("nil pointer evaluating interface {}." + name);
  if (!value.is_map()) return fail("can't evaluate field " + name + " in type " + std::string(kind_name(value)));
  if (value.map->methods != Map::Methods::None) return method(value, name, {});
  if (const Value* found = value.map->find(name)) return *found;
  if (value.map->record) return fail("can't evaluate field " + name);
  return {};
}

Value Engine::method(const Value& value, const std::string& name, const std::vector<Value>& arguments) {
  const Map::Methods methods = value.is_map() ? value.map->methods : Map::Methods::None;
  if (methods == Map::Methods::ApiVersions) {
    if (name != "Has") return fail("can't evaluate field " + name + " in type chartutil.VersionSet");
    if (arguments.size() != 1 || !arguments[0].is_text()) return fail("APIVersions.Has takes one text");
    return Value::of(has_api && has_api(arguments[0].text));
  }
  if (methods == Map::Methods::Files) return file_method(*this, *value.map, name, arguments);
  if (arguments.empty()) return field(value, name);
  return fail("can't give argument to non-function " + name);
}

Value Engine::call(const std::string& name, const Command& what, const Value& dot, Frame& frame, const Value* last) {
  const bool is_and = name == "and";
  std::vector<Value> arguments;
  for (std::size_t i = 1; i < what.operands.size(); ++i) {
    Value value = operand(what.operands[i], dot, frame);
    if (failed()) return {};
    // What follows is not asked when the answer is known.
    if ((is_and || name == "or") && is_true(value) != is_and) return value;
    arguments.push_back(std::move(value));
  }
  if (last != nullptr) arguments.push_back(*last);
  if (is_and || name == "or")
    return arguments.empty() ? fail("wrong number of args for " + name) : std::move(arguments.back());
  const Function* function = find_function(name);
  if (function == nullptr) return fail("the function `" + name + "` is not done here");
  Call call{*this, name, arguments};
  return takes(*function, call) ? function->run(call) : Value();
}

}  // namespace muster::helm
