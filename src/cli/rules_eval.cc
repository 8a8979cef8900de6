#include <algorithm>
#include <deque>
#include <ostream>
#include <set>

#include "base/utf8.h"
#include "cli/bindings.h"
#include "cli/command.h"
#include "cli/value_json.h"
#include "decide/decide.h"

namespace muster {
namespace {

constexpr std::string_view kVersionMember = "{\"version\": \"muster.eval/v1\", ";

/// What an expression is compiled and evaluated in: bindings, and a model when there is one.
class ExprEvaluation {
 public:
  ExprEvaluation() {
    context_.read = {&workspace_.model, &workspace_.site.targets, &arena_};
    context_.functions = nullptr;
    env_.gradual = true;
  }
  ExprEvaluation(const ExprEvaluation&) = delete;
  ExprEvaluation& operator=(const ExprEvaluation&) = delete;

  std::optional<Error> add_bindings(const std::string& path, Console& console) {
    const bool inline_text =
        path.find_first_not_of(" \t\n") != path.npos && path[path.find_first_not_of(" \t\n")] == '{';
    constexpr std::uint64_t kMostInput = 64u << 20;
    Result<std::string> text = inline_text   ? Result<std::string>(path)
                               : path == "-" ? console.disk.read_standard_input(kMostInput)
                                             : console.disk.read(path);
    if (!text) return text.error();
    Result<std::vector<Binding>> bindings = read_bindings(inline_text ? "--with" : path, *text, context_);
    if (!bindings) return bindings.error();
    for (const Binding& binding : *bindings) bind(binding.name, kDynType, binding.value);
    return std::nullopt;
  }

  /// Every collection is a list of its name; `target` the versions; `fleet` the fleet where there is one.
  std::optional<Error> add_model(const Options& options, Console& console) {
    Result<Workspace> workspace = read_workspace(options, console.disk);
    if (!workspace) return workspace.error();
    workspace_ = std::move(*workspace);
    tell_findings(workspace_.findings, workspace_.inputs.sources, console);
    functions_ = decision_functions(workspace_.decisions);
    context_.functions = &functions_;
    for (const Collection& collection : collections()) {
      std::vector<Value> objects;
      collection.each(workspace_.model,
                      [&](const void* object) { objects.push_back(Value::object(collection.element, object)); });
      const std::span<Value> kept = arena_.make_array<Value>(objects.size());
      std::ranges::copy(objects, kept.begin());
      const Type& element = types_.emplace_back(Type{TypeKind::Object, nullptr, nullptr, collection.element, {}});
      const Value list = Value::of(arena_.make(ListData{kept.size(), kept.data(), [](const void* base, std::size_t i) {
                                                          return static_cast<const Value*>(base)[i];
                                                        }}));
      bind(std::string(collection.name), Type{TypeKind::List, &element, nullptr, nullptr, {}}, list);
      if (collection.name == "fleets" && !objects.empty()) bind("fleet", element, objects.front());
    }
    bind("target", Type{TypeKind::Object, nullptr, nullptr, &target_type(), {}},
         Value::object(&target_type(), &target_type()));
    return std::nullopt;
  }

  std::optional<Expr> compile(std::string_view text, std::vector<ExprIssue>& issues) const {
    return Expr::compile(text, env_, issues);
  }

  Value run(const Expr& expr) {
    context_.begin_evaluation();
    return expr.eval(context_);
  }

 private:
  void bind(std::string name, const Type& type, const Value& value) {
    env_.variables.push_back({std::move(name), type});
    context_.slots.push_back(value);
  }

  Arena arena_;
  Workspace workspace_;
  std::deque<Type> types_;
  DomainFunctions functions_;
  CompileEnv env_;
  EvalContext context_;
};

/// The message with the line of the expression it is about and a mark below the place.
std::string pointed(std::string_view text, std::string_view message, std::uint32_t begin, std::uint32_t end) {
  const std::size_t at = std::min<std::size_t>(begin, text.size());
  const std::size_t line_begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t line_end = std::min(text.find('\n', at), text.size());
  const std::size_t last = std::clamp<std::size_t>(end, at, line_end);
  const std::size_t marks = std::max<std::size_t>(1, count_code_points(text.substr(at, last - at)));
  const std::string indent(count_code_points(text.substr(line_begin, at - line_begin)), ' ');
  return std::string(message) + "\n  " + printable(text.substr(line_begin, line_end - line_begin)) + "\n  " + indent +
         std::string(marks, '^') + "\n";
}

std::string error_json(std::string_view text, std::string_view message, std::uint32_t begin) {
  const std::string_view before = text.substr(0, std::min<std::size_t>(begin, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t column = 1 + count_code_points(before.substr(before.rfind('\n') + 1));
  return std::string(kVersionMember) + "\"error\": " + quoted_json(message) + ", \"line\": " + std::to_string(line) +
         ", \"column\": " + std::to_string(column) + "}\n";
}

std::string unknown_text(const Value& value, bool json) {
  std::set<std::string_view> needs;
  for (const UnknownNeed* need = value.needs(); need != nullptr; need = need->next) needs.insert(need->needs);
  std::string out;
  for (const std::string_view need : needs)
    out += (out.empty() ? "" : ", ") + (json ? quoted_json(need) : printable(need));
  return json ? std::string(kVersionMember) + "\"unknown\": [" + out + "]}\n" : "unknown: needs " + out + "\n";
}

}  // namespace

int run_rules_eval(const Arguments& arguments, Console& console) {
  Result<std::vector<OutputTarget>> formats = read_formats(arguments, {"text", "json"});
  if (!formats) return fail(console, formats.error().message);
  const bool json = !formats->empty() && formats->front().format == "json";
  const std::string path = formats->empty() ? "" : formats->front().path;
  const std::string& text = arguments.expression;
  const auto print = [&](const std::string& answer, int code) {
    if (std::optional<Error> error = write_output(path, answer, console)) return fail(console, error->message);
    return code;
  };

  ExprEvaluation evaluation;
  if (!arguments.paths.empty()) {
    Result<Options> options = make_options(arguments, console);
    if (!options) return fail(console, options.error().message);
    if (std::optional<Error> error = evaluation.add_model(*options, console)) return fail(console, error->message);
  }
  for (const std::string& bindings : arguments.bindings) {
    if (std::optional<Error> error = evaluation.add_bindings(bindings, console)) return fail(console, error->message);
  }
  std::vector<ExprIssue> issues;
  const std::optional<Expr> expr = evaluation.compile(text, issues);
  if (!expr) {
    const ExprIssue& issue = issues.front();
    if (json) return print(error_json(text, issue.message, issue.begin), 2);
    console.err << "muster: " << pointed(text, printable(issue.message), issue.begin, issue.end);
    return 2;
  }
  const Value value = evaluation.run(*expr);
  if (value.is(Value::Kind::Unknown)) return print(unknown_text(value, json), 0);
  if (value.is(Value::Kind::Error)) {
    const ErrorData& error = value.as_error();
    return print(json ? error_json(text, error.message, error.begin)
                      : pointed(text, "error: " + printable(error.message), error.begin, error.end),
                 1);
  }
  if (json) return print(std::string(kVersionMember) + typed_members(value) + "}\n", 0);
  return print(printable(to_literal(value)) + " : " + std::string(json_type(value)) + "\n", 0);
}

}  // namespace muster
