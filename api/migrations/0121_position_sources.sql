-- Positions come from any number of sources, each with its own key and its own id of a truck. In each minute of a truck one source counts,
-- whose fixes are in `position`; those of the others wait in `position_spare`. A minute without a row in `position_minute` is MyGeotab's, so
-- nodes of earlier versions go on writing `position` as they do.
-- Oldest node: 0024

create table position_source (
  uid uuid primary key default new_uid(),
  name text not null check (length(name) between 1 and 80),
  kind text not null check (kind in ('geotab', 'samsara', 'osmand', 'traccar', 'json', 'file', 'phone', 'player')),
  -- Only a hash of its key is kept; null for sources that are asked, and for one whose key was revoked.
  key_hash bytea unique,
  key_start text not null default '',
  is_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  created_by uuid references user_account (uid),
  revoked_at timestamptz,
  deleted_at timestamptz,
  -- When its key was last used.
  last_seen_at timestamptz,
  last_error text,
  last_error_at timestamptz
);
create unique index position_source_name_once on position_source (lower(name)) where deleted_at is null;

-- Sources that are always there. Their ids are constants of the program.
insert into position_source (uid, name, kind) values
  ('00000000-0000-0000-0000-000000000000', 'MyGeotab', 'geotab'),
  ('00000000-0000-0000-0000-000000000001', 'Driver''s phone', 'phone'),
  ('00000000-0000-0000-0000-000000000002', 'Player', 'player');

-- The id of a truck at a source. At MyGeotab it is `truck.geotab_device_id`.
create table truck_tracker (
  source_uid uuid not null references position_source (uid),
  external_id text not null check (length(external_id) between 1 and 100),
  truck_uid uuid not null references truck (uid) on delete cascade,
  created_at timestamptz not null default now(),
  created_by uuid references user_account (uid),
  primary key (source_uid, external_id)
);
create index truck_tracker_of_truck on truck_tracker (truck_uid);

-- Ids that a source sends and that belong to no truck yet.
create table unknown_tracker (
  source_uid uuid not null references position_source (uid) on delete cascade,
  external_id text not null,
  fixes bigint not null default 0,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (source_uid, external_id)
);
create index unknown_tracker_by_time on unknown_tracker (last_at);

-- Which sources have placed a truck, and by which fix last. MyGeotab is left out.
create table truck_source (
  truck_uid uuid not null references truck (uid) on delete cascade,
  source_uid uuid not null references position_source (uid),
  -- The time of the newest fix, to the minute.
  last_at timestamptz not null,
  primary key (truck_uid, source_uid)
);

-- The source of a truck's fixes in a minute, and the class of its accuracy there (0 is best). MyGeotab is left out.
create table position_minute (
  truck_uid uuid not null,
  at timestamptz not null,
  source_uid uuid not null,
  accuracy smallint not null,
  primary key (truck_uid, at)
) partition by range (at);

-- Fixes of sources that do not count in their minute.
create table position_spare (
  truck_uid uuid not null,
  at timestamptz not null,
  source_uid uuid not null,
  accuracy smallint not null,
  latitude double precision not null,
  longitude double precision not null,
  speed_kmh double precision,
  received_at timestamptz not null default now(),
  primary key (truck_uid, at, source_uid)
) partition by range (at);

create function has_weeks(parent text) returns boolean immutable language sql as $$
  select parent in ('position', 'play', 'position_minute', 'position_spare')
$$;

create or replace procedure ensure_week(parent text, day date) language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  monday date := date_trunc('week', day)::date;
  part text := format('%s_week_%s', parent, to_char(monday, 'YYYYMMDD'));
  single text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
  starts_on date := monday;
  ends_on date := monday + 7;
begin
  if not has_weeks(parent) then raise exception '% has no weeks.', parent; end if;
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

create or replace procedure drop_partition(parent text, part text) language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  if not has_weeks(parent) then raise exception '% has no weeks.', parent; end if;
  if exists (select from partitions_of(parent) p where p.name = part) then
    execute format('drop table if exists %I', part);
  end if;
end $$;

-- On a cluster they are where the positions are.
do $$
begin
  if is_distributed('position') then
    perform create_distributed_table('position_minute', 'truck_uid', colocate_with => 'position');
    perform create_distributed_table('position_spare', 'truck_uid', colocate_with => 'position');
  end if;
end $$;
