---
# Gives each pod a name of its own, before it is ready: the ranks meet at the first one's.
apiVersion: v1
kind: Service
metadata:
  name: {{NAME}}
  namespace: {{NAMESPACE}}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    job-name: {{NAME}}
