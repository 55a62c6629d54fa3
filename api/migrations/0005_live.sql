-- The live fleet: positions, odometers, miles, plays, device health, driver reports and truck issues.

-- Positions of trucks. There is no foreign key: trucks are never removed and are looked up before positions are stored.
create table position (
  truck_uid uuid not null,
  at timestamptz not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  speed_kmh double precision,
  received_at timestamptz not null default now(),
  primary key (truck_uid, at)
) partition by range (at);
-- Rows lie in the order of their arrival; grading of plays looks for recently received positions.
create index position_by_arrival on position using brin (received_at) with (autosummarize = on);

create table odometer_reading (
  truck_uid uuid not null references truck (uid),
  at timestamptz not null,
  metres double precision not null check (metres >= 0),
  primary key (truck_uid, at)
);
create index odometer_reading_by_time on odometer_reading using brin (at);

-- The newest state of each truck, apart from its past, so that the map reads few rows.
create table truck_now (
  truck_uid uuid primary key references truck (uid),
  at timestamptz,
  latitude double precision,
  longitude double precision,
  speed_kmh double precision,
  heading double precision,
  is_driving boolean,
  odometer_m double precision,
  -- The last contact of the truck's player, and its last play.
  player_seen_at timestamptz,
  played_at timestamptz,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);

-- Where each feed of MyGeotab continues; written in the transaction that stores its rows.
create table geotab_cursor (
  entity text primary key,
  version text not null,
  polled_at timestamptz not null default now()
);

-- Miles of a shift with the state of its track, so that new positions are added without reading the old ones again.
create table shift_track (
  shift_uid uuid primary key references shift (uid),
  -- The truck and hours of this track: if the shift has others by now, it is computed again.
  truck_uid uuid not null references truck (uid),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  track json not null,
  -- How long the truck sent positions without a gap.
  heard_ms double precision not null,
  gps_metres double precision not null check (gps_metres >= 0),
  odometer_metres double precision,
  metres double precision not null check (metres >= 0),
  source text not null check (source in ('gps', 'odometer')),
  estimated_metres double precision not null default 0,
  -- The share of the shift so far with positions.
  coverage real not null check (coverage between 0 and 1),
  algorithm integer not null,
  computed_at timestamptz not null default now()
-- Updated all the time while the shift runs: free room on the page avoids index writes.
) with (fillfactor = 50);
create index shift_track_by_end on shift_track (ends_at);
create index shift_track_of_truck on shift_track (truck_uid, starts_at);

-- The hours in which a truck was on a shift, as far as reported; null if the shift does not take place.
create function driven_hours(s shift) returns tstzrange immutable language sql as $$
  select case when s.deleted_at is null and s.status not in ('cancelled', 'noShow') then
    tstzrange(coalesce(s.started_at, s.starts_at),
              greatest(coalesce(s.stopped_at, s.ends_at), coalesce(s.started_at, s.starts_at))) end
$$;

-- Visits of a shift's truck to the addresses of the shift's set, and the state of the track they were found in.
create table shift_approach (
  shift_uid uuid not null references shift (uid),
  address_uid uuid not null,
  entered_at timestamptz not null,
  left_at timestamptz not null,
  nearest_m double precision not null check (nearest_m >= 0),
  -- Whether the rules show this address during the visit: where addresses lie close, they show the nearer one.
  is_due boolean not null default true,
  primary key (shift_uid, address_uid, entered_at),
  check (left_at >= entered_at)
);
create table shift_approaches_known (
  shift_uid uuid primary key references shift (uid),
  address_set_uid uuid not null,
  -- The length of the track they were found along, and the time.
  gps_metres double precision not null,
  heard_ms double precision not null,
  computed_at timestamptz not null
);

-- Hours of trucks whose miles must be computed again, because a shift that has begun was changed.
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

-- Miles of a truck by day (UTC), and how many of them outside of any shift.
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

-- One ad on one side of one truck. The player gives its id and number; a play that is sent again counts once. There are
-- no foreign keys: the storing statement looks up all references, and checking six of them again would double its cost.
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

