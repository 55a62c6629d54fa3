create table market (
  uid uuid primary key default new_uid(),
  name text collate natural_order not null,
  state text not null default '',
  zone text not null,
  search_text text not null generated always as (lower((name || ' ' || state) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create unique index market_name_once on market (lower(name collate "default"), state) where deleted_at is null;
create index market_by_name on market (name, uid) where deleted_at is null;
create index market_by_state on market (state, uid) where deleted_at is null;
create index market_search on market using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('market');

create table truck (
  uid uuid primary key default new_uid(),
  number text collate natural_order not null check (number <> ''),
  plate text not null default '',
  vin text not null default '' check (vin ~ '^([A-HJ-NPR-Z0-9]{17})?$'),
  kind text not null check (kind in ('led', 'printed')),
  state text not null check (state in ('active', 'inShop', 'retired')),
  home_market_uid uuid references market (uid),
  note text not null default '',
  search_text text not null generated always as
    (lower((number || ' ' || plate || ' ' || vin || ' ' || note) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
-- Numbers, plates and VINs are free again once their truck is deleted.
create unique index truck_number_once on truck (lower(number collate "default")) where deleted_at is null;
create unique index truck_plate_once on truck (plate) where deleted_at is null and plate <> '';
create unique index truck_vin_once on truck (vin) where deleted_at is null and vin <> '';
-- One index for each order the list offers; the uid makes the order total.
create index truck_by_number on truck (number, uid) where deleted_at is null;
create index truck_by_plate on truck (plate, uid) where deleted_at is null;
create index truck_by_state on truck (state, uid) where deleted_at is null;
create index truck_by_updated on truck (updated_at, uid) where deleted_at is null;
create index truck_of_market on truck (home_market_uid) where deleted_at is null;
create index truck_search on truck using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('truck');
