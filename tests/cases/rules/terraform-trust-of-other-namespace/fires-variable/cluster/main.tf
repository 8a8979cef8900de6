module "scaler" {
  source = "../modules/scaler"
}
