-- Where a market is, what lies in it, and the settings of the business.

alter table market
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add column radius_m integer check (radius_m between 100 and 500000),
  -- A drawn outline as [[longitude, latitude], …]; it goes before centre and radius.
  add column outline jsonb,
  -- [{ name, latitude, longitude, radiusM }]: route ends near one are trimmed on public pages.
  add column depots jsonb not null default '[]',
  add constraint market_centre_is_whole check ((latitude is null) = (longitude is null) and (latitude is null) = (radius_m is null));

-- One row per setting that was ever changed; what is not here has its default.
create table setting (
  uid uuid primary key default new_uid(),
  key text not null unique,
  value jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
call keep_records('setting');