-- The sequence numbers received from a player: gaps are missing plays.
create table play_sequence (
  device_uid uuid primary key references device (uid),
  received int8multirange not null default '{}'
);

-- Forgets the oldest of very many gaps: a player that numbers at random must not fill the disk.
create function without_old_holes(received int8multirange) returns int8multirange language sql immutable as $$
  select case when count(*) <= 2000 then $1
              else $1 + int8multirange(int8range(lower($1), max(upper(part)) filter (where place <= total - 1000))) end
    from (select part, row_number() over (order by part) as place, count(*) over () as total from unnest($1) part) parts
$$;

-- Plays that follow a gap in the player's numbering: the gap counts for the truck and time of the first play after it.
-- play_sequence says whether the gap is still open and how long it is.
create table play_after_hole (
  device_uid uuid not null,
  sequence bigint not null,
  truck_uid uuid not null,
  at timestamptz not null,
  primary key (device_uid, sequence)
);
create index play_after_hole_of_truck on play_after_hole (truck_uid, at);

-- How many plays are missing right before a play.
create function missing_before(received int8multirange, sequence bigint) returns bigint immutable language sql as $$
  select coalesce((select upper(hole) - lower(hole)
                     from unnest(int8multirange(int8range(1, $2)) - $1) hole where upper(hole) = $2), 0)
$$;

-- Plays by hour, updated in the transaction that stores them. A play without program or market has the nil uid.
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
create index play_hour_of_market on play_hour (program_uid, market_uid, hour);

-- Plays for SD addresses by hour, updated in the transaction that stores them.
create table play_address_hour (
  hour timestamptz not null,
  truck_uid uuid not null,
  program_uid uuid not null,
  market_uid uuid not null,
  address_uid uuid not null,
  plays integer not null,
  duration_ms bigint not null,
  primary key (hour, truck_uid, program_uid, market_uid, address_uid)
);
create index play_address_hour_of_program on play_address_hour (program_uid, hour);
create index play_address_hour_of_market on play_address_hour (program_uid, market_uid, hour);

-- The first hour of a local day. Plays are counted by whole hours of UTC; in zones with an offset of half hours, an hour
-- belongs to the day in which it begins.
create function first_hour_of(day date, zone text) returns timestamptz stable language sql as $$
  select min(hour) from generate_series(date_trunc('hour', day::timestamp at time zone zone) - interval '2 hours',
                                        date_trunc('hour', day::timestamp at time zone zone) + interval '2 hours',
                                        interval '1 hour') hour
   where (hour at time zone zone)::date >= day
$$;

-- The oldest day whose single plays are kept; hourly counts are kept longer. Partitions sort by day.
create function plays_kept_since() returns timestamptz stable language sql as $$
  select to_date(right(relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' from pg_class
   where relname >= 'play_0' and relname < 'play_a' and relispartition and relkind = 'r' order by relname limit 1
$$;

-- The last health report of each device.
create table device_health (
  device_uid uuid primary key references device (uid),
  at timestamptz not null,
  -- SHA-256 of each file on the device.
  files text[] not null default '{}',
  clock_offset_ms integer not null,
  gps_fix boolean not null,
  free_bytes bigint,
  app_version text not null default '',
  received_at timestamptz not null default now()
);

-- Starts and stops that drivers report, by the id that the app on the device gave.
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

-- A problem with a truck: reported by its driver, or detected by the server.
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
create index issue_of_shift on truck_issue (shift_uid) where deleted_at is null and shift_uid is not null;
create index issue_search on truck_issue using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('truck_issue');
create trigger tell_added after insert on truck_issue referencing new table as touched
  for each statement execute function tell_touched('issues_changed');
create trigger tell_changed after update on truck_issue referencing new table as touched
  for each statement execute function tell_touched('issues_changed');

-- Since when a problem is present or gone: an issue is opened and resolved only after a delay.
create table issue_watch (
  truck_uid uuid not null references truck (uid),
  kind text not null,
  shift_uid uuid not null references shift (uid),
  since timestamptz not null,
  gone_since timestamptz,
  primary key (truck_uid, kind)
);
