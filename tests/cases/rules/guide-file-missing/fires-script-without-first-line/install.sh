kubectl apply -f node-rules.yaml  # finding: guide-file-missing
kubectl apply -f quota.yaml
