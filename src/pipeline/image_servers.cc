#include "pipeline/image_servers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::size_t kLongestCall = 400;  // arguments of `uvicorn.run(`

/// The last CMD or ENTRYPOINT, over its lines; empty: there is none.
std::string_view start_of_image(std::string_view text) {
  std::string_view out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    std::size_t end = std::min(text.find('\n', at), text.size());
    while (end < text.size() && end > begin && text[end - 1] == '\\')
      end = std::min(text.find('\n', end + 1), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::string_view first = trim(line).substr(0, trim(line).find_first_of(" \t["));
    if (equals_ignoring_case(first, "cmd") || equals_ignoring_case(first, "entrypoint")) out = line;
    at = end + 1;
  }
  return out;
}

/// Words of `["python3", "app.py"]` and of `python3 app.py`, without the instruction.
std::vector<std::string_view> start_words(std::string_view start) {
  start = trim(start);
  start.remove_prefix(std::min(start.find_first_of(" \t["), start.size()));
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < start.size();) {
    const std::size_t begin = start.find_first_not_of(" \t\r\n[],\"'\\", at);
    if (begin == start.npos) break;
    const std::size_t end = std::min(start.find_first_of(" \t\r\n[],\"'\\", begin), start.size());
    out.push_back(start.substr(begin, end - begin));
    at = end;
  }
  return out;
}

bool is_loopback(std::string_view host) { return host == "127.0.0.1" || host == "localhost"; }

/// `--host 127.0.0.1`, `--host=localhost`; nullopt: none is given.
std::optional<std::string_view> host_in(const std::vector<std::string_view>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] == "--host" || words[i] == "-h") && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with("--host=")) return words[i].substr(7);
  }
  return std::nullopt;
}

/// The place where a program says that it listens on 127.0.0.1: `uvicorn.run(app, host="127.0.0.1")`.
std::optional<std::string_view> loopback_in(std::string_view text) {
  constexpr std::array<std::string_view, 4> kCalls{"uvicorn.run(", "app.run(", "web.run_app(", "HTTPServer(("};
  for (const std::string_view call : kCalls) {
    for (std::size_t at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
      const std::string_view behind = text.substr(at + call.size(), kLongestCall);
      const std::string_view arguments = behind.substr(0, std::min(behind.find(')'), behind.size()));
      const std::size_t host = call.ends_with("((") ? 0 : arguments.find("host=");
      if (host == arguments.npos) continue;
      std::string_view value = arguments.substr(host + (call.ends_with("((") ? 0 : 5));
      if (value.empty() || (value.front() != '"' && value.front() != '\'')) continue;
      value = value.substr(1, std::min(value.find(value.front(), 1), value.size()) - 1);
      if (is_loopback(value)) return value;
    }
  }
  return std::nullopt;
}

class ImageServers {
 public:
  ImageServers(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), names_(inputs) {}

  void image(std::size_t i) {
    const std::string_view all = text(i);
    const std::string_view start = start_of_image(all);
    if (start.empty() || contains(all, "UVICORN_HOST") || contains(all, "FLASK_RUN_HOST")) return;
    const std::vector<std::string_view> words = start_words(start);
    for (std::size_t w = 0; w < words.size(); ++w) {
      const std::string_view program = last_part(words[w]);
      const bool flask = program == "flask" && w + 1 < words.size() && words[w + 1] == "run";
      if (program == "uvicorn" || flask) return by_default(i, words, words[w], flask ? "Flask" : "uvicorn");
      if (program.ends_with(".py")) return by_program(i, words, words[w]);
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  Span place(std::size_t i, std::string_view part) const {
    const auto begin = static_cast<std::uint32_t>(part.data() - text(i).data());
    return {static_cast<FileId>(i), begin, begin + static_cast<std::uint32_t>(part.size())};
  }

  /// Source: encode/uvicorn:uvicorn/main.py, --host (0.37); pallets/flask:src/flask/cli.py, --host (3.1).
  void by_default(std::size_t i, const std::vector<std::string_view>& words, std::string_view program,
                  const char* server) {
    const std::optional<std::string_view> host = host_in(words);
    const bool exposed = contains(text(i), "EXPOSE ") || contains(text(i), "expose ");
    if (!exposed || (host && !is_loopback(*host))) return;
    // `--uds`, `--fd`, and a shell that may add more.
    if (std::ranges::any_of(words, [](std::string_view word) {
          return word.starts_with("--uds") || word.starts_with("--fd") || contains(word, "$");
        }))
      return;
    findings_.push_back(problem("image-server-on-loopback", place(i, host ? *host : program),
                                std::string(server) +
                                    (host ? " is told to listen" : " listens where it is not told otherwise") +
                                    " on 127.0.0.1 of the container"));
  }

  void by_program(std::size_t i, const std::vector<std::string_view>& words, std::string_view program) {
    const std::optional<std::string_view> given = host_in(words);
    if (given && !is_loopback(*given)) return;
    const std::string folder(folder_of(inputs_.files[i].context.path));
    const std::optional<std::size_t> file = names_.at((folder.empty() ? "" : folder + "/") + std::string(program));
    if (!file) return;
    const std::optional<std::string_view> host = loopback_in(text(*file));
    if (!host) return;
    findings_.push_back(problem("image-server-on-loopback", place(*file, *host),
                                "the image starts this program, and it listens on 127.0.0.1 of the container"));
    findings_.back().related.push_back({place(i, program), "who starts it"});
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  InputNames names_;
};

}  // namespace

void find_image_servers(const Inputs& inputs, std::vector<Finding>& findings) {
  const bool any =
      std::ranges::any_of(inputs.files, [](const InputFile& file) { return is_dockerfile(file.context.path); });
  if (!any) return;
  ImageServers servers(inputs, findings);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (is_dockerfile(inputs.files[i].context.path)) servers.image(i);
  }
}

}  // namespace muster
