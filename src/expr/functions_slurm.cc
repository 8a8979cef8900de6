// Functions that look keys, plugins and lists of Slurm up in the reference data of the rule book.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "base/slurm_units.h"
#include "base/strings.h"
#include "expr/function_tables.h"
#include "facts/types.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

Value text_value(const std::string& text, EvalContext& context) { return Value::of(context.read.arena->copy(text)); }

/// The setting, its row and the release of a call; nothing when an argument is none.
struct Asked {
  const SlurmSetting* setting = nullptr;
  const SlurmKey* key = nullptr;
};
std::optional<Asked> asked(Arguments in, EvalContext& context) {
  if (context.read.slurm_keys == nullptr || !in[0].is(Kind::Object) || in[0].object_type() != &kSlurmSettingType)
    return std::nullopt;
  const auto* setting = static_cast<const SlurmSetting*>(in[0].object_data());
  return Asked{setting, context.read.slurm_keys->find(setting->scope, setting->lower_key)};
}

Value key_state(Arguments in, EvalContext& context) {
  const std::optional<Asked> call = asked(in, context);
  if (!call || !in[1].is(Kind::Version)) return no_overload(context, "key_state", in);
  return Value::of(
      name_of(context.read.slurm_keys->state(call->setting->scope, call->setting->lower_key, in[1].as_version())));
}

Value key_hint(Arguments in, EvalContext& context) {
  const std::optional<Asked> call = asked(in, context);
  if (!call) return no_overload(context, "key_hint", in);
  return text_value(context.read.slurm_keys->hint(call->setting->scope, call->setting->key), context);
}

Value meant_key(Arguments in, EvalContext& context) {
  const std::optional<Asked> call = asked(in, context);
  if (!call || !in[1].is(Kind::Version)) return no_overload(context, "meant_key", in);
  return Value::of(context.read.slurm_keys->meant(call->setting->scope, call->setting->key, in[1].as_version()));
}

Value new_name(Arguments in, EvalContext& context) {
  const std::optional<Asked> call = asked(in, context);
  if (!call || !in[1].is(Kind::Version)) return no_overload(context, "new_name", in);
  const bool renamed = call->key != nullptr && call->key->renamed && in[1].as_version() >= *call->key->renamed;
  return Value::of(renamed ? std::string_view(call->key->new_name) : std::string_view());
}

/// Whether the daemons look at the value: they read each number at once, but judge a word only where it is in force.
/// Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
bool is_judged(const Asked& call) {
  if (call.key == nullptr || !call.setting->value.is_set()) return false;
  using Type = SlurmKey::Type;
  const bool word = call.key->type == Type::String || call.key->type == Type::Time || call.key->type == Type::Host;
  return call.setting->used || !word;
}

/// The value as it is known; a placeholder is not judged.
template <std::string (*judge)(const SlurmKey&, std::string_view, const Version&)>
Value value_words(Arguments in, EvalContext& context) {
  const std::optional<Asked> call = asked(in, context);
  if (!call || !in[1].is(Kind::Version)) return no_overload(context, "value_refused", in);
  if (!is_judged(*call)) return Value::of(std::string_view());
  return text_value(judge(*call->key, call->setting->value.value, in[1].as_version()), context);
}

Value plugin(Arguments in, EvalContext& context) {
  const std::optional<Asked> call = asked(in, context);
  if (!call || !in[1].is(Kind::Version)) return no_overload(context, "plugin_state", in);
  if (!is_judged(*call)) return Value::of(std::string_view("known"));
  return Value::of(name_of(plugin_state(*call->key, call->setting->value.value, in[1].as_version())));
}

/// Whether a release of before those that rules know takes the key, its value and the plugin that it names.
Value once_taken(Arguments in, EvalContext& context) {
  static const Version kLongAgo = Version::parse("1.0").value_or(Version{});
  const std::optional<Asked> call = asked(in, context);
  if (!call) return no_overload(context, "once_taken", in);
  const SlurmSetting& setting = *call->setting;
  if (context.read.slurm_keys->state(setting.scope, setting.lower_key, kLongAgo) != SlurmKeyState::Known)
    return Value::of(false);
  return Value::of(!is_judged(*call) ||
                   (refused_value(*call->key, setting.value.value, kLongAgo).empty() &&
                    plugin_state(*call->key, setting.value.value, kLongAgo) == SlurmKeyState::Known));
}

/// What a site runs with: as set, else the release's own default; unknown where another file may set it.
Value effective(Arguments in, EvalContext& context) {
  const bool right = context.read.slurm_keys != nullptr && in[0].is(Kind::Object) &&
                     in[0].object_type() == &kSlurmSiteType && in[1].is(Kind::String) && in[2].is(Kind::Version);
  if (!right) return no_overload(context, "effective", in);
  const auto& site = *static_cast<const SlurmSite*>(in[0].object_data());
  const std::string key = to_lower(in[1].as_text());
  if (const SlurmSetting* setting = site.setting(key)) {
    if (setting->value.is_set()) return Value::of(std::string_view(setting->value.value)).with_origin(&setting->value);
    return Value::unknown(context.read.arena->make(UnknownNeed{setting->value.needs(), nullptr}));
  }
  // A template has every key that some rendering may set among those that are open.
  const bool written_whole = site.is_template && !site.keys_open && !std::ranges::binary_search(site.open_keys, key);
  if (!site.complete && !written_whole)
    return Value::unknown(context.read.arena->make(UnknownNeed{
        context.read.arena->copy("`" + std::string(in[1].as_text()) + "` of the whole slurm.conf"), nullptr}));
  return text_value(context.read.slurm_keys->default_of("slurm.conf", key, in[2].as_version()).value_or(""), context);
}

