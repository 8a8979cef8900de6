#include "pipeline/batch_servers.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/strings.h"
#include "kubernetes/server_options.h"
#include "kubernetes/server_values.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"

namespace muster {
namespace {

using sbatch::BatchCommand;
using sbatch::ShellValue;

/// A server in the words of a command.
struct Server {
  std::string_view name;  ///< of its table of options
  std::size_t from = 0;   ///< the first word behind it
  bool by_module = false;
};

std::optional<Server> server_in(const BatchCommand& command) {
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    if (word == "vllm.entrypoints.openai.api_server") return Server{"vllm", i + 1, true};
    if (word == "sglang.launch_server") return Server{"sglang", i + 1, false};
    if (i + 1 < command.words.size() && command.words[i + 1].text == "serve" && sbatch::program_name(word) == "vllm")
      return Server{"vllm", i + 2, false};
  }
  return std::nullopt;
}

class Servers {
 public:
  Servers(const SbatchJob& job, std::vector<Finding>& findings)
      : job_(job), numbers_(sbatch::slurm_numbers(job)), findings_(findings) {}

  bool run(const sbatch::BatchBody& body, bool chosen, bool local) {
    std::vector<std::pair<const BatchCommand*, Server>> found;
    for (const BatchCommand& command : body.commands) {
      if (const std::optional<Server> server = server_in(command)) found.emplace_back(&command, *server);
    }
    if (found.size() == 1 && !local) loopback(body, *found.front().first, found.front().second);
    for (const auto& [command, server] : found) {
      options(*command, server);
      if (found.size() == 1 && !chosen && !command->loop && !command->function && !command->branch)
        devices(*command, server);
    }
    return !found.empty();
  }

  /// The one server of scripts that the job calls, whose places are those of the calls: only what it cannot have.
  void run_called(const sbatch::BatchBody& body) {
    const BatchCommand* found = nullptr;
    Server server;
    for (const BatchCommand& command : body.commands) {
      const std::optional<Server> one = server_in(command);
      if (!one) continue;
      // A loop starts it anew, and a function is called: what it cannot have it cannot have the next time either.
      if (found != nullptr || command.branch) return;
      found = &command;
      server = *one;
    }
    const bool chosen = std::ranges::any_of(
        body.settings, [](const sbatch::ScriptSetting& set) { return contains(set.name, "VISIBLE_DEVICES"); });
    only_above_ = true;
    if (found != nullptr && !chosen) devices(*found, server);
  }

 private:
  /// SGLang without --host, in a job in which nothing but the server runs. Source:
  /// sgl-project/sglang:python/sglang/srt/server_args.py, host (0.5).
  void loopback(const sbatch::BatchBody& body, const BatchCommand& command, const Server& server) {
    constexpr std::array<std::string_view, 9> kBeside{"wait", "sleep", "echo",   "printf", "date",
                                                      "curl", "tail",  "export", "trap"};
    const SbatchComponent& part = job_.parts.front();
    if (server.name != "sglang" || command.branch || command.loop || command.function || !part.asks_gpus ||
        has_more(command, server))
      return;
    for (std::size_t i = server.from; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      if (word.starts_with("--host") || word.starts_with("--config")) return;
    }
    for (const BatchCommand& other : body.commands) {
      if (&other == &command || other.words.empty()) continue;
      const bool behind = other.where.begin > command.where.begin;
      if (other.background || (behind && !sbatch::is_one_of(sbatch::program_name(other.words[0].text), kBeside)))
        return;
    }
    const ShellValue& word = command.words[server.from - 1];
    if (word.at.empty()) return;
    findings_.push_back(
        problem("sbatch-server-on-loopback", sbatch::span_in(job_.where.file, word, 0, word.text.size()),
                "this server listens on 127.0.0.1, and `" + job_.name.value + "` has no client for it"));
  }

  void options(const BatchCommand& command, const Server& server) {
    const ServerOptions& known = ServerOptions::of(server.name);
    std::vector<std::string_view> texts;
    for (std::size_t i = server.from; i < command.words.size(); ++i)
      texts.push_back(command.words[i].known() ? std::string_view(command.words[i].text) : std::string_view());
    for (std::size_t i = server.from; i < command.words.size(); ++i) {
      const ShellValue& word = command.words[i];
      const std::string name = word.text.starts_with("--") ? ServerOptions::name_in(word.text) : std::string();
      if (name.empty() || word.at.empty()) continue;
      if (!known.like(name).empty()) {
        flag(command, i, server);
        if (const std::string told = refused_value(server.name, texts, i - server.from); !told.empty())
          findings_.push_back(problem("sbatch-server-value-unknown",
                                      sbatch::span_in(job_.where.file, word, 0, word.text.size()), told));
        // Of ports sbatch-port-above-range speaks, whatever the program.
        if (const std::string told = value_out_of_range(server.name, texts, i - server.from, false); !told.empty())
          findings_.push_back(problem("sbatch-server-value-out-of-range",
                                      sbatch::span_in(job_.where.file, word, 0, word.text.size()), told));
        continue;
      }
      findings_.push_back(
          problem("sbatch-server-option-unknown",
                  sbatch::span_in(job_.where.file, word, 0, std::min(word.text.find('='), word.text.size())),
                  "no release of " + std::string(server.name == "vllm" ? "vLLM" : "SGLang") + " has an option `" +
                      name + "`" + known.suggestion(name)));
    }
  }

