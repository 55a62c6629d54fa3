-- What drivers do on their phones: acts with ids, reports of a user, answers, messages, requests for another truck.
-- Oldest node: 0024

-- Everything that a phone sent and the server took, once for each id.
create table driver_act (
  user_uid uuid not null references user_account (uid),
  act_id uuid not null,
  kind text not null check (kind in ('start', 'stop', 'answer', 'message', 'otherTruck', 'issue', 'inspection')),
  shift_uid uuid not null references shift (uid),
  -- By the phone's clock.
  phone_at timestamptz not null,
  -- Set right by the difference of the clocks when the act was sent.
  at timestamptz not null,
  received_at timestamptz not null default now(),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  accuracy_m real check (accuracy_m >= 0),
  -- Why it changes nothing; the phone gets the same answer when it sends the act again.
  problem text,
  changed_from text not null,
  primary key (user_uid, act_id),
  constraint driver_act_place_is_whole
    check ((latitude is null) = (longitude is null) and (latitude is null) = (accuracy_m is null))
);
create index driver_act_of_shift on driver_act (shift_uid, at);

-- The newest contact with the phone of a driver.
create table driver_phone (
  user_uid uuid primary key references user_account (uid),
  seen_at timestamptz not null,
  -- How far its clock was behind the server's when it last sent acts; negative if it was ahead.
  clock_offset_s integer not null default 0
) with (fillfactor = 70);

-- Starts and stops come from the device of a truck, or from the phone of a user.
alter table driver_event add column uid uuid not null default new_uid();
alter table driver_event add column user_uid uuid references user_account (uid);
alter table driver_event drop constraint driver_event_pkey;
alter table driver_event add primary key (uid);
alter table driver_event alter column device_uid drop not null;
alter table driver_event add constraint driver_event_device_or_user check (num_nonnulls(device_uid, user_uid) = 1);
create unique index driver_event_of_device on driver_event (device_uid, event_id) where device_uid is not null;
create unique index driver_event_of_user on driver_event (user_uid, event_id) where user_uid is not null;

-- The answers of drivers to their shifts, with the plan that each answers.
create table shift_answer (
  uid uuid primary key default new_uid(),
  shift_uid uuid not null references shift (uid),
  driver_uid uuid not null references user_account (uid),
  act_id uuid not null,
  answer text not null check (answer in ('confirmed', 'declined')),
  reason text not null default '',
  at timestamptz not null,
  received_at timestamptz not null default now(),
  truck_uid uuid not null references truck (uid),
  local_date date not null,
  start_time time not null,
  end_time time not null,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint shift_answer_once unique (driver_uid, act_id)
);
create index shift_answer_newest on shift_answer (shift_uid, driver_uid, at desc, received_at desc);

-- Short texts between the driver of a shift and dispatch. A later driver of the shift does not read them.
create table shift_message (
  uid uuid primary key default new_uid(),
  shift_uid uuid not null references shift (uid),
  driver_uid uuid not null references user_account (uid),
  -- Null for a message of dispatch.
  act_id uuid,
  text text not null check (text <> ''),
  at timestamptz not null,
  received_at timestamptz not null default now(),
  changed_by uuid not null references user_account (uid),
  changed_from text,
  constraint shift_message_once unique (driver_uid, act_id),
  constraint shift_message_of_driver check (act_id is null or changed_by = driver_uid)
);
create index shift_message_of_shift on shift_message (shift_uid, at);

-- A driver stands at another truck than planned. Open until dispatch changes the truck or dismisses the request.
create table truck_request (
  uid uuid primary key default new_uid(),
  shift_uid uuid not null references shift (uid),
  driver_uid uuid not null references user_account (uid),
  act_id uuid not null,
  -- As the driver typed it; the truck may not be known.
  truck_number text not null,
  text text not null default '',
  -- The truck of the shift when the driver asked.
  planned_truck_uid uuid not null references truck (uid),
  at timestamptz not null,
  received_at timestamptz not null default now(),
  dismissed_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint truck_request_once unique (driver_uid, act_id)
);
create index truck_request_newest on truck_request (shift_uid, driver_uid, at desc);

-- Who reported an issue on a phone; null for issues of the server and of devices.
alter table truck_issue add column reported_by uuid references user_account (uid);
drop trigger keep_history on truck_issue;
create trigger keep_history after insert or update on truck_issue
  for each row execute function keep_history('reported_by');

-- Keeps what drivers and dispatch say to each other in the history of the shift. Arguments: field and column, in turn.
create function keep_word_history() returns trigger language plpgsql as $$
declare
  is_now jsonb := to_jsonb(new);
  was jsonb := case tg_op when 'INSERT' then '{}'::jsonb else to_jsonb(old) end;
  said jsonb := '{}';
begin
  for i in 0 .. tg_nargs / 2 - 1 loop
    if is_now -> tg_argv[2 * i + 1] not in ('null', '""') and is_now -> tg_argv[2 * i + 1] is distinct from was -> tg_argv[2 * i + 1] then
      said := said || jsonb_build_object(tg_argv[2 * i], jsonb_build_array(null, is_now -> tg_argv[2 * i + 1]));
    end if;
  end loop;
  if said <> '{}' then
    insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
    values ('shift', new.shift_uid, 'changed', new.changed_by, new.changed_from, said, acting_key());
  end if;
  return null;
end $$;
create trigger keep_history after insert on shift_answer
  for each row execute function keep_word_history('driver_answer', 'answer', 'decline_reason', 'reason');
create trigger keep_history_of_driver after insert on shift_message
  for each row when (new.act_id is not null) execute function keep_word_history('driver_message', 'text');
create trigger keep_history_of_dispatch after insert on shift_message
  for each row when (new.act_id is null) execute function keep_word_history('dispatch_message', 'text');
create trigger keep_history after insert or update on truck_request
  for each row execute function keep_word_history('requested_truck', 'truck_number', 'request_note', 'text', 'request_dismissed', 'dismissed_at');

-- Pages that show the shift load it again.
create function tell_shift_words() returns trigger language plpgsql as $$
begin
  perform pg_notify('shifts_changed', json_build_object('from', local_date, 'to', local_date)::text)
     from shift where uid = new.shift_uid;
  return null;
end $$;
create trigger tell_acts after insert on driver_act for each row execute function tell_shift_words();
create trigger tell_messages after insert on shift_message
  for each row when (new.act_id is null) execute function tell_shift_words();
create trigger tell_dismissals after update on truck_request for each row execute function tell_shift_words();
