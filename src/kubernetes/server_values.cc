#include "kubernetes/server_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "kubernetes/server_options.h"
#include "syntax/json_reader.h"

namespace muster {
namespace {

/// What an option takes, in all releases together.
struct Choices {
  std::string_view server;
  std::string_view option;
  std::string_view plugin;  ///< an option that adds others; empty: there is none
  std::string_view needed;  ///< an option without which nobody looks at the value; empty: always
  std::string_view words;   ///< each with a blank behind it
};

constexpr std::string_view kTypes = "auto half float16 bfloat16 float float32 ";
// Sources: vllm-project/vllm:vllm/entrypoints/openai/tool_parsers, vllm/tool_parsers, vllm/reasoning (0.6.6 to 0.33.0,
// 13 releases), vllm/entrypoints/openai/api_server.py, validate_api_server_args; sgl-project/sglang:
// python/sglang/srt/function_call/function_call_parser.py, ToolCallParserEnum, srt/parser/reasoning_parser.py,
// DetectorMap (0.4.2 to 0.5.23, 14 releases), which argparse holds the value against.
constexpr std::string_view kToolParsersOfVllm =
    "apertus beam cohere_command3 cohere_command4 deepseek_v3 deepseek_v31 deepseek_v32 deepseek_v4 "
    "deepseek_v41 dots ernie45 functiongemma gemma4 gigachat3 glm45 glm47 glm4_moe granite granite-20b-fc "
    "granite4 hermes hf hunyuan_a13b hy_v3 hy_v4 inkling internlm jamba k2_horizon kimi_k2 kimi_k3 lfm2 ling3 "
    "llama3_json llama4_json llama4_pythonic longcat mimo minicpm5 minimax minimax_m2 minimax_m3 mistral muse "
    "muse_glimmer musespark1x olmo3 openai phi4_mini_json plamo3 poolside_v1 pythonic qwen3_coder qwen3_json "
    "qwen3_xml seed_oss step3 step3p5 step5 xlam ";
constexpr std::string_view kReasoningParsersOfVllm =
    "beam cohere_command3 cohere_command4 deepseek_r1 deepseek_v3 deepseek_v4 deepseek_v41 ernie45 gemma4 "
    "glm45 glm47 glm4_moe granite granite_thinking_parser hf holo2 hunyuan_a13b hy_v3 hy_v4 inkling k2_horizon "
    "kimi_k2 kimi_k3 ling3 mimo minicpmv minimax_m2 minimax_m2_append_think minimax_m3 mistral muse "
    "muse_glimmer musespark1x nemotron_v3 olmo3 openai_gptoss plamo3 poolside_v1 qwen3 seed_oss step3 step3p5 "
    "step5 ";
constexpr std::string_view kToolParsersOfSglang =
    "apertus2509 auto beam cohere_command4 deepseekv3 deepseekv31 deepseekv32 deepseekv4 deepseekv41 dots "
    "gemma4 gigachat3 gigachat35 glm glm45 glm47 gpt-oss hermes hunyuan inkling interns1 iquest_q1 k2_horizon "
    "kimi_k2 kimi_k3 lfm2 ling3 llama3 mimo minicpm5 minimax-m2 minimax-m3 mistral muse nanbeige openai "
    "poolside_v1 pythonic qwen qwen25 qwen3 qwen3_coder response_template spark25 step3 step3p5 trinity ";
constexpr std::string_view kReasoningParsersOfSglang =
    "apertus2509 auto beam cohere_command4 deepseek-r1 deepseek-v3 deepseek-v4 deepseek-v41 dots gemma4 "
    "gigachat35 glm45 gpt-oss granite_thinking_parser hunyuan inkling interns1 iquest_q1 k2_horizon kimi "
    "kimi_k2 kimi_k3 ling3 mimo minimax minimax-append-think minimax-m3 mistral muse nanbeige nano_v3 "
    "nemotron_3 poolside_v1 qwen3 qwen3-thinking response_template step3 step3p5 ";
constexpr std::array kChoices{
    Choices{"sglang", "--dtype", "", "", kTypes},
    Choices{"sglang", "--reasoning-parser", "", "", kReasoningParsersOfSglang},
    Choices{"sglang", "--tool-call-parser", "", "", kToolParsersOfSglang},
    Choices{"vllm", "--dtype", "", "", kTypes},
    Choices{"vllm", "--reasoning-parser", "--reasoning-parser-plugin", "", kReasoningParsersOfVllm},
    Choices{"vllm", "--tool-call-parser", "--tool-parser-plugin", "--enable-auto-tool-choice", kToolParsersOfVllm},
};

/// `--tool_call_parser=x` is `--tool-call-parser`.
std::string option_name_of(std::string_view word) {
  std::string name(word.substr(0, word.find('=')));
  std::ranges::replace(name, '_', '-');
  return name;
}

bool has_option(std::span<const std::string_view> words, std::string_view option) {
  return std::ranges::any_of(words, [&](std::string_view word) { return option_name_of(word) == option; });
}

bool is_plain_value(std::string_view value) {
  return !value.empty() &&
         value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == value.npos &&
         value.front() != '-';
}

/// `num_speculative_tokens=1,method=mtp`: words that somebody took for a form of settings.
bool is_pairs_or_word(std::string_view value) {
  return !value.empty() && value != "None" && is_plain_value(value.substr(0, 1)) &&
         value.find_first_of("{}[]\"'`<>$/\\") == value.npos;
}

/// `image=3,audio=1`. Source: vllm-project/vllm:vllm/engine/arg_utils.py, nullable_kvs (0.6 to 0.9; gone in 0.10.0).
bool is_counts(std::string_view value) {
  if (value.empty()) return false;
  return std::ranges::all_of(split(value, ','), [](std::string_view one) {
    const std::size_t sign = one.find('=');
    return sign != one.npos && is_plain_value(one.substr(0, sign)) && sign + 1 < one.size() &&
           one.find_first_not_of("0123456789", sign + 1) == one.npos;
  });
}

/// Options whose value is JSON where it begins with a brace. Source: vllm-project/vllm:vllm/engine/arg_utils.py,
/// parse_type of json.loads (0.6 to 0.33).
bool takes_json(std::string_view option) {
  constexpr std::array<std::string_view, 12> kOptions{
      "--additional-config",   "--chat-template-kwargs",       "--compilation-config", "--default-chat-template-kwargs",
      "--hf-overrides",        "--kv-events-config",           "--kv-transfer-config", "--limit-mm-per-prompt",
      "--mm-processor-kwargs", "--override-generation-config", "--rope-scaling",       "--speculative-config"};
  return std::ranges::find(kOptions, option) != kOptions.end();
}

bool is_json(std::string_view text) {
  Document document;
  std::vector<Finding> findings;
  return read_json(FileId{}, text, document, findings);
}

/// Those of which one is a part of the other.
std::string near_values(std::string_view words, std::string_view value) {
  std::vector<std::string_view> out;
  for (const std::string_view word : split_blanks(words)) {
    if (std::min(word.size(), value.size()) < 3) continue;
    if ((contains(word, value) || contains(value, word)) && out.size() < 3) out.push_back(word);
  }
  return out.empty() ? std::string() : "; did you mean `" + join(out, "`, `") + "`?";
}

constexpr double kLastPortOfServer = 65535;

/// Numbers that an option takes.
struct ServerRange {
  std::string_view server;
  std::string_view option;
  double above;  ///< the smallest number is greater than this one
  double most;
};
constexpr double kEndless = 1e18;
// Sources: vllm-project/vllm:vllm/config/cache.py (gt=0, le=1; before 0.10 `GPU memory utilization must be less than
// 1.0`), vllm/config/parallel.py and vllm/config/scheduler.py (ge=1); sgl-project/sglang:
// python/sglang/srt/server_args.py, and the sum of the memory pool, which keeps `total * (1 - fraction)` free (0.5).
constexpr std::array kServerRanges{
    ServerRange{"sglang", "--mem-fraction-static", 0, 1},
    ServerRange{"sglang", "--port", -1, kLastPortOfServer},
    ServerRange{"sglang", "--tensor-parallel-size", 0, kEndless},
    ServerRange{"sglang", "--tp-size", 0, kEndless},
    ServerRange{"vllm", "--data-parallel-size", 0, kEndless},
    ServerRange{"vllm", "--gpu-memory-utilization", 0, 1},
    ServerRange{"vllm", "--max-num-batched-tokens", 0, kEndless},
    ServerRange{"vllm", "--max-num-seqs", 0, kEndless},
    ServerRange{"vllm", "--pipeline-parallel-size", 0, kEndless},
    ServerRange{"vllm", "--port", -1, kLastPortOfServer},
    ServerRange{"vllm", "--tensor-parallel-size", 0, kEndless},
};

// Options that take one value in all releases; those that also stand alone, or with none of several, are left out.
// Sources: vllm-project/vllm:vllm/engine/arg_utils.py, vllm/entrypoints/openai/cli_args.py (0.4.2, 0.8.5, 0.11.0,
// 0.20.0); sgl-project/sglang:python/sglang/srt/server_args.py (0.3.6, 0.5.5).
constexpr std::array<std::string_view, 28> kValuesOfVllm{
    "--block-size",
    "--chat-template",
    "--cpu-offload-gb",
    "--data-parallel-size",
    "--distributed-executor-backend",
    "--download-dir",
    "--dtype",
    "--gpu-memory-utilization",
    "--host",
    "--kv-cache-dtype",
    "--kv-transfer-config",
    "--limit-mm-per-prompt",
    "--load-format",
    "--max-model-len",
    "--max-num-batched-tokens",
    "--max-num-seqs",
    "--model",
    "--pipeline-parallel-size",
    "--port",
    "--quantization",
    "--reasoning-parser",
    "--seed",
    "--served-model-name",
    "--speculative-config",
    "--swap-space",
    "--tensor-parallel-size",
    "--tokenizer",
    "--tool-call-parser",
};
constexpr std::array<std::string_view, 16> kValuesOfSglang{
    "--chunked-prefill-size",
    "--context-length",
    "--dist-init-addr",
    "--dtype",
    "--host",
    "--mem-fraction-static",
    "--model-path",
    "--nnodes",
    "--node-rank",
    "--port",
    "--quantization",
    "--reasoning-parser",
    "--served-model-name",
    "--tensor-parallel-size",
    "--tool-call-parser",
    "--tp-size",
};

/// `90`, `-1`, `1.5`.
std::optional<double> plain_number(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.size() > 12 || digits.find_first_not_of("0123456789.") != digits.npos ||
      std::ranges::count(digits, '.') > 1 || digits == ".")
    return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Behind `=`, else the next word.
std::string_view value_given(std::span<const std::string_view> words, std::size_t at) {
  const std::size_t sign = words[at].find('=');
  if (sign != words[at].npos) return words[at].substr(sign + 1);
  return at + 1 < words.size() ? words[at + 1] : std::string_view();
}

}  // namespace

std::string value_out_of_range(std::string_view server, std::span<const std::string_view> words, std::size_t at,
                               bool of_ports) {
  if (!words[at].starts_with("--")) return {};
  const std::string name = option_name_of(words[at]);
  const auto known = std::ranges::find_if(
      kServerRanges, [&](const ServerRange& one) { return one.server == server && one.option == name; });
  if (known == kServerRanges.end() || (known->most == kLastPortOfServer && !of_ports)) return {};
  const std::string_view given = value_given(words, at);
  const std::optional<double> value = plain_number(given);
  if (!value || (*value > known->above && *value <= known->most)) return {};
  const std::string who = "`" + name + "` of " + (server == "vllm" ? "vLLM" : "SGLang");
  if (known->most == 1)
    return who + " is a fraction of the memory, above 0 and up to 1, and not `" + std::string(given) + "`";
  if (known->most == kLastPortOfServer) return "`" + std::string(given) + "` is no port: the last one is 65535";
  return who + " is 1 or more, and not `" + std::string(given) + "`";
}

std::string refused_value(std::string_view server, std::span<const std::string_view> words, std::size_t at,
                          bool counts_as_json) {
  if (!words[at].starts_with("--")) return {};
  const std::string name = option_name_of(words[at]);
  const std::string_view given = value_given(words, at);
  const bool filled = given.find_first_of("$\x01") != given.npos || contains(given, "{{");
  const bool json_alone = name == "--speculative-config" || name == "--kv-transfer-config";
  const bool whole = given.starts_with('{') ? given.ends_with('}') : json_alone && is_pairs_or_word(given);
  if (server == "vllm" && whole && !filled && takes_json(name) && !is_json(given))
    return "the value of `" + name + "` is no JSON" +
           (contains(given, "'") ? ": names and texts stand in double quotes" : "");
  if (server == "vllm" && counts_as_json && name == "--limit-mm-per-prompt" && is_counts(given))
    return "the value of `" + name + "` is no JSON: since 0.10.0 it is not written as `" +
           std::string(given.substr(0, given.find(','))) + "` any more";
  const auto known =
      std::ranges::find_if(kChoices, [&](const Choices& one) { return one.server == server && one.option == name; });
  if (known == kChoices.end()) return {};
  const std::string_view value = given;
  const std::vector<std::string_view> taken = split_blanks(known->words);
  if (!is_plain_value(value) || std::ranges::find(taken, value) != taken.end()) return {};
  if (!known->plugin.empty() && has_option(words, known->plugin)) return {};
  if (!known->needed.empty() && !has_option(words, known->needed)) return {};
  return "`" + name + "` of " + (server == "vllm" ? "vLLM" : "SGLang") + " knows no `" + std::string(value) + "`" +
         near_values(known->words, value);
}

std::string value_missing(std::string_view server, std::span<const std::string_view> words, std::size_t at,
                          bool whole) {
  if (!words[at].starts_with("--") || contains(words[at], "=")) return {};
  const std::string name = option_name_of(words[at]);
  const std::span<const std::string_view> wanting =
      server == "vllm" ? std::span<const std::string_view>(kValuesOfVllm) : kValuesOfSglang;
  if (!std::ranges::binary_search(wanting, std::string_view(name))) return {};
  const bool last = at + 1 == words.size();
  if (last ? !whole : ServerOptions::of(server).like(ServerOptions::name_in(words[at + 1])).empty()) return {};
  return "`" + name + "` takes a value, and " + (last ? "nothing" : "`" + option_name_of(words[at + 1]) + "`") +
         " follows";
}

// Of gpt-oss and of Mistral's own tokenizer vLLM finds the calls without it. Sources: vllm-project/vllm:
// vllm/entrypoints/openai/serving_chat.py (0.8.5), vllm/parser/parser_manager.py and vllm/parser/harmony.py (0.33.0).
std::size_t unused_tool_parser(std::span<const std::string_view> line) {
  // argparse takes the beginning of an option, too.
  const auto enables = [](std::string_view word) { return option_name_of(word).starts_with("--enable-auto"); };
  if (std::ranges::any_of(line, enables) || has_option(line, "--config")) return line.size();
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (option_name_of(line[at]) != "--tool-call-parser") continue;
    const std::string_view parser = value_given(line, at);
    const bool open = contains(parser, "$") || parser == "openai" || parser.starts_with("mistral");
    return open ? line.size() : at;
  }
  return line.size();
}

bool names_no_model(std::span<const std::string_view> line) {
  for (const std::string_view option : {"--model", "--config", "--help", "--version"}) {
    if (has_option(line, option)) return false;
  }
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at].starts_with("--")) continue;
    const bool value = at > 0 && !contains(line[at - 1], "=") &&
                       std::ranges::binary_search(kValuesOfVllm, std::string_view(option_name_of(line[at - 1])));
    if (!value) return false;
  }
  return true;
}

}  // namespace muster
