resource "google_compute_instance" "worker" {
  name         = "worker"
  zone         = var.zone
  machine_type = "a2-highgpu-8g"
  guest_accelerator {
    type  = "nvidia-tesla-a100"
    count = var.gpu_count
  }
}
