{{#LOAD}}behavior:
  scaleDown:
    # A new replica takes {{LOAD_SECONDS}} s to answer. Twice that goes by before one is given up, 300 s at least as without
    # it and 3,600 s at most, the longest that Kubernetes takes; then one at a time.
    stabilizationWindowSeconds: {{WINDOW}}
    policies:
      - {type: Pods, value: 1, periodSeconds: {{PERIOD}}}
{{/LOAD}}
