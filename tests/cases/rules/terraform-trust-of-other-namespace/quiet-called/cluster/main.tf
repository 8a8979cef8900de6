module "scaler" {
  source = "../modules/scaler"
  namespace = "kube-system"
}
