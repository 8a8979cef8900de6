apiVersion: apps/v1
kind: Deployment
metadata:
  name: serving
spec:
  replicas: ${REPLICAS}
