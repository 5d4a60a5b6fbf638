terraform {
  # 1.11: write-only arguments and ephemeral variables, which keep secrets out of plan and state.
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "~> 6.50"
    }
  }
}

provider "google" {
  project        = var.project_id
  region         = var.region
  default_labels = local.labels

  # Quota and enabled services count in this project, not in the one that the operator's credentials come from.
  user_project_override = true
  billing_project       = var.project_id
}
