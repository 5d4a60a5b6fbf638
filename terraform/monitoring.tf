# What an operator is woken by, and what there is to look at. Every condition and chart is PromQL, so that one may be
# written before the metric has its first value (disable_metric_validation): right after a first apply a filter on a new
# metric is refused for up to ten minutes.
#
# Names: the first / of a metric's type becomes :, all else that is no letter or digit becomes _
# (https://cloud.google.com/monitoring/promql/promql-mapping). Google's metrics are of
# https://cloud.google.com/monitoring/api/metrics_gcp. A log-based metric is DELTA: a sample is what one minute added, and
# minutes without a line may have none. So ours are read by sum_over_time, which is exact; increase and rate need
# neighbours and do for Google's counters, which have a sample every minute.
#
# An alert looks back 25 hours at most: window, offset and duration together
# (https://cloud.google.com/monitoring/promql/promql-in-alerting). What is late by ten minutes is not missing yet.

locals {
  run     = "monitored_resource=\"cloud_run_revision\",service_name=~\"${var.prefix}-(webhook|answer|extract|maintenance)\""
  webhook = "monitored_resource=\"cloud_run_revision\",service_name=\"${var.prefix}-webhook\""
  queue   = "monitored_resource=\"cloud_tasks_queue\",queue_id=\"${google_cloud_tasks_queue.tasks.name}\""
  answers = "monitored_resource=\"cloud_tasks_queue\",queue_id=\"${google_cloud_tasks_queue.answers.name}\""
  ours    = "monitored_resource=\"cloud_run_revision\""
  limit   = var.alert_limits

  # Log-based metric => its name in PromQL
  counted = {
    for name, metric in google_logging_metric.metric : name => "logging_googleapis_com:user_${replace(metric.name, "/[^A-Za-z0-9]/", "_")}"
  }

  requests = "run_googleapis_com:request_count{${local.run}"
  latency  = "run_googleapis_com:request_latencies_bucket{${local.webhook}}"
  delays   = "cloudtasks_googleapis_com:queue_task_attempt_delays_bucket{${local.queue}}"
  late     = "cloudtasks_googleapis_com:queue_task_attempt_delays_bucket{${local.answers}}"
  health   = "${local.counted["jobs_done"]}{${local.ours},job_name=\"health\"}"
  nights   = "${local.counted["jobs_done"]}{${local.ours},job_name=\"night\"}"
  pending  = "sum(sum_over_time(${local.counted["webhook_pending"]}_sum{${local.ours}}[20m])) / sum(sum_over_time(${local.counted["webhook_pending"]}_count{${local.ours}}[20m]))"

  # title and means: for who is woken; query: something while it is so; wait: how long it must be so (seconds);
  # runbook: the heading's anchor in docs/operations.md; first: the first command.
  alerts = {
    errors = {
      title   = "a function fails", severity = "ERROR", wait = 300
      means   = "More than ${local.limit.error_ratio * 100} % of a function's requests end with 5xx. Telegram and the queue try again, but not for ever."
      query   = "(sum by (service_name) (rate(${local.requests},response_code_class=\"5xx\"}[15m])) / sum by (service_name) (rate(${local.requests}}[15m])) > ${local.limit.error_ratio}) and (sum by (service_name) (increase(${local.requests},response_code_class=\"5xx\"}[15m])) > 4.5)"
      runbook = "a-function-fails-or-is-slow", first = "make logs FUNCTION=webhook SINCE=1h"
    }
    webhook_latency = {
      title   = "the webhook is slow", severity = "WARNING", wait = 600
      means   = "One update in twenty takes longer than ${local.limit.webhook_p95_seconds} s."
      query   = "histogram_quantile(0.95, sum by (le) (rate(${local.latency}[15m]))) > ${local.limit.webhook_p95_seconds * 1000}"
      runbook = "a-function-fails-or-is-slow", first = "make logs FUNCTION=webhook SINCE=1h"
    }
    answers_age = {
      title = "answers wait", severity = "ERROR", wait = 120
      # The delays are of attempts that began; the finding is of questions that are open, whatever became of their tasks.
      means   = "One answer in twenty begins more than ${local.limit.answers_age_seconds} s after its question, or the health job saw a question that is open for 15 min: people think that the bot is gone. What was asked is not lost."
      query   = "(histogram_quantile(0.95, sum by (le) (rate(${local.late}[10m]))) > ${local.limit.answers_age_seconds * 1000}) or (sum(sum_over_time(${local.counted["findings"]}{${local.ours},finding=\"answers_late\",state=~\"warning|error\"}[15m])) > 0)"
      runbook = "answers-wait", first = "make logs FUNCTION=answer SINCE=1h"
    }
    queue_age = {
      # Cloud Tasks has no metric of its oldest task. The delays are of those that were tried, the finding is of those
      # that were not.
      title   = "tasks wait", severity = "ERROR", wait = 300
      means   = "Tasks begin more than ${local.limit.queue_age_minutes} min late, or the health job saw one that has waited for 15. Nothing new is learnt meanwhile."
      query   = "(histogram_quantile(0.95, sum by (le) (rate(${local.delays}[15m]))) > ${local.limit.queue_age_minutes * 60000}) or (sum(sum_over_time(${local.counted["findings"]}{${local.ours},finding=\"queue_late\",state=~\"warning|error\"}[15m])) > 0)"
      runbook = "tasks-wait", first = "python -m infra.cli doctor"
    }
    queue_depth = {
      title   = "the queue is deep", severity = "WARNING", wait = 1800
      means   = "More than ${local.limit.queue_depth} tasks are in the queue. Those planned for the night count, up to nine a chat: raise alert_limits.queue_depth when there are more chats."
      query   = "sum(cloudtasks_googleapis_com:queue_depth{${local.queue}}) > ${local.limit.queue_depth}"
      runbook = "tasks-wait", first = "python -m infra.cli doctor"
    }
    dead_letters = {
      title   = "something was given up", severity = "ERROR", wait = 0
      means   = "An update or a task could not be dealt with and was written down."
      query   = "sum(sum_over_time(${local.counted["dead_letters"]}{${local.ours}}[15m])) > 0"
      runbook = "replay-dead-letters", first = "python -m infra.cli dead-letters list"
    }
    night_silence = {
      # Calls come every eight hours. Before the first night there is no silence, and while no health check comes
      # either, the other alert says so.
      title   = "no night comes", severity = "ERROR", wait = 300
      means   = "No call of the scheduler for a night went well for nine hours. What is due stays due; nothing is deleted or archived meanwhile."
      query   = "(sum(sum_over_time(${local.health}[15h] offset 9h)) > 0) unless (sum(sum_over_time(${local.nights}[9h])) > 0)"
      runbook = "the-scheduler-is-silent", first = "make logs FUNCTION=maintenance SINCE=12h"
    }
    health_silence = {
      # It stays for as long as there is silence, however long, for all other alerts on jobs live on the health check. The
      # wait is for the first check after a first deployment.
      title   = "no health check comes", severity = "ERROR", wait = 1800
      means   = "No health check went well for an hour: what Telegram says of the webhook is not known, nor whether tasks wait."
      query   = "absent_over_time(${local.health}[30m])"
      runbook = "the-scheduler-is-silent", first = "make logs FUNCTION=maintenance SINCE=2h"
    }
    webhook_errors = {
      # Two looks in thirty minutes: a single failure is repeated by Telegram and needs nobody.
      title   = "Telegram cannot deliver", severity = "CRITICAL", wait = 0
      means   = "Telegram reports errors of the webhook again and again, or that none is set. It keeps updates for a day."
      query   = "sum(sum_over_time(${local.counted["webhook_errors"]}{${local.ours}}[35m])) > 1.5"
      runbook = "the-webhook-is-down", first = "python -m infra.cli webhook --check"
    }
    webhook_pending = {
      title   = "updates wait at Telegram", severity = "CRITICAL", wait = 600
      means   = "More than ${local.limit.pending_updates} updates wait at Telegram: the webhook fails, or cannot keep up."
      query   = "${local.pending} > ${local.limit.pending_updates}"
      runbook = "the-webhook-is-down", first = "python -m infra.cli webhook --check"
    }
    model_errors = {
      title   = "the model does not answer", severity = "WARNING", wait = 0
      means   = "${local.limit.model_errors} calls of the model or more failed within 15 min. Answers quote memory, and summaries wait for it."
      query   = "sum(sum_over_time(${local.counted["model_errors"]}{${local.ours}}[15m])) >= ${local.limit.model_errors}"
      runbook = "a-model-is-retired-or-away", first = "python -m infra.cli doctor"
    }
    tokens = {
      title   = "the model reads and writes much", severity = "WARNING", wait = 0
      means   = "More than ${local.limit.tokens_per_hour} tokens within an hour."
      query   = "sum(sum_over_time(${local.counted["tokens_in"]}_sum{${local.ours}}[1h])) + sum(sum_over_time(${local.counted["tokens_out"]}_sum{${local.ours}}[1h])) > ${local.limit.tokens_per_hour}"
      runbook = "the-cost-rises", first = "python -m infra.cli stats"
    }
    cost = {
      title   = "the model costs much", severity = "ERROR", wait = 0
      means   = "More than ${local.limit.dollars_per_hour} dollars of tokens within an hour, at the prices of shared/domain/spending/tokens.py."
      query   = "sum(sum_over_time(${local.counted["cost"]}_sum{${local.ours}}[1h])) > ${local.limit.dollars_per_hour}"
      runbook = "the-cost-rises", first = "python -m infra.cli stats"
    }
    findings = {
      # Findings that have alerts of their own are left out.
      title   = "the health job found an error", severity = "ERROR", wait = 0
      means   = "The label finding says which: Telegram or the queue refuses us, needed updates are left out, or a night stopped half-way."
      query   = "sum by (finding) (sum_over_time(${local.counted["findings"]}{${local.ours},state=\"error\",finding!~\"answers_late|queue_late|dead_letters|webhook_failing|webhook_missing\"}[15m])) > 0"
      runbook = "when-something-is-wrong-with-a-job", first = "python -m infra.cli doctor"
    }
  }

  charts = [
    { title = "Requests a second", unit = "1/s", queries = { "" = "sum by (service_name) (rate(${local.requests}}[5m]))" } },
    { title = "5xx a second", unit = "1/s", queries = { "" = "sum by (service_name) (rate(${local.requests},response_code_class=\"5xx\"}[5m]))" } },
    { title = "Webhook latency", unit = "ms", queries = {
      p50 = "histogram_quantile(0.5, sum by (le) (rate(${local.latency}[5m])))"
      p95 = "histogram_quantile(0.95, sum by (le) (rate(${local.latency}[5m])))"
    } },
    { title = "Updates by outcome, in 10 min", unit = "1", queries = { "" = "sum by (outcome) (sum_over_time(${local.counted["updates"]}{${local.ours}}[10m]))" } },
    { title = "Updates by outcome, p95", unit = "ms", queries = { "" = "histogram_quantile(0.95, sum by (le, outcome) (sum_over_time(${local.counted["update_latency"]}_bucket{${local.ours}}[10m])))" } },
    { title = "Answers by outcome, in an hour", unit = "1", queries = { "" = "sum by (outcome) (sum_over_time(${local.counted["answers"]}{${local.ours}}[1h]))" } },
    { title = "Updates that wait at Telegram", unit = "1", queries = { pending = local.pending } },
    { title = "Webhook errors told by Telegram, in an hour", unit = "1", queries = { errors = "sum(sum_over_time(${local.counted["webhook_errors"]}{${local.ours}}[1h]))" } },
    { title = "Instances", unit = "1", queries = { "" = "sum by (service_name) (run_googleapis_com:container_instance_count{${local.run},state=\"active\"})" } },
    { title = "Tasks in the queue (those of the night, too)", unit = "1", queries = { depth = "sum(cloudtasks_googleapis_com:queue_depth{${local.queue}})" } },
    { title = "Tasks begin so late, p95", unit = "ms", queries = {
      answers = "histogram_quantile(0.95, sum by (le) (rate(${local.late}[10m])))"
      others  = "histogram_quantile(0.95, sum by (le) (rate(${local.delays}[10m])))"
    } },
    { title = "Answers in their queue", unit = "1", queries = { depth = "sum(cloudtasks_googleapis_com:queue_depth{${local.answers}})" } },
    { title = "Tasks by outcome, in 10 min", unit = "1", queries = { "" = "sum by (job_name, outcome) (sum_over_time(${local.counted["tasks"]}{${local.ours}}[10m]))" } },
    { title = "Calls of the scheduler that went well, in 8 h", unit = "1", queries = {
      night  = "sum(sum_over_time(${local.nights}[8h]))"
      health = "sum(sum_over_time(${local.health}[8h]))"
    } },
    { title = "Jobs by outcome, in an hour", unit = "1", queries = { "" = "sum by (job_name, outcome) (sum_over_time(${local.counted["jobs"]}{${local.ours}}[1h]))" } },
    { title = "Dead letters, in a day", unit = "1", queries = { "" = "sum by (outcome) (sum_over_time(${local.counted["dead_letters"]}{${local.ours}}[1d]))" } },
    { title = "Tokens, in a day", unit = "1", queries = {
      read    = "sum(sum_over_time(${local.counted["tokens_in"]}_sum{${local.ours}}[1d]))"
      written = "sum(sum_over_time(${local.counted["tokens_out"]}_sum{${local.ours}}[1d]))"
    } },
    { title = "Dollars of tokens, in a day", unit = "{USD}", queries = { dollars = "sum(sum_over_time(${local.counted["cost"]}_sum{${local.ours}}[1d]))" } },
    { title = "Model errors by kind, in an hour", unit = "1", queries = { "" = "sum by (outcome) (sum_over_time(${local.counted["model_errors"]}{${local.ours}}[1h]))" } },
    { title = "Firestore, documents a second", unit = "1/s", queries = {
      # Of the whole project: databases are told apart in the console.
      read    = "sum(rate(firestore_googleapis_com:document_read_ops_count[10m]))"
      written = "sum(rate(firestore_googleapis_com:document_write_ops_count[10m]))"
      deleted = "sum(rate(firestore_googleapis_com:document_delete_ops_count[10m]))"
    } },
  ]
}

