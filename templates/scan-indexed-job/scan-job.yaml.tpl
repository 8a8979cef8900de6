# Checks every repository in a volume of fleet {{FLEET}}, each by itself, a shard a pod.
#
# Before it runs: the image is packaging/Containerfile of muster under the name that it has in your registry; the claims
# hold the repositories and, empty, the results. Once all are done, where the results are:
#
#   muster merge shard-*.json --format sarif=muster.sarif
apiVersion: batch/v1
kind: Job
metadata:
  name: muster-scan
spec:
  completionMode: Indexed
  # As many as --shard says below.
  completions: 8
  parallelism: 8
  backoffLimit: 8
  activeDeadlineSeconds: 3600
  template:
    spec:
      restartPolicy: Never
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 65534
        runAsGroup: 65534
        fsGroup: 65534
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: muster
          image: muster
          # Completions are numbered from 0, shards from 1. Findings fail the merge, not the pods.
          args:
            - check
            - --shard=$(JOB_COMPLETION_INDEX)+1/8
            - --fail-on=never
            - --quiet
            - -j1
            - --format=json=/results/shard-$(JOB_COMPLETION_INDEX).json
            - /repositories
          resources:
            requests: {cpu: "1", memory: 4Gi}
            limits: {memory: 4Gi}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
            - name: repositories
              mountPath: /repositories
              readOnly: true
            - name: results
              mountPath: /results
      volumes:
        - name: repositories
          persistentVolumeClaim: {claimName: repositories, readOnly: true}
        - name: results
          persistentVolumeClaim: {claimName: muster-results}
