resource "google_cloud_tasks_queue" "tasks" {
  name     = var.prefix
  location = var.region

  rate_limits {
    max_dispatches_per_second = var.queue.dispatches_per_second
    max_concurrent_dispatches = local.tasks_at_once
  }

  # The policy of infra/tasks/retries.py: ten attempts (of the last, infra/web/http.py writes the failure down), which wait
  # 10, 20, 40, 80, 160, 320, 600, 600, 600 seconds: 40 minutes in all, and the night does again what was lost in a longer
  # outage. There is no max_retry_duration: with one, a task would go on until both are reached.
  retry_config {
    max_attempts  = 10
    min_backoff   = "10s"
    max_backoff   = "600s"
    max_doublings = 6
  }

  depends_on = [google_project_service.api]
}
