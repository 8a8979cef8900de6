resource "civo_instance" "worker" {
  hostname = "worker"
  size     = "g3.xlarge"
}
