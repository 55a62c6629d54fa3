-- Orders of lists: programs with the running ones first, and shifts by the clocks of their markets.
-- Oldest node: 0024
-- Outside a transaction
create index concurrently if not exists client_program_by_progress on client_program ((case status when 'active' then 0 when 'paused' then 1 when 'draft' then 2 else 3 end * 1000000 + (starts_on - date '2000-01-01')), uid) where deleted_at is null;
create index concurrently if not exists shift_by_local_start on shift ((local_date + start_time), uid) where deleted_at is null;
