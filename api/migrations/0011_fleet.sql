-- The live fleet: positions, odometers, plays, what devices report, and what is wrong with a truck.

-- Big tables are cut by day, so that old days are dropped as a whole. A day is made apart and attached, which does not
-- stop those who read and write other days.
create procedure ensure_day(parent text, day date) language plpgsql as $$
declare
  part text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
begin
  if to_regclass(part) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_day'));
  -- Another may have made it meanwhile; to_regclass remembers that it was not there.
  if exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
              where i.inhparent = parent::regclass and c.relname = part) then return; end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
                 day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end $$;

create procedure drop_days(parent text, before date) language plpgsql as $$
declare
  part text;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = parent::regclass and c.relname < format('%s_%s', parent, to_char(before, 'YYYYMMDD'))
  loop
    -- Another node may have been quicker.
    execute format('drop table if exists %I', part);
  end loop;
end $$;

-- Where a truck was. A tracker that says it twice says it once. Trucks are never removed, and whoever stores positions
-- has just looked them up: a reference would only cost as much as the rest of the row.
create table position (
  truck_uid uuid not null,
  at timestamptz not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  speed_kmh double precision,
  received_at timestamptz not null default now(),
  primary key (truck_uid, at)
) partition by range (at);

create table odometer_reading (
  truck_uid uuid not null references truck (uid),
  at timestamptz not null,
  metres double precision not null check (metres >= 0),
  primary key (truck_uid, at)
);
create index odometer_reading_by_time on odometer_reading using brin (at);

-- The newest of each truck, apart from the past: what a map shows is read without touching it.
create table truck_now (
  truck_uid uuid primary key references truck (uid),
  at timestamptz,
  latitude double precision,
  longitude double precision,
  speed_kmh double precision,
  heading double precision,
  is_driving boolean,
  odometer_m double precision,
  -- When the truck's player was last in touch, and what it last played.
  player_seen_at timestamptz,
  played_at timestamptz,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

-- Where each feed of MyGeotab goes on; written in the transaction that stores what it gave.
create table geotab_cursor (
  entity text primary key,
  version text not null,
  polled_at timestamptz not null default now()
);

-- Miles of a shift: the state of its track, so that it goes on without reading the past again.
create table shift_track (
  shift_uid uuid primary key references shift (uid),
  -- Whose track in which hours it is: when the shift has others by now, it is computed anew.
  truck_uid uuid not null references truck (uid),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  track json not null,
  -- How long the truck was heard without a gap.
  heard_ms double precision not null,
  gps_metres double precision not null check (gps_metres >= 0),
  odometer_metres double precision,
  metres double precision not null check (metres >= 0),
  source text not null check (source in ('gps', 'odometer')),
  estimated_metres double precision not null default 0,
  -- Which share of the shift so far the truck was heard in.
  coverage real not null check (coverage between 0 and 1),
  algorithm integer not null,
  computed_at timestamptz not null default now()
-- It is written all the time while the shift runs: with room beside it, no index has to be.
) with (fillfactor = 50);
create index shift_track_by_end on shift_track (ends_at);
create index shift_track_of_truck on shift_track (truck_uid, starts_at);

-- The hours in which a truck really was on a shift, as far as anybody said so; null where the shift does not take place.
create function driven_hours(s shift) returns tstzrange immutable language sql as $$
  select case when s.deleted_at is null and s.status not in ('cancelled', 'noShow') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, s.ends_at), coalesce(s.started_at, s.starts_at))) end
$$;

-- Visits of a shift's truck to the addresses of the shift's set, and of which state of the track they are.
create table shift_approach (
  shift_uid uuid not null references shift (uid),
  address_uid uuid not null,
  entered_at timestamptz not null,
  left_at timestamptz not null,
  nearest_m double precision not null check (nearest_m >= 0),
  primary key (shift_uid, address_uid, entered_at),
  check (left_at >= entered_at)
);
create table shift_approaches_known (
  shift_uid uuid primary key references shift (uid),
  address_set_uid uuid not null,
  -- How many metres of track they were found along, and when.
  gps_metres double precision not null,
  heard_ms double precision not null,
  computed_at timestamptz not null
);

-- Hours of trucks whose miles are to be computed anew, because a shift that has begun was changed.
create table miles_due (
  truck_uid uuid not null references truck (uid),
  starts_at timestamptz not null,
  ends_at timestamptz not null
);

