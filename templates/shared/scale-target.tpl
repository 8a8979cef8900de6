name: {{NAME}}
namespace: {{NAMESPACE}}
annotations:
  muster.dev/workload: {{WORKLOAD}}
