#include "syntax/yaml_emitter.h"

#include <yaml.h>

namespace muster {

struct YamlEmitter::State {
  yaml_emitter_t state{};
  std::string out;
  bool good = true;

  /// The emitter owns what it is given, also where it refuses it.
  void take(yaml_event_t& event, int made) {
    if (!good && made == 1) yaml_event_delete(&event);
    good = good && made == 1 && yaml_emitter_emit(&state, &event) == 1;
  }
};

YamlEmitter::YamlEmitter() : emitter_(std::make_unique<State>()) {
  State& emitter = *emitter_;
  emitter.good = yaml_emitter_initialize(&emitter.state) == 1;
  yaml_emitter_set_output(
      &emitter.state,
      [](void* to, unsigned char* bytes, std::size_t size) {
        static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), size);
        return 1;
      },
      &emitter.out);
  yaml_emitter_set_width(&emitter.state, -1);
  yaml_emitter_set_unicode(&emitter.state, 1);
  yaml_event_t event;
  emitter.take(event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
  emitter.take(event, yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 1));
}

YamlEmitter::~YamlEmitter() { yaml_emitter_delete(&emitter_->state); }

void YamlEmitter::begin_mapping() {
  yaml_event_t event;
  emitter_->take(event, yaml_mapping_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE));
}

void YamlEmitter::end_mapping() {
  yaml_event_t event;
  emitter_->take(event, yaml_mapping_end_event_initialize(&event));
}

void YamlEmitter::begin_sequence() {
  yaml_event_t event;
  emitter_->take(event, yaml_sequence_start_event_initialize(&event, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE));
}

void YamlEmitter::end_sequence() {
  yaml_event_t event;
  emitter_->take(event, yaml_sequence_end_event_initialize(&event));
}

void YamlEmitter::scalar(std::string_view text, Style style) {
  const yaml_scalar_style_t wanted = style == Style::Plain     ? YAML_PLAIN_SCALAR_STYLE
                                     : style == Style::Literal ? YAML_LITERAL_SCALAR_STYLE
                                                               : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  yaml_event_t event;
  const auto* bytes = reinterpret_cast<const yaml_char_t*>(text.data());
  emitter_->take(event, yaml_scalar_event_initialize(&event, nullptr, nullptr, bytes, static_cast<int>(text.size()), 1,
                                                     1, wanted));
}

std::size_t YamlEmitter::size() const { return emitter_->out.size(); }

std::string YamlEmitter::finish() {
  State& emitter = *emitter_;
  yaml_event_t event;
  emitter.take(event, yaml_document_end_event_initialize(&event, 1));
  emitter.take(event, yaml_stream_end_event_initialize(&event));
  return emitter.good ? std::move(emitter.out) : std::string();
}

}  // namespace muster