/// Whether nothing sets a key of slurm.conf: false where another file or what fills a template in may set it.
Value unset(Arguments in, EvalContext& context) {
  const bool right = in[0].is(Kind::Object) && in[0].object_type() == &kSlurmSiteType && in[1].is(Kind::String);
  if (!right) return no_overload(context, "unset", in);
  const auto& site = *static_cast<const SlurmSite*>(in[0].object_data());
  const std::string key = to_lower(in[1].as_text());
  return Value::of(site.settings_known() && site.setting(key) == nullptr &&
                   !std::ranges::binary_search(site.open_keys, key));
}

/// The words of a comma list in lower case, without empty ones.
Value words_of(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String)) return no_overload(context, "words", in);
  const std::vector<std::string_view> pieces = split(in[0].as_text(), ',');
  const std::span<Value> out = context.read.arena->make_array<Value>(pieces.size());
  std::size_t count = 0;
  for (const std::string_view word : pieces) {
    if (!trim(word).empty()) out[count++] = text_value(to_lower(trim(word)), context);
  }
  return make_list(out.first(count), context);
}

Value tres_error(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String) || !in[1].is(Kind::String)) return no_overload(context, "tres_error", in);
  return text_value(tres_weights_error(in[0].as_text(), in[1].as_text()), context);
}

HostlistDialect dialect_of(const Version& release) {
  static const Version k23_11 = Version::parse("23.11").value_or(Version{});
  static const Version k25_05 = Version::parse("25.05").value_or(Version{});
  if (release < k23_11) return HostlistDialect::V22_05;
  return release < k25_05 ? HostlistDialect::V23_11 : HostlistDialect::V25_05;
}

/// Why a release cannot read a node list; empty when it can.
Value node_list_error(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String) || !in[1].is(Kind::Version)) return no_overload(context, "node_list_error", in);
  const Result<Hostlist> list = Hostlist::parse(in[0].as_text(), dialect_of(in[1].as_version()));
  return list ? Value::of(std::string_view()) : text_value(list.error().message, context);
}

Value is_time(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String)) return no_overload(context, "is_slurm_time", in);
  return Value::of(is_slurm_time(in[0].as_text()));
}

/// Without an end, as UNLIMITED is, or where it is none: as long as there is.
Value minutes(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String)) return no_overload(context, "slurm_minutes", in);
  return Value::of(slurm_minutes(in[0].as_text()).value_or(std::numeric_limits<std::int64_t>::max()));
}

constexpr Overload kPairVersion[] = {{true, {&kDynType, &kVersionType}, &kStringType}};
constexpr Overload kPairTruth[] = {{true, {&kDynType}, &kBoolType}};
constexpr Overload kPair[] = {{true, {&kDynType}, &kStringType}};
constexpr Overload kPairText[] = {{true, {&kDynType, &kStringType}, &kBoolType}};
constexpr Overload kEffective[] = {{true, {&kDynType, &kStringType, &kVersionType}, &kStringType}};
constexpr Overload kWords[] = {{false, {&kStringType}, &kStringListType}};
constexpr Overload kTwoTexts[] = {{false, {&kStringType, &kStringType}, &kStringType}};
constexpr Overload kTextVersion[] = {{false, {&kStringType, &kVersionType}, &kStringType}};
constexpr Overload kIsTime[] = {{false, {&kStringType}, &kBoolType}};
constexpr Overload kMinutes[] = {{false, {&kStringType}, &kIntType}};

constexpr Function kSlurmFunctions[] = {
    {"effective", kEffective,
     "what a Slurm site runs with: a key of slurm.conf as set, else the default of the release", effective},
    {"is_slurm_time", kIsTime, "whether Slurm reads a text as minutes: 30, 1:30:00, 7-0, UNLIMITED", is_time},
    {"key_hint", kPair, "since when Slurm knows a key, or which key was meant; may be empty", key_hint},
    {"key_state", kPairVersion,
     "what a release makes of a key of a Slurm file: known, unknown, later, removed, defunct or refused", key_state},
    {"meant_key", kPairVersion, "the one key of a release that a key of a Slurm file is a slip of; else empty",
     meant_key},
    {"new_name", kPairVersion, "the name that a release prefers for a key; empty when it has its own", new_name},
    {"node_list_error", kTextVersion, "why a release of Slurm cannot read a node list; empty when it can",
     node_list_error},
    {"once_taken", kPairTruth, "whether some older release than those of the rules takes a key with its value",
     once_taken},
    {"plugin_state", kPairVersion,
     "whether a release of Slurm has the plugin a value names: known, unknown, later or removed", plugin},
    {"slurm_minutes", kMinutes, "minutes of a time of Slurm, rounded up; the largest number for one without an end",
     minutes},
    {"tres_error", kTwoTexts,
     "why slurmctld cannot read TRES weights when it tracks the TRES of the second list; empty when it can",
     tres_error},
    {"unset", kPairText, "whether nothing sets a key of a site's slurm.conf; false where what is not here may", unset},
    {"value_ignored", kPairVersion, "the words of a value that a release logs as errors and ignores",
     value_words<ignored_words>},
    {"value_refused", kPairVersion, "why a release stops at a value of a Slurm file; empty when it does not",
     value_words<refused_value>},
    {"value_unread", kPairVersion, "the words of a value that a release never looks for", value_words<unread_words>},
    {"words", kWords, "the words of a comma list in lower case", words_of},
};
static_assert(std::ranges::is_sorted(kSlurmFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> slurm_functions() { return kSlurmFunctions; }

}  // namespace muster
