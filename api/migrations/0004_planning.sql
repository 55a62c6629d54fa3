-- Shifts: one truck, one driver, one program, one market, from a local start to a local end.

create table shift (
  uid uuid primary key default new_uid(),
  truck_uid uuid not null references truck (uid),
  driver_uid uuid not null references user_account (uid),
  program_uid uuid not null references client_program (uid),
  market_uid uuid not null references market (uid),
  -- As planned: a day and two times in the market's zone; an end that is not after the start is on the next day.
  local_date date not null,
  start_time time not null,
  end_time time not null,
  -- The zone as the market had it: a corrected market does not move the past.
  zone text not null,
  -- The same as instants.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  artwork_set_uid uuid references artwork_set (uid),
  address_set_uid uuid references address_set (uid),
  pay_option text check (pay_option in ('halfDay', 'eightHours', 'twelveHours')),
  note text not null default '',
  status text not null default 'planned' check (status in ('planned', 'out', 'completed', 'cancelled', 'noShow')),
  reason text not null default '',
  started_at timestamptz,
  stopped_at timestamptz,
  search_text text not null generated always as (lower(note)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint shift_starts_as_clocks_show check (starts_at at time zone zone = local_date + start_time),
  constraint shift_ends_as_clocks_show check
    (ends_at at time zone zone = local_date + end_time + case when end_time <= start_time then interval '1 day' else interval '0' end),
  constraint shift_has_a_length check (start_time <> end_time and ends_at > starts_at),
  constraint shift_stops_after_it_started check (stopped_at >= started_at),
  constraint shift_reason_given check (status not in ('cancelled', 'noShow') or reason <> ''),
  -- Deferrable, because one plan may swap two trucks.
  constraint shift_truck_once exclude using gist (truck_uid with =, tstzrange(starts_at, ends_at) with &&)
    where (deleted_at is null and status not in ('cancelled', 'noShow')) deferrable,
  constraint shift_driver_once exclude using gist (driver_uid with =, tstzrange(starts_at, ends_at) with &&)
    where (deleted_at is null and status not in ('cancelled', 'noShow')) deferrable
);
create index shift_by_start on shift (starts_at, uid) where deleted_at is null;
create index shift_by_status on shift (status, uid) where deleted_at is null;
create index shift_by_updated on shift (updated_at, uid) where deleted_at is null;
create index shift_by_change on shift (updated_at);
create index shift_by_date on shift (local_date) where deleted_at is null;
create index shift_of_truck on shift (truck_uid, starts_at) where deleted_at is null;
create index shift_of_driver on shift (driver_uid, starts_at) where deleted_at is null;
create index shift_of_program on shift (program_uid, starts_at) where deleted_at is null;
create index shift_of_market on shift (market_uid, starts_at) where deleted_at is null;
create index shift_with_artwork on shift (artwork_set_uid) where deleted_at is null and artwork_set_uid is not null;
create index shift_with_addresses on shift (address_set_uid) where deleted_at is null and address_set_uid is not null;
create index shift_search on shift using gin (search_text gin_trgm_ops) where deleted_at is null;
-- The instants follow from the local times and are left out of the history.
call keep_records('shift', array['starts_at', 'ends_at']);

-- Notifies every node of the days between which shifts changed, once for each statement.
create function tell_changed_shifts() returns trigger language plpgsql as $$
begin
  perform pg_notify('shifts_changed', json_build_object('from', min(local_date), 'to', max(local_date))::text)
     from touched having count(*) > 0;
  return null;
end $$;
create trigger tell_inserted after insert on shift referencing new table as touched
  for each statement execute function tell_changed_shifts();
create trigger tell_updated after update on shift referencing new table as touched
  for each statement execute function tell_changed_shifts();
-- A moved shift also changes the days it leaves.
create trigger tell_moved after update on shift referencing old table as touched
  for each statement execute function tell_changed_shifts();

-- The plan of a truck may have changed: each node sends it to the devices connected to it.
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

-- The private link by which a calendar program reads a driver's shifts, stored only as a hash.
create table calendar_link (
  user_uid uuid primary key references user_account (uid),
  token_hash bytea not null unique,
  created_at timestamptz not null default now()
);
