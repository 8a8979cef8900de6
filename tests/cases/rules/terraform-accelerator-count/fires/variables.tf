variable "cluster" { type = string }

variable "machine" {
  description = "machine with GPUs"
  default     = "a3-ultragpu-8g"
}

variable "gpus_per_node" {
  type = number
  # silenced by: default = 8
  default = 4 # finding: terraform-accelerator-count
}
