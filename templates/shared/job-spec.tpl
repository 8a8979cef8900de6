parallelism: {{NODES}}
completions: {{NODES}}
completionMode: Indexed
# A rank that fails ends the attempt of all of them: the others would wait in a collective.
backoffLimit: 0
