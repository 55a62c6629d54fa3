-- Reports: what is counted ahead, so that a month is read in the time of its hours and not of its plays.

-- The first hour that counts as a local day. Plays are counted by whole hours of UTC; in zones that are not whole hours
-- from it, an hour belongs to the day in which it begins.
create function first_hour_of(day date, zone text) returns timestamptz stable language sql as $$
  select min(hour) from generate_series(date_trunc('hour', day::timestamp at time zone zone) - interval '2 hours',
                                        date_trunc('hour', day::timestamp at time zone zone) + interval '2 hours',
                                        interval '1 hour') hour
   where (hour at time zone zone)::date >= day
$$;

-- Since when plays are there one by one; what is counted of them stays longer. The oldest day's table comes first by name.
create function plays_kept_since() returns timestamptz stable language sql as $$
  select to_date(right(relname, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' from pg_class
   where relname >= 'play_0' and relname < 'play_a' and relispartition and relkind = 'r' order by relname limit 1
$$;

create index play_hour_of_market on play_hour (program_uid, market_uid, hour);

-- Plays for SD addresses by the hour, kept in the transaction that stores them.
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
insert into play_address_hour (hour, truck_uid, program_uid, market_uid, address_uid, plays, duration_ms)
select date_trunc('hour', started_at), truck_uid, program_uid, market_uid, address_uid, count(*), sum(duration_ms)
  from play where address_uid is not null and program_uid is not null group by 1, 2, 3, 4, 5;

-- Plays before which others are missing from the player's numbering: a hole counts for the truck and the moment of the
-- first play after it. Whether the hole is still there, and how long it is, the numbering tells.
create table play_after_hole (
  device_uid uuid not null,
  sequence bigint not null,
  truck_uid uuid not null,
  at timestamptz not null,
  primary key (device_uid, sequence)
);
create index play_after_hole_of_truck on play_after_hole (truck_uid, at);
insert into play_after_hole (device_uid, sequence, truck_uid, at)
select p.device_uid, p.sequence, p.truck_uid, min(p.started_at)
  from (select q.device_uid, upper(hole) as next
          from play_sequence q, unnest(int8multirange(int8range(1, upper(q.received))) - q.received) hole) h
  join play p on p.device_uid = h.device_uid and p.sequence = h.next
 group by 1, 2, 3 on conflict do nothing;

-- How many plays are missing right before one.
create function missing_before(received int8multirange, sequence bigint) returns bigint immutable language sql as $$
  select coalesce((select upper(hole) - lower(hole)
                     from unnest(int8multirange(int8range(1, $2)) - $1) hole where upper(hole) = $2), 0)
$$;

-- Addresses that were taken out of their sets: what was shown for them, and who came near, stays in the reports.
create table past_sd_address (
  uid uuid primary key,
  set_uid uuid not null,
  label text not null,
  address text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m integer not null
);
create function keep_past_address() returns trigger language plpgsql as $$
begin
  insert into past_sd_address (uid, set_uid, label, address, latitude, longitude, radius_m)
  values (old.uid, old.set_uid, old.label, old.address, old.latitude, old.longitude, old.radius_m)
  on conflict do nothing;
  return null;
end $$;
create trigger keep_past after delete on sd_address for each row execute function keep_past_address();
create view known_sd_address as
  select uid, set_uid, label, address, latitude, longitude, radius_m, true as is_current from sd_address
  union all
  select uid, set_uid, label, address, latitude, longitude, radius_m, false from past_sd_address;

-- Text of a cell that a spreadsheet would run as a formula gets a quote in front.
create function plain_cell(text text) returns text immutable language sql as $$
  select case when left($1, 1) in ('=', '+', '-', '@', E'\t', E'\r') then '''' || $1 else $1 end
$$;
