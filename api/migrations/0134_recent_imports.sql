-- Recent imports: how many records each added, changed and left out, and who undid it. Rows are kept longer than their way back.
-- Oldest node: 0024
alter table import_run
  add column added int not null default 0 check (added >= 0),
  add column changed int not null default 0 check (changed >= 0),
  -- Rows of the file that were not saved: those with errors, and those left out by choice.
  add column skipped int not null default 0 check (skipped >= 0),
  add column undone_by_uid uuid references user_account (uid),
  -- Null where another table keeps the way back under the same uid, and once it is too old to be undone.
  alter column states drop not null;

update import_run set
  added = (select count(*) from jsonb_array_elements(states) s where s ->> 'before' is null),
  changed = (select count(*) from jsonb_array_elements(states) s where s ->> 'before' is not null);
