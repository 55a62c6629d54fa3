-- Feeds of plays for partners: plays in the order of their arrival, and corrections of plays that were delivered before.
-- Oldest node: 0024

-- Plays whose grade or shift changed after they were in the feed. One row for each, with its newest change; two if its
-- artwork moved to another program.
create table play_correction (
  device_uid uuid not null,
  play_id text not null,
  program_uid uuid not null,
  truck_uid uuid not null,
  started_at timestamptz not null,
  changed_at timestamptz not null default now(),
  -- Since when it has counted without a conflict, for feeds that take each play once; null if it never did.
  billable_since timestamptz,
  primary key (device_uid, play_id, program_uid)
);
create index play_correction_of_program on play_correction (program_uid, changed_at);
create index play_correction_billable on play_correction (program_uid, billable_since) where billable_since is not null;
create index play_correction_by_time on play_correction (started_at);

-- When the newest play of a file arrived: feeds skip files that hold nothing new. Null for files of older versions.
alter table play_archive add column received_until timestamptz;
