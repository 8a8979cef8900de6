# Workers are made together with their leader: a gang that waits for its leader to be ready never forms.
startupPolicy: LeaderCreated
leaderWorkerTemplate:
  # Pods of one replica, the leader among them; one a node.
  size: {{NODES}}
  # Half a group serves nothing.
  restartPolicy: RecreateGroupOnPodRestart
  workerTemplate:
