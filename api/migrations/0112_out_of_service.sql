-- Trucks are in the shop and drivers are off from one moment to another, instead of by a status that held for every day.
-- Oldest node: 0024

create table out_of_service (
  uid uuid primary key default new_uid(),
  truck_uid uuid references truck (uid) on delete cascade,
  driver_uid uuid references user_account (uid) on delete cascade,
  -- As the clocks of the zone show them. A stretch without an end lasts until further notice; one that ends with a day
  -- ends at 24:00.
  starts_on date not null,
  start_time time not null,
  ends_on date,
  end_time time,
  zone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  reason text not null default '',
  search_text text not null generated always as (lower(reason collate "default")) stored,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint out_of_service_is_of_one check (num_nonnulls(truck_uid, driver_uid) = 1),
  constraint out_of_service_has_a_length check (ends_at > starts_at),
  constraint out_of_service_starts_as_clocks_show check ((starts_at at time zone zone) = starts_on + start_time),
  constraint out_of_service_ends_as_clocks_show check (
    num_nulls(ends_on, end_time, ends_at) in (0, 3) and (ends_at at time zone zone) = ends_on + end_time),
  constraint out_of_service_truck_once exclude using gist (truck_uid with =, tstzrange(starts_at, ends_at) with &&)
    where (deleted_at is null),
  constraint out_of_service_driver_once exclude using gist (driver_uid with =, tstzrange(starts_at, ends_at) with &&)
    where (deleted_at is null)
);
create index out_of_service_by_start on out_of_service (starts_at, uid) where deleted_at is null;

-- A truck that is in the shop now stays there until further notice. Shifts that were planned over it stay planned.
insert into out_of_service (truck_uid, starts_on, start_time, zone, starts_at)
select t.uid, (n.at at time zone z.zone)::date, (n.at at time zone z.zone)::time, z.zone, n.at
  from truck t
 cross join (select date_trunc('minute', now()) as at) n
  left join market m on m.uid = t.home_market_uid
 cross join lateral (select coalesce(zone_at(m.zone, m.earlier_zones, n.at), 'America/Chicago') as zone) z
 where t.state = 'inShop' and t.deleted_at is null;

call keep_records('out_of_service');

-- A stretch in words, for the history.
create function stretch_words(o out_of_service) returns text stable language sql as $$
  select case when o.deleted_at is null then
    to_char(o.starts_at at time zone o.zone, 'FMMon FMDD, YYYY, FMHH12:MI AM') || ' until '
    || case when o.ends_on is null then 'further notice'
            when o.end_time = '24:00' then 'the end of ' || to_char(o.ends_on, 'FMMon FMDD, YYYY')
            else to_char(o.ends_on + o.end_time, 'FMMon FMDD, YYYY, FMHH12:MI AM') end
    || case when o.reason = '' then '' else ': ' || o.reason end end
$$;

-- The history of a truck or a driver has its stretches too.
create function keep_stretch_history() returns trigger language plpgsql as $$
declare
  was text := case tg_op when 'UPDATE' then stretch_words(old) end;
  is_now text := stretch_words(new);
begin
  if was is distinct from is_now then
    insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
    values (case when new.truck_uid is null then 'user_account' else 'truck' end, coalesce(new.truck_uid, new.driver_uid), 'changed',
            new.changed_by, new.changed_from,
            jsonb_build_object(case when new.truck_uid is null then 'time_off' else 'shop_time' end, jsonb_build_array(was, is_now)),
            acting_key());
  end if;
  return null;
end $$;
create trigger keep_stretch_history after insert or update on out_of_service
  for each row execute function keep_stretch_history();

-- Refuses a stretch over shifts that are still planned. Its truck or driver is locked, as writers of shifts lock them.
create function refuse_stretch_over_shifts() returns trigger language plpgsql as $$
begin
  if new.truck_uid is not null then
    perform from truck where uid = new.truck_uid for update;
  else
    perform from user_account where uid = new.driver_uid for update;
  end if;
  if exists (select from shift s
              where (s.truck_uid = new.truck_uid or s.driver_uid = new.driver_uid)
                and s.deleted_at is null and s.status = 'planned' and s.ends_at > now()
                and tstzrange(s.starts_at, s.ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'Shifts are planned at that time. Move or cancel them first.'
      using errcode = 'exclusion_violation', constraint = 'out_of_service_without_shifts', table = 'out_of_service';
  end if;
  return null;
end $$;
create trigger refuse_over_shifts after insert or update of starts_at, ends_at, deleted_at on out_of_service
  for each row when (new.deleted_at is null) execute function refuse_stretch_over_shifts();

-- Refuses to plan a shift while its truck or its driver is out of service. A shift that took place is a fact.
create function refuse_shift_out_of_service() returns trigger language plpgsql as $$
begin
  perform from truck where uid = new.truck_uid for key share;
  perform from user_account where uid = new.driver_uid for key share;
  if exists (select from out_of_service o where o.truck_uid = new.truck_uid and o.deleted_at is null
                and tstzrange(o.starts_at, o.ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'The truck is in the shop at that time.'
      using errcode = 'exclusion_violation', constraint = 'shift_truck_in_service', table = 'shift';
  end if;
  if exists (select from out_of_service o where o.driver_uid = new.driver_uid and o.deleted_at is null
                and tstzrange(o.starts_at, o.ends_at) && tstzrange(new.starts_at, new.ends_at)) then
    raise exception 'The driver is off at that time.'
      using errcode = 'exclusion_violation', constraint = 'shift_driver_in_service', table = 'shift';
  end if;
  return null;
end $$;
create trigger refuse_out_of_service after insert on shift
  for each row when (new.status = 'planned' and new.deleted_at is null) execute function refuse_shift_out_of_service();
create trigger refuse_out_of_service_changed after update on shift
  for each row when (new.status = 'planned' and new.deleted_at is null
    and (old.truck_uid, old.driver_uid, old.starts_at, old.ends_at, old.status, old.deleted_at)
        is distinct from (new.truck_uid, new.driver_uid, new.starts_at, new.ends_at, new.status, new.deleted_at))
  execute function refuse_shift_out_of_service();

-- A truck is set in shop without a stretch by nodes of an earlier version and by partners: it is in the shop from now until
-- further notice, or until the next stretch. Set active again, it is back from now.
create function keep_shop_stay() returns trigger language plpgsql as $$
declare
  moment constant timestamptz := date_trunc('minute', now());
  stay out_of_service;
  next out_of_service;
  home text := coalesce((select zone_at(m.zone, m.earlier_zones, now()) from market m where m.uid = new.home_market_uid), 'America/Chicago');
begin
  select * into stay from out_of_service o
   where o.truck_uid = new.uid and o.deleted_at is null and tstzrange(o.starts_at, o.ends_at) @> now();
  if new.state = 'inShop' and stay.uid is null then
    select * into next from out_of_service o
     where o.truck_uid = new.uid and o.deleted_at is null and o.starts_at > now() order by o.starts_at limit 1;
    insert into out_of_service (truck_uid, starts_on, start_time, zone, starts_at, ends_on, end_time, ends_at, changed_by, changed_from)
    values (new.uid, (moment at time zone home)::date, (moment at time zone home)::time, home, moment,
            (next.starts_at at time zone home)::date, (next.starts_at at time zone home)::time, next.starts_at,
            new.changed_by, new.changed_from);
  elsif new.state <> 'inShop' and stay.uid is not null then
    update out_of_service
       set ends_at = case when starts_at < moment then moment else ends_at end,
           ends_on = case when starts_at < moment then (moment at time zone zone)::date else ends_on end,
           end_time = case when starts_at < moment then (moment at time zone zone)::time else end_time end,
           deleted_at = case when starts_at < moment then null else now() end,
           changed_by = new.changed_by, changed_from = new.changed_from
     where uid = stay.uid;
  end if;
  return null;
end $$;
create trigger keep_shop_stay_inserted after insert on truck
  for each row when (new.state = 'inShop') execute function keep_shop_stay();
create trigger keep_shop_stay_updated after update on truck
  for each row when (old.state is distinct from new.state and new.deleted_at is null) execute function keep_shop_stay();

-- Boards show stretches: they change with them.
create function tell_changed_stretches() returns trigger language plpgsql as $$
begin
  perform pg_notify('shifts_changed', json_build_object('from', min(starts_on) - 1, 'to', coalesce(max(ends_on), '2199-12-31'))::text)
     from touched having count(*) > 0;
  return null;
end $$;
create trigger tell_inserted after insert on out_of_service referencing new table as touched
  for each statement execute function tell_changed_stretches();
create trigger tell_updated after update on out_of_service referencing new table as touched
  for each statement execute function tell_changed_stretches();

-- A change on the board can be one of a stretch, with or without shifts.
alter table shift_act add column out_of_service jsonb,
  drop constraint shift_act_kind_check, drop constraint shift_act_states_check,
  add constraint shift_act_kind_check check (kind in ('move', 'copy', 'driver', 'cancel', 'delete', 'save', 'outOfService')),
  add constraint shift_act_states_check check (
    jsonb_typeof(states) = 'array' and (jsonb_array_length(states) > 0 or out_of_service is not null));

-- Adds stretches to those that the audit log names.
create or replace function describe_record(table_name text, r jsonb, out subject text, out detail text)
language plpgsql stable as $$
declare
  program text := (select 'Program ' || name from client_program where uid = (r ->> 'program_uid')::uuid);
  truck text := (select number from truck where uid = (r ->> 'truck_uid')::uuid);
  person text := (select name from user_account where uid = (r ->> 'driver_uid')::uuid);
  cents int := r ->> 'cents';
begin
  subject := case table_name
    when 'truck' then 'Truck ' || (r ->> 'number')
    when 'client_program' then 'Program ' || (r ->> 'name')
    when 'address_set' then 'SD address set ' || (r ->> 'name')
    when 'shift' then 'Shift of truck ' || truck || ' on ' || (r ->> 'local_date')
    when 'out_of_service' then coalesce('Shop time of truck ' || truck, 'Time off of ' || person) || ' from ' || (r ->> 'starts_on')
    when 'pop_photo' then 'Photo ' || (r ->> 'original_name')
    when 'pay_adjustment' then 'Pay adjustment of ' || case when cents < 0 then '-' else '' end
      || to_char(abs(cents) / 100.0, 'FM"$"999,990.00') || ' for ' || person
    when 'incident' then 'Incident ' || (r ->> 'title')
    else upper(left(table_name, 1)) || replace(substr(table_name, 2), '_', ' ') || ' ' || coalesce(r ->> 'name', '')
  end;
  detail := case table_name
    when 'client_program' then (select 'Client ' || name from client where uid = (r ->> 'client_uid')::uuid)
    when 'shift' then concat_ws(', ', program, 'driver ' || person)
    when 'pay_adjustment' then (r ->> 'local_date') || ': ' || (r ->> 'note')
    when 'out_of_service' then r ->> 'reason'
    else program
  end;
  subject := coalesce(subject, '');
  detail := coalesce(detail, '');
end $$;
