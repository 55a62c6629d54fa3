-- Miles: one continuous track of a truck, divided at the edges of its shifts.

-- The state of a shift's track is now part of the days of its truck.
alter table shift_track drop column track;

comment on table truck_day_track is
  'What the fixes of a truck and a day (UTC) add to its continuous track: distance and time of each shift, and of each hour between shifts. A local day is put together from these hours.';

alter table truck_now
  -- The time of the status that heading and is_driving come from: positions also come without a status.
  add column status_at timestamptz,
  -- The present drive outside of any shift: since when, its last distance, and its length.
  add column off_shift_since timestamptz,
  add column off_shift_until timestamptz,
  add column off_shift_m double precision;
update truck_now set status_at = at where heading is not null or is_driving is not null;
