-- Delivered plays, hours and miles that fell: what lowered them is in the history of the program, and the office is notified.
-- Oldest node: 0024

-- By how much grading and measuring have changed the figures of a program, a day and a market, until the run has ended and the sum is known.
-- `cause_id` is the entry of `history` that caused it, 0 for data of the truck.
create table figure_change (
  program_uid uuid not null,
  cause_id bigint not null,
  day date not null,
  market_uid uuid not null,
  plays integer not null,
  verified integer not null,
  seconds bigint not null default 0,
  metres double precision not null default 0,
  since timestamptz not null default now(),
  primary key (program_uid, cause_id, day, market_uid)
);

-- The hours that a shift worked up to now: those of its hold from its actual start on. One that was never started worked its
-- planned hours.
create function worked_hours(s shift) returns tstzmultirange language sql stable as $$
  select (select coalesce(range_agg(h.during), '{}') from truck_hold h where h.shift_uid = s.uid)
         * tstzmultirange(tstzrange(least(coalesce(s.started_at, s.starts_at), now()), now()))
$$;

-- The hours and miles of a shift before it, its hold or its track changed, until they are measured again.
create table work_before (
  shift_uid uuid primary key references shift (uid) on delete cascade,
  program_uid uuid not null,
  market_uid uuid not null,
  day date not null,
  truck_uid uuid not null,
  seconds bigint not null,
  metres double precision not null,
  since timestamptz not null default now()
);

-- The first state counts until then, however often the shift changes.
create procedure keep_work_before(s shift) language sql as $$
  insert into work_before (shift_uid, program_uid, market_uid, day, truck_uid, seconds, metres)
  select s.uid, s.program_uid, s.market_uid, s.local_date, s.truck_uid,
         coalesce((select floor(sum(extract(epoch from upper(r) - lower(r)))) from unnest(worked_hours(s)) r), 0),
         coalesce((select round(k.metres) from shift_track k where k.shift_uid = s.uid), 0)
   where s.deleted_at is null
     and (s.status in ('out', 'completed')
          or (s.status = 'planned' and s.ends_at < now()
              and exists (select from shift_track k where k.shift_uid = s.uid and k.metres > 0)))
  on conflict do nothing
$$;

create function keep_work_of_shift() returns trigger language plpgsql as $$
begin
  call keep_work_before(old);
  return new;
end $$;
-- The stop of a shift that is out ends its hours and lowers none.
create trigger keep_work before update on shift for each row
  when ((old.truck_uid, old.program_uid, old.market_uid, old.local_date, old.status, old.deleted_at, old.starts_at, old.ends_at,
         old.started_at, old.stopped_at)
        is distinct from
        (new.truck_uid, new.program_uid, new.market_uid, new.local_date, new.status, new.deleted_at, new.starts_at, new.ends_at,
         new.started_at, new.stopped_at)
        and old.starts_at < now()
        and (old.status <> 'out' or new.status in ('cancelled', 'noShow') or new.deleted_at is not null
             or new.started_at > old.started_at
             or (old.truck_uid, old.program_uid, old.market_uid, old.local_date)
                is distinct from (new.truck_uid, new.program_uid, new.market_uid, new.local_date)))
  execute function keep_work_of_shift();

-- By a change of another shift, or by data of the truck.
create function keep_work_of_hold() returns trigger language plpgsql as $$
declare
  holder shift;
begin
  select * into holder from shift s where s.uid = old.shift_uid and s.status <> 'out';
  if holder.uid is not null then call keep_work_before(holder); end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger keep_work before delete on truck_hold for each row
  when (lower(old.during) < now()) execute function keep_work_of_hold();
create trigger keep_work_updated before update on shift_track for each row
  when (new.metres < old.metres) execute function keep_work_of_hold();
create trigger keep_work_deleted before delete on shift_track for each row execute function keep_work_of_hold();