resource "google_monitoring_notification_channel" "email" {
  for_each = var.alert_emails

  project      = var.project_id
  display_name = "${var.prefix}: ${each.key}"
  type         = "email"
  labels       = { email_address = each.key }

  depends_on = [google_project_service.api]
}

resource "google_monitoring_alert_policy" "alert" {
  for_each = local.alerts

  project               = var.project_id
  display_name          = "${var.prefix}: ${each.value.title}"
  combiner              = "OR"
  severity              = each.value.severity
  notification_channels = [for channel in google_monitoring_notification_channel.email : channel.name]
  user_labels           = local.labels

  conditions {
    display_name = each.value.title

    condition_prometheus_query_language {
      query                     = each.value.query
      duration                  = "${each.value.wait}s"
      evaluation_interval       = "60s"
      disable_metric_validation = true
    }
  }

  # What is no more in the data is over: the shortest that there is.
  alert_strategy {
    auto_close = "1800s"
  }

  documentation {
    mime_type = "text/markdown"
    subject   = "${var.prefix}: ${each.value.title}"
    content   = <<-EOT
      ${each.value.means}

      First: `${each.value.first}`

      Then: docs/operations.md#${each.value.runbook}
    EOT
  }

  # Silence is looked for when there is something to hear.
  depends_on = [google_cloud_scheduler_job.health, google_cloud_run_v2_service_iam_member.invoker]
}

resource "google_monitoring_dashboard" "spomyn" {
  project        = var.project_id
  dashboard_json = templatefile("${path.module}/dashboard.json.tftpl", { name = var.prefix, charts = local.charts })

  depends_on = [google_project_service.api]
}
