-- Finds the newest plays of all programs.
-- Oldest node: 0024
-- Outside a transaction
create index concurrently if not exists play_times on play (started_at);
