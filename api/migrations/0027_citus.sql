-- Telemetry and plays may be spread over a Citus cluster by truck (npm run distribute). A statement there cannot look up
-- distributed rows for each row of a local table. It can call a function, whose own statements stand alone.
-- Oldest node: 0024

-- A distributed table cannot refer to a local one. Readings are stored only for trucks that were just read.
alter table odometer_reading drop constraint odometer_reading_truck_uid_fkey;

create function has_plays(shift uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select 1 from play_hour h where h.shift_uid = $1 and h.plays > 0);
end $$;

-- The first and last day with plays of a program, in one market or in all.
create function play_days(program uuid, market uuid, out first_day date, out last_day date) stable language plpgsql as $$
begin
  if market is null then
    select min(h.day), max(h.day) into first_day, last_day from play_hour h where h.program_uid = $1;
  else
    select min(h.day), max(h.day) into first_day, last_day
      from play_hour h where h.program_uid = $1 and h.market_uid = $2;
  end if;
end $$;

-- The same for plays of SD addresses, which always have a market.
create function address_play_days(program uuid, market uuid, out first_day date, out last_day date)
stable language plpgsql as $$
begin
  if market is null then
    select min(h.day), max(h.day) into first_day, last_day
      from play_address_hour h where h.program_uid = $1 and h.market_uid <> '00000000-0000-0000-0000-000000000000';
  else
    select min(h.day), max(h.day) into first_day, last_day
      from play_address_hour h where h.program_uid = $1 and h.market_uid = $2;
  end if;
end $$;

-- The readings of an odometer next to the edges of some hours, as far as they are near, and whether it only went forward
-- between them, never faster than a truck drives.
create function readings_around(truck uuid, since timestamptz, until timestamptz, near interval, top_speed float8, step_m float8)
returns json stable language plpgsql as $$
begin
  return (
    with reading as (
      select r.at, r.metres, json_build_object('at', (extract(epoch from r.at) * 1000)::float8, 'metres', r.metres) as told
        from odometer_reading r where r.truck_uid = $1
    ), edge as (
      select (select told from reading where at <= $2 and at >= $2 - $4 order by at desc limit 1) as before_start,
             (select told from reading where at >= $2 and at <= $2 + $4 order by at limit 1) as after_start,
             (select told from reading where at <= $3 and at >= $3 - $4 order by at desc limit 1) as before_end,
             (select told from reading where at >= $3 and at <= $3 + $4 order by at limit 1) as after_end
    ), step as (
      select r.metres - lag(r.metres) over (order by r.at) as metres,
             extract(epoch from r.at - lag(r.at) over (order by r.at))::float8 as seconds
        from odometer_reading r where r.truck_uid = $1
         and r.at >= coalesce((select max(at) from reading where at <= $2 and at >= $2 - $4), $2)
         and r.at <= coalesce((select min(at) from reading where at >= $3 and at <= $3 + $4), $3)
    )
    select json_build_object('start', json_build_object('before', before_start, 'after', after_start),
                             'end', json_build_object('before', before_end, 'after', after_end),
                             'isSteady', (select coalesce(bool_and(metres between 0 and seconds * $5 + $6), true)
                                            from step where metres is not null))
      from edge);
end $$;

-- What the odometer of a truck showed last.
create function last_odometer(truck uuid) returns float8 stable language plpgsql as $$
begin
  return (select r.metres from odometer_reading r where r.truck_uid = $1 order by r.at desc limit 1);
end $$;

-- Whether rows of a table are spread over the machines of a Citus cluster.
create function is_distributed(name text) returns boolean stable language plpgsql as $$
begin
  if to_regclass('pg_dist_partition') is null then return false; end if;
  return exists (select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h');
end $$;
