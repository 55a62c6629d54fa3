-- Plays to be graded again wait as days of trucks, so that a run can stop and go on, and fresh plays come before old ones.
-- A setting that concerns all plays is one row for the job instead of a note for each shift.
-- Oldest node: 0024

create table grading_due (
  truck_uid uuid not null,
  -- In UTC.
  day date not null,
  -- Evidence about the last days, which is graded before everything else.
  is_recent boolean not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  queued_at timestamptz not null default now(),
  primary key (truck_uid, day, is_recent),
  constraint grading_due_in_order check (first_at <= last_at)
);
create index grading_due_recent on grading_due (queued_at, truck_uid) where is_recent;
create index grading_due_old on grading_due (day, truck_uid) where not is_recent;

-- What concerns the plays of all trucks: the job goes from the next day back to the oldest kept one.
create table grading_backlog (
  reason text primary key,
  next_day date not null
);

create or replace function note_setting_evidence() returns trigger language plpgsql as $$
begin
  insert into grading_backlog (reason, next_day) values (new.key, (now() at time zone 'UTC')::date + 1)
  on conflict (reason) do update set next_day = excluded.next_day;
  return null;
end $$;
