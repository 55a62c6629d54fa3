-- Payroll: pay periods, frozen pay lines, overrides of pay options, and adjustments.

create table pay_period (
  uid uuid primary key default new_uid(),
  -- Local days of shifts, the last one included.
  starts_on date not null,
  ends_on date not null check (ends_on between starts_on and starts_on + 91),
  state text not null check (state in ('open', 'approved', 'locked')),
  -- The reason of the last unlock.
  reason text not null default '',
  approved_at timestamptz,
  locked_at timestamptz,
  -- The weekly overtime limit at the time of approval: later settings do not apply to past weeks.
  overtime_after_hours double precision not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint pay_period_days_once unique (starts_on, ends_on),
  -- A reopened period does not block its days.
  constraint pay_period_once exclude using gist (daterange(starts_on, ends_on, '[]') with &&) where (state <> 'open'),
  constraint pay_period_approved check ((state = 'open') = (approved_at is null)),
  constraint pay_period_locked check ((state = 'locked') = (locked_at is not null))
);
create index pay_period_by_start on pay_period (starts_on, uid);
create index pay_period_by_updated on pay_period (updated_at, uid);
call keep_records('pay_period', array['approved_at', 'locked_at', 'overtime_after_hours']);

-- The pay of a shift, frozen when its period was approved: later changes of shift, rate or settings do not matter. A
-- shift is frozen once, even if it is moved to other days later.
create table pay_line (
  shift_uid uuid primary key references shift (uid),
  period_uid uuid not null references pay_period (uid),
  driver_uid uuid not null references user_account (uid),
  local_date date not null,
  cents integer not null,
  -- The line as it was shown.
  line json not null
);
create index pay_line_by_date on pay_line (local_date);
create index pay_line_of_period on pay_line (period_uid);

-- The pay option of a shift as set by payroll; null returns to the one from plan and hours.
create table pay_override (
  uid uuid primary key default new_uid(),
  shift_uid uuid not null references shift (uid),
  pay_option text check (pay_option in ('halfDay', 'eightHours', 'twelveHours')),
  note text not null check (note <> ''),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint pay_override_once unique (shift_uid)
);
call keep_records('pay_override');

create table pay_adjustment (
  uid uuid primary key default new_uid(),
  driver_uid uuid not null references user_account (uid),
  local_date date not null,
  cents integer not null check (cents <> 0 and cents between -10000000 and 10000000),
  note text not null check (note <> ''),
  -- The shift that it corrects.
  shift_uid uuid references shift (uid),
  created_by uuid references user_account (uid),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create index pay_adjustment_by_date on pay_adjustment (local_date) where deleted_at is null;
call keep_records('pay_adjustment');

-- The approved or locked period of a day. It is locked for sharing, so that its state cannot change before the caller commits.
create function closed_period(day date) returns pay_period language plpgsql as $$
declare
  found_period pay_period;
begin
  select * into found_period from pay_period
   where daterange(starts_on, ends_on, '[]') @> day and state <> 'open' for share;
  return found_period;
end $$;

create function refuse_closed(period pay_period, advice text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'check_violation', constraint = 'pay_period_closed', table = 'pay_period',
    message = format('The pay period from %s to %s is %s. %s', period.starts_on, period.ends_on, period.state, advice);
end $$;

-- The shifts of a locked period cannot be changed in any way that affects pay.
create function keep_locked_shift() returns trigger language plpgsql as $$
declare
  period pay_period;
begin
  if tg_op <> 'INSERT' then period := closed_period(old.local_date); end if;
  if period.state is distinct from 'locked' and tg_op <> 'DELETE' then period := closed_period(new.local_date); end if;
  if period.state = 'locked' then
    perform refuse_closed(period, 'Its shifts stay as they are; add an adjustment to an open period instead.');
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_locked before insert or delete on shift for each row execute function keep_locked_shift();
-- Notes and artwork do not affect pay and may change.
create trigger keep_locked_changed before update on shift for each row
  when ((old.truck_uid, old.driver_uid, old.program_uid, old.market_uid, old.local_date, old.start_time, old.end_time,
         old.zone, old.starts_at, old.ends_at, old.pay_option, old.status, old.started_at, old.stopped_at, old.deleted_at)
        is distinct from
        (new.truck_uid, new.driver_uid, new.program_uid, new.market_uid, new.local_date, new.start_time, new.end_time,
         new.zone, new.starts_at, new.ends_at, new.pay_option, new.status, new.started_at, new.stopped_at, new.deleted_at))
  execute function keep_locked_shift();

-- Overrides and adjustments end with the approval. Approval and writing wait for each other.
create function refuse_if_closed(day date) returns void language plpgsql as $$
declare
  period pay_period;
begin
  perform pg_advisory_xact_lock_shared(hashtext('pay_period'));
  period := closed_period(day);
  if period.state = 'approved' then perform refuse_closed(period, 'Open it again first.'); end if;
  if period.state = 'locked' then perform refuse_closed(period, 'Add an adjustment to an open period instead.'); end if;
end $$;

create function keep_closed_adjustment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform refuse_if_closed(old.local_date); end if;
  if tg_op <> 'DELETE' then perform refuse_if_closed(new.local_date); end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_closed before insert or update or delete on pay_adjustment
  for each row execute function keep_closed_adjustment();

-- An override belongs to the day of its shift, or to the day on which the shift was frozen.
create function keep_closed_override() returns trigger language plpgsql as $$
declare
  shift_of uuid := case tg_op when 'DELETE' then old.shift_uid else new.shift_uid end;
begin
  perform refuse_if_closed(local_date) from shift where uid = shift_of;
  perform refuse_if_closed(local_date) from pay_line where shift_uid = shift_of;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_closed before insert or update or delete on pay_override
  for each row execute function keep_closed_override();

-- Frozen lines change only with the state of their period.
create function keep_locked_line() returns trigger language plpgsql as $$
declare
  period pay_period;
begin
  select * into period from pay_period where uid = case tg_op when 'INSERT' then new.period_uid else old.period_uid end;
  if tg_op = 'UPDATE' or period.state = 'locked' or tg_op = 'DELETE' and period.state <> 'open' then
    perform refuse_closed(period, 'What it froze stays as it is.');
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep_locked before insert or update or delete on pay_line for each row execute function keep_locked_line();
