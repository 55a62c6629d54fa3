-- Nodes may run with a role that cannot change tables: partitions are created and dropped with the rights of their owner.
-- Oldest node: 0024

create or replace procedure ensure_week(parent text, day date) language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  monday date := date_trunc('week', day)::date;
  part text := format('%s_week_%s', parent, to_char(monday, 'YYYYMMDD'));
  single text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
  starts_on date := monday;
  ends_on date := monday + 7;
begin
  if parent not in ('position', 'play') then raise exception '% has no weeks.', parent; end if;
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

-- Drops a partition. Another node may have dropped it already.
create procedure drop_partition(parent text, part text) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if parent not in ('position', 'play') then raise exception '% has no weeks.', parent; end if;
  if exists (select from partitions_of(parent) p where p.name = part) then execute format('drop table %I', part); end if;
end $$;
