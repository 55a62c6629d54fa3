-- Smart-directional addresses: places near which the screen shows their own creative.

create table address_set (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  name text collate natural_order not null check (name <> ''),
  note text not null default '',
  search_text text not null generated always as (lower((name || ' ' || note) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create unique index address_set_name_once on address_set (program_uid, lower(name collate "default")) where deleted_at is null;
create index address_set_by_name on address_set (name, uid) where deleted_at is null;
create index address_set_by_updated on address_set (updated_at, uid) where deleted_at is null;
create index address_set_of_program on address_set (program_uid) where deleted_at is null;
create index address_set_search on address_set using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('address_set');

create table sd_address (
  uid uuid primary key default new_uid(),
  set_uid uuid not null references address_set (uid),
  label text not null check (label <> ''),
  address text not null default '',
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  radius_m integer not null check (radius_m between 50 and 100000),
  artwork_set_uid uuid references artwork_set (uid),
  -- given: typed or imported coordinates; pin: set on the map; geocoder: found by address; zip: centre of the ZIP code,
  -- approximate.
  located_by text not null check (located_by in ('given', 'pin', 'geocoder', 'zip')),
  position integer not null default 0
);
-- Checked after the whole statement, so that two addresses can swap their labels in one save.
alter table sd_address add constraint sd_address_label_once
  exclude using btree (set_uid with =, lower(label collate "default") with =) deferrable initially immediate;
create index sd_address_in_order on sd_address (set_uid, position, uid);
create trigger keep_child_history after insert or update or delete on sd_address
  for each row execute function keep_child_history('address_set', 'set_uid', 'address');
