variable "vm_image" {}
variable "region" {}

resource "google_compute_instance" "gpu" {
  name         = var.region
  machine_type = "a2-highgpu-1g"
  image        = var.vm_image
}
