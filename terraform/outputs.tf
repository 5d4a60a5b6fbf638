output "webhook_url" {
  description = "Address that `make webhook` registers with Telegram."
  value       = local.urls["webhook"]
}

output "answer_url" {
  description = "Address of answer, and the audience of its callers' tokens."
  value       = local.urls["answer"]
}

output "extract_url" {
  description = "Address of extract, and the audience of its callers' tokens."
  value       = local.urls["extract"]
}

output "maintenance_url" {
  description = "Address of maintenance, and the audience of its callers' tokens."
  value       = local.urls["maintenance"]
}

output "functions" {
  description = "Name of each function, as in the logs."
  value       = { for name in local.functions : name => google_cloudfunctions2_function.function[name].name }
}

output "service_accounts" {
  description = "Account of each function, and those of tasks and schedules (invoker) and builds."
  value = merge(
    { for name in local.functions : name => google_service_account.function[name].email },
    { invoker = google_service_account.invoker.email, build = google_service_account.build.email },
  )
}

output "queue" {
  description = "Name of the task queue."
  value       = google_cloud_tasks_queue.tasks.name
}

output "answers_queue" {
  description = "Name of the queue of answers."
  value       = google_cloud_tasks_queue.answers.name
}

output "firestore_database" {
  description = "Name of the database that holds the memory."
  value       = google_firestore_database.memory.name
}

output "deletion_protection" {
  description = "Whether the memory cannot be deleted."
  value       = var.deletion_protection
}

output "archive_bucket" {
  description = "Bucket of the archive, null when none is made here."
  value       = var.archive == "gcs" ? local.archive_bucket : null
}

output "archive_account" {
  description = "Account to make the archive's key for, with `gcloud storage hmac create`; null when no bucket is made here."
  value       = var.archive == "gcs" ? google_service_account.archive[0].email : null
}

output "environment" {
  description = "Settings of this deployment that are not secret, for commands by hand (python -m infra.cli)."
  value       = local.function_environment["maintenance"]
}
