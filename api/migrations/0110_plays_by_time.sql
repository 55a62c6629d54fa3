-- Finds the newest plays of all programs, and the plays of some days for SD addresses.
-- Oldest node: 0024
-- Outside a transaction
create index concurrently if not exists play_times on play (started_at);
create index concurrently if not exists play_address_hour_by_day on play_address_hour (day);
