-- Plays and positions are partitioned by week (Monday 00:00 UTC) instead of by day: 800 days are 115 partitions, so that
-- a statement that reads all of them stays far below the locks that a stock PostgreSQL has. Partitions of single days in
-- older databases stay valid; a job merges them into weeks.
-- Oldest node: 0024

-- The partitions of a table with the time that each covers, oldest first.
create function partitions_of(parent text)
returns table (name text, starts_at timestamptz, ends_at timestamptz) stable language sql as $$
  select c.relname::text, bounds[1]::timestamptz, bounds[2]::timestamptz
    from pg_inherits i join pg_class c on c.oid = i.inhrelid,
         regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''(.+)''\) TO \(''(.+)''\)') bounds
   where i.inhparent = parent::regclass order by 2
$$;

-- Creates the partition that holds a day, if none does: one of its week, or of the day alone where the week has
-- partitions of single days already. It is created first and attached then, which does not block reads and writes of
-- other weeks.
create procedure ensure_week(parent text, day date) language plpgsql as $$
declare
  monday date := date_trunc('week', day)::date;
  part text := format('%s_week_%s', parent, to_char(monday, 'YYYYMMDD'));
  single text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
  starts_on date := monday;
  ends_on date := monday + 7;
begin
  if to_regclass(part) is not null or to_regclass(single) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_week'));
  -- Another session may have created it meanwhile; to_regclass would still answer from its cache.
  if exists (select from partitions_of(parent) p where p.starts_at <= day::timestamp at time zone 'UTC'
                                                   and p.ends_at > day::timestamp at time zone 'UTC') then return; end if;
  if exists (select from partitions_of(parent) p where p.starts_at < ends_on::timestamp at time zone 'UTC'
                                                   and p.ends_at > starts_on::timestamp at time zone 'UTC') then
    part := single;
    starts_on := day;
    ends_on := day + 1;
  end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
                 starts_on::timestamp at time zone 'UTC', ends_on::timestamp at time zone 'UTC');
end $$;

-- For nodes of the version before, which know days only.
create or replace procedure ensure_day(parent text, day date) language plpgsql as $$
begin
  call ensure_week(parent, day);
end $$;

-- For nodes of the version before: a few partitions at a time, because each of them and its indexes takes locks.
create or replace procedure drop_days(parent text, before date) language plpgsql as $$
declare
  part text;
begin
  for part in
    select p.name from partitions_of(parent) p where p.ends_at <= before::timestamp at time zone 'UTC' limit 10
  loop
    -- Another node may have dropped it already.
    execute format('drop table if exists %I', part);
  end loop;
end $$;

-- Since when single plays are listed: the first moment of the oldest partition, or of the retention where that is later,
-- because a week is dropped only when all of it is older. Hourly counts are kept longer. The names of partitions sort by
-- time. A setting that was never changed has its default.
create or replace function plays_kept_since() returns timestamptz stable language sql as $$
  select greatest(
    (select min(to_date(right(relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' from (
       (select relname from pg_class where relname >= 'play_0' and relname < 'play_a' and relispartition and relkind = 'r'
         order by relname limit 1)
       union all
       (select relname from pg_class where relname >= 'play_week_0' and relname < 'play_week_a' and relispartition
           and relkind = 'r' order by relname limit 1)) oldest),
    ((now() at time zone 'UTC')::date - setting_number('keepPlaysDays', 800)::int)::timestamp at time zone 'UTC')
$$;

-- While the days of a week are merged, changes of their rows are noted: rows that were copied before are copied again.
-- The copies are made in a schema of their own, which backups leave out.
create schema merging;
create table merging.changed_row (truck_uid uuid not null, at timestamptz not null);

create function note_changed_row() returns trigger language plpgsql as $$
begin
  insert into merging.changed_row (truck_uid, at)
  select (r ->> 'truck_uid')::uuid, (r ->> tg_argv[0])::timestamptz
    from (values (case when tg_op <> 'INSERT' then to_jsonb(old) end), (case when tg_op <> 'DELETE' then to_jsonb(new) end)) v (r)
   where r is not null;
  return null;
end $$;

-- A shorter retention has effect at once.
create trigger tell_added after insert on setting referencing new table as touched
  for each statement execute function tell_touched('settings_changed');
create trigger tell_changed after update on setting referencing new table as touched
  for each statement execute function tell_touched('settings_changed');
