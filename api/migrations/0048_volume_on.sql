-- A command that lets a muted screen be heard again.
-- Oldest node: 0024

alter table device_command drop constraint device_command_kind_check;
alter table device_command add constraint device_command_kind_check check (kind in
  ('showScreen', 'restart', 'download', 'testPattern', 'blank', 'volumeOff', 'volumeOn', 'reload'));
