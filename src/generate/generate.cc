#include "generate/generate.h"

#include <ctemplate/template.h>

#include <algorithm>
#include <iterator>

#include "admission/policy_facts.h"
#include "base/check.h"
#include "base/strings.h"
#include "decide/decide.h"
#include "facts/types.h"
#include "generate/quote.h"

namespace muster {
namespace {

class Generator {
 public:
  /// `named`: somebody asked for this template, else it is one of all.
  Generator(const TemplateDef& def, const GenerateInput& input, bool named)
      : def_(def),
        input_(input),
        model_(input.model),
        sources_(input.sources),
        functions_(decision_functions(input.decisions)) {
    context_.read = {&model_, &input.targets, &arena_};
    context_.functions = &functions_;
    context_.slots.resize(kVariables);
    if (!model_.fleets.empty()) context_.slots[0] = Value::object(&kFleetType, &model_.fleets.front());
    context_.slots[2] = Value::object(&target_type(), &target_type());
    workloads_ = {model_.workloads.size(), &model_.workloads, [](const void* base, std::size_t i) {
                    return Value::object(&kWorkloadType, &(*static_cast<const std::vector<Workload>*>(base))[i]);
                  }};
    context_.slots[1] = Value::of(&workloads_);
    context_.slots[3] = Value::of(named);
    if (input.fleet != nullptr && input.fleet->hybrid.value) hybrid_ = *input.fleet->hybrid.value;
    context_.slots[4] = Value::of(std::string_view(hybrid_));
    if (input.fleet != nullptr) open_ = input.fleet->hybrid.unknown;
    open_facts_ = {open_.size(), &open_, [](const void* base, std::size_t i) {
                     return Value::of(std::string_view((*static_cast<const std::vector<std::string>*>(base))[i]));
                   }};
    context_.slots[5] = Value::of(&open_facts_);
    context_.slots[6] = policy_values(input.policies, context_.read);
    context_.slots[7] = left_out_values(input.policies, context_.read);
  }

  Result<Generated> run() {
    if (std::optional<Error> error = check_inputs()) return *error;
    define();
    for (const TemplateMessage& requirement : def_.requirements) require(requirement);
    if (!refusals_.empty()) return refusal();
    Generated out;
    out.notes = left_out_;
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

  /// Whether `generate all` writes it. What is missing to say so is added to `notes`.
  bool is_called_for(std::vector<std::string>& notes) {
    if (!def_.called_for || check_inputs()) return false;
    define();
    const Value value = eval(*def_.called_for);
    const bool called = usable(value) && value.as_bool();
    for (const std::string& missing : refusals_) notes.push_back("`" + def_.id + "` is left open: " + missing);
    return called;
  }

 private:
  static constexpr std::size_t kVariables = 8;  // as load_template.cc has them

  /// The name comes from the input: it must not lead anywhere else.
  static bool is_file_name(std::string_view name) {
    return !name.starts_with('.') && name.find('/') == name.npos &&
           quote(name, ValueKind::Word, OutputFormat::Plain).has_value();
  }

  std::optional<Error> check_inputs() const {
    const auto missing = [&](const std::string& what) {
      return Error{Error::Code::Usage, "`" + def_.id + "` needs " + what};
    };
    if (def_.needs_fleet && model_.fleets.empty()) return missing("a fleet file: --fleet FILE");
    if (def_.needs_workloads && model_.workloads.empty()) return missing("a workloads file: --workloads FILE");
    if (def_.needs_rules && input_.policies == nullptr) return missing("the rule book");
    if (model_.fleets.size() > 1)
      return missing("one fleet file, and there are " + std::to_string(model_.fleets.size()));
    return std::nullopt;
  }

  /// The values of the names that the template uses. One that cannot be computed counts where it is used.
  void define() {
    if (defined_ > 0) return;
    for (const TemplateLet& let : def_.lets) {
      const Value value = let.value ? eval(*let.value) : select(let);
      context_.slots.resize(std::max(context_.slots.size(), lets_end() + 1));
      context_.slots[kVariables + defined_++] = value;
    }
  }
  std::size_t lets_end() const { return kVariables + def_.lets.size(); }

  /// The items of a selection of which everything is known.
  Value select(const TemplateLet& let) {
    const Value list = eval(let.loop->list);
    if (list.stops()) return list;
    const std::size_t slot = kVariables + defined_;
    context_.slots.resize(std::max(context_.slots.size(), slot + 1));
    std::vector<Value> kept;
    for (std::size_t i = 0; i < list.as_list().size; ++i) {
      const Value item = list.as_list().at(list.as_list().base, i);
      context_.slots[slot] = item;
      const Value keep = let.when ? eval(*let.when) : Value::of(true);
      if (keep.is(Value::Kind::Error)) return keep;
      bool whole = keep.is(Value::Kind::Unknown) ? leave_out(keep) : keep.as_bool();
      for (std::size_t n = 0; whole && n < let.needs.size(); ++n) {
        const Value need = eval(let.needs[n]);
        if (need.is(Value::Kind::Error)) return need;
        if (need.is(Value::Kind::Unknown)) whole = leave_out(need);
      }
      if (whole) kept.push_back(item);
    }
    const std::span<Value> values = arena_.make_array<Value>(kept.size());
    std::ranges::copy(kept, values.begin());
    return Value::of(arena_.make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                            return static_cast<const Value*>(base)[i];
                                          }}));
  }