create function note_miles_due() returns trigger language plpgsql as $$
begin
  insert into miles_due (truck_uid, starts_at, ends_at)
  select distinct s.truck_uid, lower(driven_hours(s)), upper(driven_hours(s))
    from unnest(case when tg_op = 'UPDATE' then array[old, new] else array[new] end) s
   where lower(driven_hours(s)) < now();
  return null;
end $$;
create trigger note_miles_planned after insert on shift for each row
  when (new.starts_at < now()) execute function note_miles_due();
create trigger note_miles_changed after update on shift for each row
  when (old.truck_uid <> new.truck_uid or driven_hours(old) is distinct from driven_hours(new))
  execute function note_miles_due();

-- Miles outside of any shift, by the day (UTC) of the truck.
create table truck_day_track (
  truck_uid uuid not null references truck (uid),
  day date not null,
  metres double precision not null check (metres >= 0),
  unassigned_metres double precision not null check (unassigned_metres >= 0),
  -- The state of the day's track, and of the tracks between its shifts.
  tracks json not null,
  algorithm integer not null,
  computed_at timestamptz not null default now(),
  primary key (truck_uid, day)
) with (fillfactor = 50);

-- One ad on one side of one truck. Its id and number come from the player; it counts once however often it is sent.
-- What it refers to is looked up in the statement that stores it, and records are never taken out of their tables:
-- checking six references of each row once more would cost more than storing it.
create table play (
  device_uid uuid not null,
  play_id text not null check (length(play_id) between 1 and 64),
  started_at timestamptz not null,
  sequence bigint not null check (sequence > 0),
  truck_uid uuid not null,
  shift_uid uuid,
  program_uid uuid,
  market_uid uuid,
  artwork_set_uid uuid not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  side text not null check (side in ('driverSide', 'passengerSide', 'rear')),
  duration_ms integer not null check (duration_ms between 0 and 86400000),
  latitude double precision,
  longitude double precision,
  -- The SD address it was shown for.
  address_uid uuid,
  grade text not null default 'unverified' check (grade in ('verified', 'unverified', 'conflict')),
  received_at timestamptz not null default now(),
  primary key (device_uid, play_id, started_at)
) partition by range (started_at);
create index play_of_program on play (program_uid, started_at);
create index play_of_shift on play (shift_uid, started_at);
create index play_of_truck on play (truck_uid, started_at);
-- What came in lately is looked for by those who judge plays: rows lie in the order in which they came.
create index position_by_arrival on position using brin (received_at) with (autosummarize = on);
create index shift_by_change on shift (updated_at);

-- Which numbers of a player have arrived: holes between them are plays that are missing.
create table play_sequence (
  device_uid uuid primary key references device (uid),
  received int8multirange not null default '{}'
);

-- Numbers with the oldest of very many holes forgotten: a player that counts at random must not fill the disk.
create function without_old_holes(received int8multirange) returns int8multirange language sql immutable as $$
  select case when count(*) <= 2000 then $1
              else $1 + int8multirange(int8range(lower($1), max(upper(part)) filter (where place <= total - 1000))) end
    from (select part, row_number() over (order by part) as place, count(*) over () as total from unnest($1) part) parts
$$;

-- Plays by the hour, kept in the transaction that stores them. No program or market: an all-zero uid.
create table play_hour (
  hour timestamptz not null,
  truck_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  side text not null,
  plays integer not null,
  duration_ms bigint not null,
  verified integer not null default 0,
  conflict integer not null default 0,
  for_address integer not null default 0,
  primary key (hour, truck_uid, program_uid, market_uid, side)
);
create index play_hour_of_program on play_hour (program_uid, hour);

-- What a device last said of itself.
create table device_health (
  device_uid uuid primary key references device (uid),
  at timestamptz not null,
  -- SHA-256 of each file it holds.
  files text[] not null default '{}',
  clock_offset_ms integer not null,
  gps_fix boolean not null,
  free_bytes bigint,
  app_version text not null default '',
  received_at timestamptz not null default now()
);

-- When a device was last in touch. Apart from the device, whose row is a record: being seen is no change of it.
alter table device drop column seen_at;
create table device_seen (
  device_uid uuid primary key references device (uid),
  seen_at timestamptz not null
);

