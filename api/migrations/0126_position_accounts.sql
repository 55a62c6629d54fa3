-- Accounts of the sources that are asked for positions, with their passwords and tokens sealed; and the source of files that people upload
-- for a truck. How far a feed was read is in `geotab_cursor`, which holds the feeds of every source that is asked.
-- Oldest node: 0024

create table position_account (
  source_uid uuid primary key references position_source (uid) on delete cascade,
  server text not null check (length(server) between 1 and 200),
  -- Of MyGeotab; empty for others.
  database_name text not null default '',
  user_name text not null default '',
  -- The password or token, sealed for its source.
  secret bytea not null,
  -- Grows with each change: nodes start over with the changed account.
  version int not null default 1,
  saved_at timestamptz not null default now(),
  saved_by uuid references user_account (uid)
);

-- A source that people have added may have the name already.
insert into position_source (uid, name, kind)
select '00000000-0000-0000-0000-000000000003',
       case when exists (select 1 from position_source where lower(name) = 'files' and deleted_at is null)
            then 'Uploaded files ' || to_char(now(), 'YYYYMMDDHH24MISS') else 'Files' end,
       'file';
