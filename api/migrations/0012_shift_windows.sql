-- Shifts start when it is their time, and pay needs evidence of work.

alter table shift
  -- Why staff corrected the actual times; empty if they were not corrected.
  add column times_reason text not null default '',
  -- Reports of the driver do not change corrected times.
  add column start_corrected boolean not null default false,
  add column stop_corrected boolean not null default false,
  -- Reports of an earlier time do not count, because the shift was planned again or reopened since.
  add column starts_count_from timestamptz,
  add column stops_count_from timestamptz,
  add constraint shift_correction_has_a_reason check (times_reason <> '' or not (start_corrected or stop_corrected));

-- What only decides which reports count is left out of the history.
drop trigger keep_history on shift;
create trigger keep_history after insert or update on shift for each row
  execute function keep_history('starts_at', 'ends_at', 'start_corrected', 'stop_corrected', 'starts_count_from', 'stops_count_from');

-- Changes only: shifts of earlier versions stay as they are. The clocks of devices may be ahead by some minutes.
create function keep_shift_window() returns trigger language plpgsql as $$
begin
  if new.status in ('out', 'completed') and new.starts_at > now() + interval '2 hours 15 minutes'
     or new.started_at < new.starts_at - interval '2 hours' and not new.start_corrected then
    raise exception using errcode = 'check_violation', constraint = 'shift_starts_in_its_time', table = 'shift',
      message = 'A shift can start from 2 hours before its planned start.';
  end if;
  -- A device has no user.
  if new.status = 'completed' and old.status <> 'completed' and new.started_at is null
     and new.changed_by is null and new.changed_from is not null then
    raise exception using errcode = 'check_violation', constraint = 'shift_completed_after_start', table = 'shift',
      message = 'A report of a device completes only a shift that has started.';
  end if;
  return new;
end $$;
create trigger keep_window before update on shift for each row
  when ((old.status, old.starts_at, old.started_at, old.start_corrected)
        is distinct from (new.status, new.starts_at, new.started_at, new.start_corrected))
  execute function keep_shift_window();

-- What a person decided on the pay of a shift that lacks evidence of work, or that is not paid for another reason.
alter table pay_override add column decision text check (decision in ('pay', 'doNotPay'));

-- A shift that needs a decision is not settled.
alter table pay_line add constraint pay_line_decided check ((line ->> 'needsDecision') is distinct from 'true');