-- What drivers report from the road, by the id that the app on the device gave it.
create table driver_event (
  device_uid uuid not null references device (uid),
  event_id text not null check (length(event_id) between 1 and 64),
  shift_uid uuid not null references shift (uid),
  kind text not null check (kind in ('start', 'stop')),
  at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (device_uid, event_id)
);
create index driver_event_of_shift on driver_event (shift_uid);

-- Something wrong with a truck: reported by its driver, or noticed by the server.
create table truck_issue (
  uid uuid primary key default new_uid(),
  truck_uid uuid not null references truck (uid),
  shift_uid uuid references shift (uid),
  kind text not null check (kind in ('noGps', 'noPlays', 'outsideMarket', 'playerOffline', 'mechanical', 'screen', 'accident', 'other')),
  raised_by text not null check (raised_by in ('server', 'driver')),
  -- The device and the id that its app gave it.
  event_id text unique,
  text text not null default '',
  photo_file_uid uuid references stored_file (uid),
  status text not null default 'open' check (status in ('open', 'inProgress', 'resolved')),
  note text not null default '',
  opened_at timestamptz not null default now(),
  resolved_at timestamptz,
  search_text text not null generated always as (lower(text || ' ' || note)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint issue_resolved_at_a_time check ((status = 'resolved') = (resolved_at is not null))
);
create unique index issue_open_once on truck_issue (truck_uid, kind) where raised_by = 'server' and status <> 'resolved' and deleted_at is null;
create index issue_by_opened on truck_issue (opened_at, uid) where deleted_at is null;
create index issue_by_updated on truck_issue (updated_at, uid) where deleted_at is null;
create index issue_by_status on truck_issue (status, uid) where deleted_at is null;
create index issue_of_truck on truck_issue (truck_uid, opened_at) where deleted_at is null;
create index issue_search on truck_issue using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('truck_issue');

create function tell_changed_issues() returns trigger language plpgsql as $$
begin
  perform pg_notify('issues_changed', '');
  return null;
end $$;
create trigger tell_changed after insert or update on truck_issue
  for each statement execute function tell_changed_issues();

-- Since when the server sees a trouble, or no longer: an issue is raised and closed only after a while.
create table issue_watch (
  truck_uid uuid not null references truck (uid),
  kind text not null,
  shift_uid uuid not null references shift (uid),
  since timestamptz not null,
  gone_since timestamptz,
  primary key (truck_uid, kind)
);

-- A device whose key was taken back is gone at once, on every node.
create function tell_ended_devices() returns trigger language plpgsql as $$
begin
  if new.key_hash is distinct from old.key_hash or new.deleted_at is distinct from old.deleted_at then
    perform pg_notify('device_ended', new.uid::text);
  end if;
  return null;
end $$;
create trigger tell_ended after update on device for each row execute function tell_ended_devices();

-- What a truck's devices were told may have changed; each node tells those that are connected to it.
create function tell_changed_trucks() returns trigger language plpgsql as $$
begin
  perform pg_notify('truck_plan_changed', truck_uid::text) from (select distinct truck_uid from touched) trucks;
  return null;
end $$;
create trigger tell_trucks_inserted after insert on shift referencing new table as touched
  for each statement execute function tell_changed_trucks();
create trigger tell_trucks_updated after update on shift referencing new table as touched
  for each statement execute function tell_changed_trucks();
create trigger tell_trucks_left after update on shift referencing old table as touched
  for each statement execute function tell_changed_trucks();

create function tell_changed_plans() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'truck' then perform pg_notify('truck_plan_changed', new.uid::text);
    when 'pixel_map' then
      perform pg_notify('truck_plan_changed', uid::text) from truck where pixel_map_uid = new.uid and deleted_at is null;
    when 'client_program' then perform pg_notify('program_plan_changed', new.uid::text);
    when 'client' then
      perform pg_notify('program_plan_changed', uid::text) from client_program where client_uid = new.uid and deleted_at is null;
    else perform pg_notify('program_plan_changed', new.program_uid::text);
  end case;
  return null;
end $$;
create trigger tell_plans after update on truck for each row execute function tell_changed_plans();
create trigger tell_plans after update on pixel_map for each row execute function tell_changed_plans();
create trigger tell_plans after update on client_program for each row execute function tell_changed_plans();
create trigger tell_plans after update on client for each row execute function tell_changed_plans();
create trigger tell_plans after update on artwork_set for each row execute function tell_changed_plans();
create trigger tell_plans after update on address_set for each row execute function tell_changed_plans();
