#include "generate/generate.h"

#include <ctemplate/template.h>

#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "decide/decide.h"
#include "facts/types.h"
#include "generate/quote.h"

namespace muster {
namespace {

class Generator {
 public:
  Generator(const TemplateDef& def, const GenerateInput& input)
      : def_(def), model_(input.model), sources_(input.sources), functions_(decision_functions(input.decisions)) {
    context_.read = {&model_, &input.targets, &arena_};
    context_.functions = &functions_;
    context_.slots.resize(kVariables);
    if (!model_.fleets.empty()) context_.slots[0] = Value::object(&kFleetType, &model_.fleets.front());
    context_.slots[2] = Value::object(&target_type(), &target_type());
    workloads_ = {model_.workloads.size(), &model_.workloads, [](const void* base, std::size_t i) {
                    return Value::object(&kWorkloadType, &(*static_cast<const std::vector<Workload>*>(base))[i]);
                  }};
    context_.slots[1] = Value::of(&workloads_);
  }

  Result<Generated> run() {
    if (std::optional<Error> error = check_inputs()) return *error;
    for (const TemplateMessage& requirement : def_.requirements) require(requirement);
    if (!refusals_.empty()) return refusal();
    Generated out;
    for (const TemplateMessage& note : def_.notes) {
      each(note.loop, [&] {
        if (holds(note.condition)) out.notes.push_back(note.message.render(context_));
      });
    }
    std::optional<Error> unsafe;
    for (const TemplateFile& file : def_.files) {
      each(file.loop, [&] {
        const std::string path = file.path_text->render(context_);
        std::string text = expand(file);
        if (!refusals_.empty()) return;
        const std::optional<std::string> lost =
            is_file_name(path) ? read_back(text, file.format, values_)
                               : "the name has other characters than letters, digits, dots, dashes and underscores";
        if (lost) unsafe = Error{Error::Code::Usage, "`" + path + "` cannot be written safely: " + *lost};
        out.files.push_back({path, std::move(text)});
      });
    }
    if (!refusals_.empty()) return refusal();
    if (unsafe) return *unsafe;
    return out;
  }

 private:
  static constexpr std::size_t kVariables = 3;  // fleet, workloads, target

  /// The name comes from the input: it must not lead anywhere else.
  static bool is_file_name(std::string_view name) {
    return !name.starts_with('.') && quote(name, ValueKind::Word, OutputFormat::Plain).has_value();
  }

  std::optional<Error> check_inputs() const {
    const auto missing = [&](const std::string& what) {
      return Error{Error::Code::Usage, "`" + def_.id + "` needs " + what};
    };
    if (def_.needs_fleet && model_.fleets.empty()) return missing("a fleet file: --fleet FILE");
    if (def_.needs_workloads && model_.workloads.empty()) return missing("a workloads file: --workloads FILE");
    if (model_.fleets.size() > 1)
      return missing("one fleet file, and there are " + std::to_string(model_.fleets.size()));
    return std::nullopt;
  }

  Error refusal() {
    std::ranges::sort(refusals_);
    refusals_.erase(std::unique(refusals_.begin(), refusals_.end()), refusals_.end());
    return Error{Error::Code::Usage, "`" + def_.id + "` is not written:\n  " + join(refusals_, "\n  ")};
  }

  std::string place_of(const Value& value) const {
    if (value.origin() == nullptr || !value.origin()->where.placed()) return "";
    const Span& where = value.origin()->where;
    const Position at = sources_.begin_of(where);
    return " (" + sources_.file(where.file).path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
           ")";
  }

  /// Remembers what is missing; true when the value can be used.
  bool usable(const Value& value) {
    if (value.is(Value::Kind::Unknown)) {
      for (const UnknownNeed* need = value.needs(); need != nullptr; need = need->next) {
        refusals_.push_back(std::string(need->needs) + " is missing" + place_of(value));
      }
      return false;
    }
    if (value.is(Value::Kind::Error)) {
      refusals_.push_back("a value cannot be computed: " + std::string(value.as_error().message));
      return false;
    }
    return true;
  }

  bool holds(const Expr& condition) {
    const Value value = condition.eval(context_);
    return usable(value) && value.as_bool();
  }

  template <class Visit>
  void each(const std::optional<Loop>& loop, Visit visit) {
    if (!loop) return visit();
    const Value list = loop->list.eval(context_);
    if (!usable(list)) return;
    const std::size_t slot = kVariables + depth_;
    ++depth_;
    for (std::size_t i = 0; i < list.as_list().size; ++i) {
      if (context_.slots.size() <= slot) context_.slots.resize(slot + 1);
      context_.slots[slot] = list.as_list().at(list.as_list().base, i);
      visit();
    }
    --depth_;
  }

  void require(const TemplateMessage& requirement) {
    each(requirement.loop, [&] {
      const Value value = requirement.condition.eval(context_);
      if (usable(value) && !value.as_bool()) refusals_.push_back(requirement.message.render(context_));
    });
  }

  std::string expand(const TemplateFile& file) {
    values_.clear();
    format_ = file.format;
    ctemplate::TemplateDictionary dictionary("root");
    fill(file.root, dictionary);
    if (!refusals_.empty()) return "";
    const std::string key = def_.id + "/" + file.path;
    ctemplate::StringToTemplateCache(key, file.text, ctemplate::DO_NOT_STRIP);
    std::string out;
    const bool good = ctemplate::ExpandTemplate(key, ctemplate::DO_NOT_STRIP, &dictionary, &out);
    MUSTER_CHECK(good, "a template that was loaded cannot be expanded");
    return out;
  }

  void fill(const TemplateSection& section, ctemplate::TemplateDictionary& dictionary) {
    for (const auto& [name, value] : section.values) {
      const Value result = value.expr.eval(context_);
      if (!usable(result)) continue;
      const std::string text = to_text(result);
      const std::optional<std::string> quoted = quote(text, value.kind, format_);
      if (!quoted) {
        refusals_.push_back("`" + text + "` cannot stand in a file of format " + std::string(name_of(format_)) +
                            place_of(result));
        continue;
      }
      if (value.kind == ValueKind::Quoted) values_.push_back(text);
      dictionary.SetValue(name, *quoted);
    }
    for (const TemplateSection& child : section.sections) {
      each(child.loop, [&] {
        if (child.when && !holds(*child.when)) return;
        fill(child, *dictionary.AddSectionDictionary(child.name));
      });
    }
  }

  const TemplateDef& def_;
  const Model& model_;
  const SourceMap& sources_;
  DomainFunctions functions_;
  Arena arena_;
  ListData workloads_;
  EvalContext context_;
  std::size_t depth_ = 0;
  OutputFormat format_ = OutputFormat::Yaml;
  std::vector<std::string> values_;  ///< put into the current file as values of their own
  std::vector<std::string> refusals_;
};

}  // namespace

Result<Generated> generate(const TemplateDef& def, const GenerateInput& input) { return Generator(def, input).run(); }

}  // namespace muster
