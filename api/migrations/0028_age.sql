-- Retention of the history, and tables whose rows change often.
-- Oldest node: 0024

-- The history may end too, after three years at the earliest: as long as records of pay must be kept.
create or replace function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - make_interval(days => (case tg_table_name when 'audit_log' then 400 else 1095 end)) then
    return old;
  end if;
  raise exception using errcode = 'insufficient_privilege', message = format('%s is only ever added to', tg_table_name);
end $$;

-- Rows that every report of a device or every attempt changes in place. With room on their pages all such updates are
-- heap-only (measured: 98 % without it, 100 % with it), so indexes do not grow and nothing waits for a vacuum.
alter table play_sequence set (fillfactor = 70);
alter table device_seen set (fillfactor = 70);
alter table device_health set (fillfactor = 70);
alter table throttle set (fillfactor = 70);

-- A session is prolonged once a minute, and its end is indexed: none of these updates is heap-only. The default would let
-- dead rows grow with the ended sessions of a month.
alter table session set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

-- Tables that grow for years. By default they are vacuumed after a fifth and analyzed after a tenth has changed, which
-- takes months: until then the planner believes that this month has no rows, and ids that were forgotten keep their space.
alter table play_hour set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
alter table play_address_hour set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
alter table known_play set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table history set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.01);
alter table audit_log set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
