-- Functions that 0027_citus got after it had run in databases of November 16, 2026: odometers are read with them. Elsewhere they
-- are there already, and the same.
-- Oldest node: 0024

create or replace function has_plays(shift uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select 1 from play_hour h where h.shift_uid = $1 and h.plays > 0);
end $$;

create or replace function readings_around(truck uuid, since timestamptz, until timestamptz, near interval, top_speed float8, step_m float8)
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

create or replace function last_odometer(truck uuid) returns float8 stable language plpgsql as $$
begin
  return (select r.metres from odometer_reading r where r.truck_uid = $1 order by r.at desc limit 1);
end $$;
