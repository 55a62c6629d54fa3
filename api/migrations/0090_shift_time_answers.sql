-- What people answered when a truck was at work before the start or after the stop of its shift.
-- Oldest node: 0024

create table shift_time_answer (
  shift_uid uuid not null references shift (uid) on delete cascade,
  kind text not null check (kind in ('start', 'stop')),
  -- The recorded start or stop that the question was about.
  about timestamptz not null,
  -- The time that the truck's own data show.
  seen_at timestamptz not null,
  is_corrected boolean not null,
  answered_by uuid not null references user_account (uid),
  answered_at timestamptz not null default now(),
  primary key (shift_uid, kind, about)
);

-- Phones answer through their queue.
alter table driver_act drop constraint driver_act_kind_check;
alter table driver_act add constraint driver_act_kind_check
  check (kind in ('start', 'stop', 'answer', 'message', 'otherTruck', 'issue', 'inspection', 'timeAnswer'));
