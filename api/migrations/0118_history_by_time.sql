-- Finds the changes of some days: entries follow time, so a few pages of block ranges do.
-- Oldest node: 0024
-- Outside a transaction
create index concurrently if not exists history_times on history using brin (at) with (pages_per_range = 32);
