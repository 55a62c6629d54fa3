-- Commands for players with their answers, and the health of their screens.
-- Oldest node: 0024

alter table device_health add column screen jsonb;
comment on column device_health.screen is 'What the player says about its screen; null from devices that say nothing.';

create table device_command (
  uid uuid primary key default new_uid(),
  device_uid uuid not null references device (uid),
  kind text not null check (kind in ('showScreen', 'restart', 'download', 'testPattern', 'blank', 'volumeOff', 'reload')),
  seconds integer check (seconds between 1 and 3600),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'expired')),
  -- The reason that the device gave.
  answer text not null default '',
  asked_by uuid not null references user_account (uid),
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When a node first passed it to a connection of the device.
  sent_at timestamptz,
  answered_at timestamptz,
  has_picture boolean not null default false,
  picture_removed_at timestamptz,
  constraint device_command_answered check ((state in ('done', 'refused')) = (answered_at is not null))
);
create unique index device_command_waiting on device_command (device_uid, kind) where state = 'waiting';
create index device_command_due on device_command (expires_at) where state = 'waiting';
create index device_command_newest on device_command (device_uid, asked_at);
create index device_command_asked on device_command (asked_at);
create index device_command_pictures on device_command (asked_at) where kind = 'showScreen' and picture_removed_at is null;

-- Each node passes new commands to the devices connected to it, and tells the pages that show them of every change.
create function tell_device_commands() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then perform pg_notify('device_command_asked', new.device_uid::text); end if;
  perform pg_notify('device_commands_changed', truck_uid::text) from device where uid = new.device_uid;
  return null;
end $$;
create trigger tell_commands after insert or update on device_command for each row execute function tell_device_commands();
