{{#KUEUE_PODS}}metadata:
  annotations:
    # Asks for a place for each pod before the gang is admitted; quota alone does not see nodes.
    {{TOPOLOGY_KEY}}: {{TOPOLOGY_VALUE}}
{{/KUEUE_PODS}}
