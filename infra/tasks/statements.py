"""The SQL by which the local queue uses its table (`task_file`); times are microseconds since 1970."""

_LANE = "(target || '/' LIKE '/answer/%')"
"""A task's lane (`runs.Lane`)."""

_IS_FREE = f"""({_LANE} OR NOT EXISTS (
  SELECT 1 FROM tasks AS other WHERE other.state = 'running' AND other.leased_until > :now
    AND other.target || '/' NOT LIKE '/answer/%'
    AND json_extract(other.payload, '$.chat_id') = json_extract(tasks.payload, '$.chat_id')))"""  # noqa: S608 - ours
"""The condition that no other task that reads or tends the chat is running: a second one would read the same talk."""

CLAIM = f"""
UPDATE tasks SET state = 'running', attempts = attempts + 1, leased_until = :lease WHERE seq = (
  SELECT seq FROM tasks
  WHERE ((state = 'waiting' AND (:all OR due <= :now)) OR (state = 'running' AND leased_until <= :now))
    AND CASE WHEN :name IS NULL THEN {_LANE} = :lane AND {_IS_FREE} ELSE claim = :name END
  ORDER BY due, seq LIMIT 1)
RETURNING seq, name, target, payload, run_at, attempts
"""  # noqa: S608 - ours
IS_OPEN = "SELECT count(*) FROM tasks WHERE claim = ? AND state IN ('waiting', 'running')"
RENEW = "leased_until = :at"
DONE = "state = 'done', payload = '{}', finished_at = :at, error = NULL"
DEAD = "state = 'dead', finished_at = :at, error = :error"
RETRY = "state = 'waiting', due = :at, error = :error"
HAND_BACK = "state = 'waiting', attempts = attempts - 1"
TAKE_OVER = "UPDATE tasks SET state = 'waiting' WHERE state = 'running'"
NEXT = f"""
SELECT due FROM tasks WHERE state = 'waiting' AND {_LANE} = :lane AND {_IS_FREE} ORDER BY due LIMIT 1
"""  # noqa: S608 - ours
BACKLOG = """
SELECT coalesce(run_at, due), attempts, due FROM tasks
WHERE state IN ('waiting', 'running') AND target || '/' NOT LIKE '/answer/%' ORDER BY due, seq LIMIT ?
"""
