helm upgrade --install gpu-operator nvidia/gpu-operator -f operator-values.yaml
kubectl apply -f node-rules.yaml  # finding: guide-file-missing
kubectl apply -f quota.yaml