  /// Notes what is missing of an item; always false.
  bool leave_out(const Value& value) {
    std::vector<std::string_view> missing;
    for (const UnknownNeed* need = value.needs(); need != nullptr; need = need->next) missing.push_back(need->needs);
    std::string note = "left out for want of a fact: " + join(missing, ", ") +
                       (missing.size() == 1 ? " is missing" : " are missing") + place_of(value);
    if (std::ranges::find(left_out_, note) == left_out_.end()) left_out_.push_back(std::move(note));
    return false;
  }

  Error refusal() {
    refusals_.insert(refusals_.end(), left_out_.begin(), left_out_.end());
    std::ranges::sort(refusals_);
    refusals_.erase(std::unique(refusals_.begin(), refusals_.end()), refusals_.end());
    return Error{Error::Code::Usage, "`" + def_.id + "` is not written:\n  " + join(refusals_, "\n  ")};
  }

  /// Each expression may take as long as one may.
  Value eval(const Expr& expr) {
    context_.steps = 0;
    return expr.eval(context_);
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
    const Value value = eval(condition);
    return usable(value) && value.as_bool();
  }

  template <class Visit>
  void each(const std::optional<Loop>& loop, Visit visit) {
    if (!loop) return visit();
    const Value list = eval(loop->list);
    if (!usable(list)) return;
    const std::size_t slot = lets_end() + depth_;
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
      const Value value = eval(requirement.condition);
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
    return format_ == OutputFormat::Yaml ? without_blank_lines(out) : out;
  }

  /// Sections that do not hold leave lines without a word.
  static std::string without_blank_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      if (!trim(text.substr(0, end)).empty()) out += text.substr(0, end);
      text.remove_prefix(end);
    }
    return out;
  }

  void fill(const TemplateSection& section, ctemplate::TemplateDictionary& dictionary) {
    for (const auto& [name, value] : section.values) {
      const Value result = eval(value.expr);
      if (!usable(result)) continue;
      const std::string text = to_text(result);
      const std::optional<std::string> quoted = quote(text, value.kind, format_);
      if (!quoted) {
        refusals_.push_back("`" + text + "` cannot stand in a file of format " + std::string(name_of(format_)) +
                            place_of(result));
        continue;
      }
      if (value.kind != ValueKind::Word && value.kind != ValueKind::Comment) values_.push_back(text);
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
  const GenerateInput& input_;
  const Model& model_;
  const SourceMap& sources_;
  DomainFunctions functions_;
  Arena arena_;
  ListData workloads_;
  std::string hybrid_ = "open";
  std::vector<std::string> open_;
  ListData open_facts_;
  EvalContext context_;
  std::size_t depth_ = 0;
  std::size_t defined_ = 0;
  OutputFormat format_ = OutputFormat::Yaml;
  std::vector<std::string> values_;  ///< put into the current file as values of their own
  std::vector<std::string> refusals_;
  std::vector<std::string> left_out_;
};

}  // namespace

Result<Generated> generate(const TemplateDef& def, const GenerateInput& input) {
  return Generator(def, input, true).run();
}

namespace {

/// The files of others that a template needs beside its own, or the first refusal.
Result<Generated> generate_beside(const std::vector<TemplateDef>& templates, const TemplateDef& def,
                                  const GenerateInput& input) {
  Generated out;
  for (const std::string& id : def.with) {
    const auto other = std::ranges::find(templates, id, &TemplateDef::id);
    MUSTER_CHECK(other != templates.end(), "a template needs one that does not exist");
    Generator generator(*other, input, false);
    if (!generator.is_called_for(out.notes)) continue;
    Result<Generated> one = generator.run();
    if (!one) return Error{Error::Code::Usage, "`" + def.id + "` is not written without this:\n" + one.error().message};
    std::ranges::move(one->files, std::back_inserter(out.files));
    std::ranges::move(one->notes, std::back_inserter(out.notes));
  }
  return out;
}

void add_new(std::vector<std::string>& notes, std::vector<std::string>& more) {
  for (std::string& note : more) {
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }
}

}  // namespace

Result<Generated> generate_whole(const std::vector<TemplateDef>& templates, const TemplateDef& def,
                                 const GenerateInput& input) {
  Result<Generated> out = generate(def, input);
  if (!out || def.with.empty()) return out;
  Result<Generated> beside = generate_beside(templates, def, input);
  if (!beside) return beside.error();
  std::ranges::move(beside->files, std::back_inserter(out->files));
  add_new(out->notes, beside->notes);
  return out;
}

GeneratedAll generate_all(const std::vector<TemplateDef>& templates, const GenerateInput& input) {
  GeneratedAll out;
  std::vector<std::string>& notes = out.generated.notes;
  for (const TemplateDef& def : templates) {
    Generator generator(def, input, false);
    if (!generator.is_called_for(notes)) continue;
    Result<Generated> one = generator.run();
    if (Result<Generated> beside = generate_beside(templates, def, input); one && !beside) one = beside.error();
    if (!one) {
      out.refused.push_back(one.error().message);
      continue;
    }
    if (!one->files.empty()) out.templates.push_back(def.id);
    std::ranges::move(one->files, std::back_inserter(out.generated.files));
    add_new(notes, one->notes);
  }
  return out;
}

}  // namespace muster
