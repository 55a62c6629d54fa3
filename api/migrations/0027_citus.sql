-- Telemetry and plays may be spread over a Citus cluster by truck (npm run distribute). A statement there cannot look up
-- distributed rows for each row of a local table. It can call a function, whose own statements stand alone.
-- Oldest node: 0024

-- A distributed table cannot refer to a local one. Readings are stored only for trucks that were just read.
alter table odometer_reading drop constraint odometer_reading_truck_uid_fkey;

create function has_plays(shift uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select from play_hour h where h.shift_uid = $1 and h.plays > 0);
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

-- Whether rows of a table are spread over the machines of a Citus cluster.
create function is_distributed(name text) returns boolean stable language plpgsql as $$
begin
  if to_regclass('pg_dist_partition') is null then return false; end if;
  return exists (select from pg_dist_partition where logicalrelid = name::regclass and partmethod = 'h');
end $$;
