kubectl apply -f manifests/01-pod.yaml
kubectl apply -f manifests/02-hub-secret.yaml
