-- Notifications of people: the bell, who gets which kind by mail or push, and what was already said about a condition.
-- Oldest node: 0024

-- Everything a message says is here too, also for people who get no messages.
create table notification (
  uid uuid primary key default new_uid(),
  user_uid uuid not null references user_account (uid) on delete cascade,
  kind text not null check (kind <> ''),
  -- One cause makes one notification for each person.
  key text not null check (key <> ''),
  subject text not null check (subject <> ''),
  text text not null default '',
  -- The address in the console that opens the thing itself.
  path text not null check (path like '/%'),
  -- What it is about, such as `issue <uid>`.
  object text not null check (object <> ''),
  -- The program and the shift that it tells of: rights to them are checked again whenever it is shown or sent.
  program_uid uuid references client_program (uid),
  shift_uid uuid references shift (uid),
  at timestamptz not null default now(),
  read_at timestamptz,
  -- Waits for the next digest, where its owner wants one.
  is_for_digest boolean not null default false,
  constraint notification_once unique (user_uid, key)
);
create index notification_newest on notification (user_uid, at desc, uid desc);
create index notification_unread on notification (user_uid) where read_at is null;
create index notification_for_digest on notification (user_uid, at) where is_for_digest and read_at is null;
create index notification_of_object on notification (object, key);
create index notification_oldest on notification (at);

-- The messages that were made of a notification. A digest is made of several.
create table notification_message (
  message_uid uuid not null references message (uid) on delete cascade,
  notification_uid uuid not null references notification (uid) on delete cascade,
  primary key (message_uid, notification_uid)
);
create index notification_message_of on notification_message (notification_uid);

-- Only what differs from the defaults of the role.
create table notification_choice (
  user_uid uuid not null references user_account (uid) on delete cascade,
  kind text not null check (kind <> ''),
  channel text not null check (channel in ('mail', 'push')),
  is_on boolean not null,
  changed_at timestamptz not null default now(),
  primary key (user_uid, kind, channel)
);

create table notification_setting (
  user_uid uuid primary key references user_account (uid) on delete cascade,
  zone text not null check (zone <> ''),
  -- Local times such as 22:00. The hours may span midnight.
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  urgent_passes boolean not null default false,
  -- When the digest is sent; null where everything is sent at once.
  digest_at text check (digest_at ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  changed_at timestamptz not null default now(),
  constraint notification_setting_quiet_hours
    check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null or quiet_from <> quiet_to))
);

-- The local day of the latest digest of a user.
create table notification_digest (
  user_uid uuid primary key references user_account (uid) on delete cascade,
  day text not null
);

-- An open issue that people were told of: when it is repeated, and whether it was escalated.
create table issue_alert (
  issue_uid uuid primary key references truck_issue (uid) on delete cascade,
  -- The event that opened it. A reopened issue has another.
  opening uuid not null,
  told_at timestamptz not null default now(),
  repeats integer not null default 0,
  last_at timestamptz not null default now(),
  escalated_at timestamptz
);

-- Changes of shifts that their drivers are not told of yet: several within a minute become one message.
create table shift_notice (
  shift_uid uuid not null references shift (uid) on delete cascade,
  driver_uid uuid not null references user_account (uid) on delete cascade,
  -- The shift as the driver knew it; null where it was not theirs.
  before jsonb,
  since timestamptz not null default now(),
  primary key (shift_uid, driver_uid)
);
create index shift_notice_of_driver on shift_notice (driver_uid, since);

-- A condition that a job watches: it makes one message when it has lasted, and one when it is over.
create table watched_condition (
  key text primary key check (key <> ''),
  type text not null check (type <> ''),
  since timestamptz not null default now(),
  -- The event that said so; null while it has not lasted long enough.
  raised_at timestamptz
);
create index watched_condition_of_type on watched_condition (type, raised_at);

create function tell_notified() returns trigger language plpgsql as $$
begin
  perform pg_notify('notifications_changed', user_uid::text) from (select distinct user_uid from touched) people;
  return null;
end $$;
create trigger tell_added after insert on notification referencing new table as touched
  for each statement execute function tell_notified();
create trigger tell_changed after update on notification referencing new table as touched
  for each statement execute function tell_notified();
