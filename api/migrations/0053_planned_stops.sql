-- Planned stops of shifts, with what the track says about them.
-- Oldest node: 0024

-- The minutes by the clock from the start of a shift to a time of day.
create function minutes_after(start_time time, clock time) returns integer immutable language sql as $$
  select mod((extract(epoch from clock - start_time) / 60)::integer + 1440, 1440)
$$;

-- Whether planned stops are complete and within their limits, and their windows inside the hours of the shift.
create function shift_stops_fit(stops jsonb, start_time time, end_time time) returns boolean immutable language sql as $$
  select jsonb_typeof(stops) = 'array' and jsonb_array_length(stops) <= 12 and not exists (
    select from jsonb_array_elements(stops) e
     where (length(e ->> 'name') between 1 and 80 and length(e ->> 'note') <= 300
            and (e ->> 'latitude')::float8 between -90 and 90 and (e ->> 'longitude')::float8 between -180 and 180
            and (e ->> 'radiusM')::float8 between 50 and 8047
            and coalesce((e ->> 'minMinutes')::float8 between 1 and 720, true)
            and minutes_after(start_time, (e ->> 'from')::time) < minutes_after(start_time, (e ->> 'to')::time)
            and minutes_after(start_time, (e ->> 'to')::time) <= minutes_after(start_time, end_time)) is not true)
$$;

alter table shift add column stops jsonb not null default '[]';
comment on column shift.stops is 'Planned stops in their order: place, radius, and a window by the clocks of the market.';
create function refuse_misplaced_stops() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = 'shift_stops_fit', table = 'shift',
    message = 'A planned stop of this shift is outside its hours or its limits.';
end $$;
create trigger check_new_stops before insert on shift for each row
  when (new.stops <> '[]' and not shift_stops_fit(new.stops, new.start_time, new.end_time))
  execute function refuse_misplaced_stops();
create trigger check_changed_stops before update of stops, start_time, end_time on shift for each row
  when (new.stops <> '[]' and not shift_stops_fit(new.stops, new.start_time, new.end_time))
  execute function refuse_misplaced_stops();
create index shift_with_stops on shift (starts_at) where stops <> '[]'::jsonb;

-- The visits of a shift's truck to its planned stops, and the state of shift and track they were found in. They outlive
-- the positions they were found in.
create table shift_stop_track (
  shift_uid uuid primary key references shift (uid),
  shift_version integer not null,
  -- When the days of the truck's track were measured last; null before any was.
  track_at timestamptz,
  -- One visit for each planned stop.
  visits jsonb not null check (jsonb_typeof(visits) = 'array'),
  algorithm integer not null,
  computed_at timestamptz not null default now()
);
