containers:
  - name: server
    image: registry.example.com/{{WORD}}:replace-me
    # The controller sets these three in every pod.
    command:
      - /bin/sh
      - -c
      - exec ./serve --nodes=$LWS_GROUP_SIZE --rank=$LWS_WORKER_INDEX --leader=$LWS_LEADER_ADDRESS
    {{@container.tpl}}
