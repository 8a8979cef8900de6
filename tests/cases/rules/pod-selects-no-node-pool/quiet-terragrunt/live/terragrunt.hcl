terraform {
  source = "../nodes"
}
inputs = {
  labels = { workload = "train" }
}
