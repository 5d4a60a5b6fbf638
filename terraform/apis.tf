locals {
  apis = [
    "artifactregistry", "billingbudgets", "cloudbuild", "cloudfunctions", "cloudresourcemanager", "cloudscheduler",
    "cloudtasks", "firestore", "iam", "logging", "monitoring", "run", "secretmanager", "serviceusage", "storage",
  ]
}

# cloudresourcemanager and serviceusage must be on before the first plan, which asks for the project's number:
# `gcloud services enable cloudresourcemanager.googleapis.com serviceusage.googleapis.com`.
resource "google_project_service" "api" {
  for_each = toset(local.apis)

  service            = "${each.key}.googleapis.com"
  disable_on_destroy = false # something else in the project may use it
}
