-- Plays of old days leave the database for Parquet files in blob storage: one file for each day (UTC) and market.
-- Oldest node: 0024

create table play_archive (
  uid uuid primary key default new_uid(),
  -- The day (UTC) on which the plays of the file began.
  day date not null,
  -- The nil uid stands for plays that belong to no shift.
  market_uid uuid not null,
  blob text not null unique,
  rows bigint not null check (rows > 0),
  -- Two sums over all rows and columns, which do not depend on the order of the rows.
  checksum text not null check (checksum ~ '^\d+-\d+$'),
  bytes bigint not null check (bytes > 0),
  columns_version integer not null,
  archived_at timestamptz not null default now(),
  unique (day, market_uid)
);

-- Blobs that are not part of the archive: written and not yet recorded, or replaced by others. They are removed after a
-- while. Replaced ones stay longer, because a restored backup may still refer to them.
create table play_archive_leftover (
  blob text primary key,
  remove_after timestamptz not null
);
create index play_archive_leftover_by_time on play_archive_leftover (remove_after);

-- Since when single plays are listed: the first moment of the oldest partition or of the oldest archived day, or of the
-- retention where that is later. Plays from the day of a legal hold on are kept whatever the retention is. Hourly counts
-- are kept longer.
create function plays_in_retention_since() returns timestamptz stable language sql as $$
  select least(
    ((now() at time zone 'UTC')::date - setting_number('keepPlaysDays', 800)::int)::timestamp,
    (select (value #>> '{}')::date::timestamp from setting where key = 'holdPlaysFrom' and value <> 'null')) at time zone 'UTC'
$$;
create or replace function plays_kept_since() returns timestamptz stable language sql as $$
  select greatest(
    least(
      (select min(to_date(right(relname, 8), 'YYYYMMDD'))::timestamp at time zone 'UTC' from (
         (select relname from pg_class where relname >= 'play_0' and relname < 'play_a' and relispartition and relkind = 'r'
           order by relname limit 1)
         union all
         (select relname from pg_class where relname >= 'play_week_0' and relname < 'play_week_a' and relispartition
             and relkind = 'r' order by relname limit 1)) oldest),
      (select min(day)::timestamp at time zone 'UTC' from play_archive)),
    plays_in_retention_since())
$$;
