apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: model-cache-${MODEL}-data
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 100Gi}}