  /// `--enforce-eager true`.
  void flag(const BatchCommand& command, std::size_t at, const Server& server) {
    const ShellValue& word = command.words[at];
    const bool last = at + 1 == command.words.size();
    const std::string told = flag_with_value(server.name, word.text,
                                             last ? std::string_view() : command.words[at + 1].text, server.by_module);
    if (told.empty()) return;
    findings_.push_back(
        problem("sbatch-server-flag-with-value", sbatch::span_in(job_.where.file, word, 0, word.text.size()), told));
  }

  /// The number behind an option: 1 where it is not there; nothing where only the run knows.
  std::optional<std::int64_t> number(const BatchCommand& command, const Server& server, const auto& names) const {
    for (std::size_t i = server.from; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      const std::size_t sign = word.find('=');
      if (!sbatch::is_one_of(std::string_view(word).substr(0, sign), names)) continue;
      if (sign != word.npos) return sbatch::number_of(sbatch::tail_of(command.words[i], sign + 1), numbers_);
      if (i + 1 == command.words.size()) return std::nullopt;
      return sbatch::number_of(command.words[i + 1], numbers_);
    }
    return 1;
  }

  /// `vllm serve MODEL $MORE`: a word that only the run knows, other than the model and what stands behind an option.
  static bool has_more(const BatchCommand& command, const Server& server) {
    for (std::size_t i = server.from; i < command.words.size(); ++i) {
      const bool is_model = i == server.from && server.name == "vllm";
      if (!command.words[i].mark().empty() && !is_model && !command.words[i - 1].text.starts_with('-')) return true;
    }
    return false;
  }

  /// One server, on one node, on all of whose GPUs it could be. Sources: vllm-project/vllm:vllm/engine/arg_utils.py,
  /// sgl-project/sglang:python/sglang/srt/server_args.py.
  void devices(const BatchCommand& command, const Server& server) {
    constexpr std::array<std::string_view, 6> kTensor{
        "--tensor-parallel-size", "--tensor_parallel_size", "-tp", "--tp", "--tp-size", "--tp_size"};
    constexpr std::array<std::string_view, 5> kPipeline{"--pipeline-parallel-size", "--pipeline_parallel_size", "-pp",
                                                        "--pp-size", "--pp"};
    constexpr std::array<std::string_view, 5> kData{"--data-parallel-size", "--data_parallel_size", "-dp", "--dp-size",
                                                    "--dp"};
    const SbatchComponent& part = job_.parts.front();
    if (job_.components != 1 || !part.gpus_each.known() || part.gpus_each.value < 1 || !part.min_nodes.known() ||
        !part.max_nodes.known() || part.min_nodes.value != 1 || part.max_nodes.value != 1)
      return;
    if (has_more(command, server)) return;
    const std::optional<std::int64_t> tensor = number(command, server, kTensor);
    const std::optional<std::int64_t> pipeline = number(command, server, kPipeline);
    const std::optional<std::int64_t> data = number(command, server, kData);
    constexpr std::int64_t kMost = 1000;
    if (!tensor || !pipeline || !data || *tensor < 1 || *pipeline < 1 || *data < 1 || *tensor > kMost ||
        *pipeline > kMost || *data > kMost)
      return;
    // Within SGLang ranks of data parallelism may share the GPUs of tensor parallelism.
    const std::int64_t given = part.gpus_each.value;
    const std::int64_t uses = *tensor * *pipeline * (server.name == "vllm" ? *data : 1);
    if (uses == given) return;
    const std::string gpus = std::to_string(given) + (given == 1 ? " GPU" : " GPUs");
    const Span where = command.words[server.from - 1].at.empty()
                           ? command.where
                           : sbatch::span_in(job_.where.file, command.words[server.from - 1], 0,
                                             command.words[server.from - 1].text.size());
    const std::string message = "this server puts its model on " + std::to_string(uses) +
                                (uses == 1 ? " GPU" : " GPUs") + ", and the job asks for " + gpus;
    if (uses > given) return findings_.push_back(problem("sbatch-server-above-gpus", where, message));
    if (*data == 1 && !only_above_) findings_.push_back(problem("sbatch-server-below-gpus", where, message));
  }

  const SbatchJob& job_;
  std::map<std::string, std::int64_t> numbers_;
  std::vector<Finding>& findings_;
  bool only_above_ = false;
};

}  // namespace

bool check_batch_servers(const SbatchJob& job, const sbatch::BatchBody& body, std::string_view text,
                         std::vector<Finding>& findings) {
  // vLLM-Omni is a package beside vLLM that takes options of its own.
  if ((!contains(text, "vllm") && !contains(text, "sglang")) || contains(text, "--omni"))
    return contains(text, "--omni");
  const bool chosen = contains(text, "CUDA_VISIBLE_DEVICES") || contains(text, "ROCR_VISIBLE_DEVICES");
  // Who goes to the node first asks there.
  const bool local = contains(text, "localhost") || contains(text, "127.0.0.1") || contains(text, "ssh ");
  return Servers(job, findings).run(body, chosen, local);
}

void check_called_servers(const SbatchJob& job, const sbatch::BatchBody& body, std::vector<Finding>& findings) {
  Servers(job, findings).run_called(body);
}

}  // namespace muster
