# Answers have a queue of their own: nobody's question waits behind what is learnt at leisure, and 200 slow answers at
# once leave the webhook, which only takes in, where it was.
resource "google_cloud_tasks_queue" "answers" {
  name     = "${var.prefix}-answers"
  location = var.region

  rate_limits {
    max_dispatches_per_second = var.queue.dispatches_per_second
    max_concurrent_dispatches = local.answers_at_once
  }

  # ANSWERS of infra/tasks/retries.py: people wait for an answer, so it is tried again soon, and for an hour and fifty
  # minutes: 2, 4, 8 … 256 seconds, then every five minutes.
  retry_config {
    max_attempts  = 30
    min_backoff   = "2s"
    max_backoff   = "300s"
    max_doublings = 8
  }

  depends_on = [google_project_service.api]
}

resource "google_cloud_tasks_queue" "tasks" {
  name     = var.prefix
  location = var.region

  rate_limits {
    max_dispatches_per_second = var.queue.dispatches_per_second
    max_concurrent_dispatches = local.tasks_at_once
  }

  # The policy of infra/tasks/retries.py: ten attempts (of the last, `deal_with_task` writes the failure down), which wait
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
