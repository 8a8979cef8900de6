apiVersion: apps/v1
kind: Deployment
metadata: {name: __MODEL__-real, namespace: ml}
spec:
  replicas: 2
  selector: {matchLabels: {app: __MODEL__-real}}
  template:
    metadata: {labels: {app: __MODEL__-real}}
    spec:
      containers: [{name: c, image: "registry.example/serve:1"}]
