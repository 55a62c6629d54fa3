-- Settings, markets, clients, programs, trucks, devices, artwork, SD addresses and pay rates.

-- One row for each setting that was changed; the others have their default.
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

-- A setting as a number, or the given default.
create function setting_number(name text, standard numeric) returns numeric language sql stable as $$
  select coalesce((select (value #>> '{}')::numeric from setting where key = name), standard)
$$;

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
  changed_from text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  radius_m integer check (radius_m between 100 and 500000),
  -- A drawn outline as [[longitude, latitude], …]; it takes precedence over center and radius.
  outline jsonb,
  -- [{ name, latitude, longitude, radiusM }]: public pages trim routes near a depot.
  depots jsonb not null default '[]',
  constraint market_centre_is_whole check ((latitude is null) = (longitude is null) and (latitude is null) = (radius_m is null))
);
create unique index market_name_once on market (lower(name collate "default"), state) where deleted_at is null;
create index market_by_name on market (name, uid) where deleted_at is null;
create index market_by_state on market (state, uid) where deleted_at is null;
create index market_search on market using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('market');

create table client (
  uid uuid primary key default new_uid(),
  name text collate natural_order not null check (name <> ''),
  logo_file_uid uuid references stored_file (uid),
  -- [{ name, title, email, phone }]
  contacts jsonb not null default '[]',
  note text not null default '',
  search_text text not null generated always as
    (lower((name || ' ' || note || ' ' || coalesce(jsonb_path_query_array(contacts, '$[*].*')::text, '')) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create unique index client_name_once on client (lower(name collate "default")) where deleted_at is null;
create index client_by_name on client (name, uid) where deleted_at is null;
create index client_by_updated on client (updated_at, uid) where deleted_at is null;
create index client_search on client using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('client');

alter table user_account add foreign key (client_uid) references client (uid);

create table client_program (
  uid uuid primary key default new_uid(),
  client_uid uuid not null references client (uid),
  name text collate natural_order not null check (name <> ''),
  status text not null check (status in ('draft', 'active', 'paused', 'completed')),
  starts_on date not null,
  ends_on date not null,
  pop_url text not null check (pop_url ~ '^[A-Za-z0-9 -]+$' and lower(pop_url) not in ('pop', 'program-by-client')),
  note text not null default '',
  search_text text not null generated always as (lower((name || ' ' || pop_url || ' ' || note) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint program_ends_after_it_starts check (ends_on >= starts_on)
);
create unique index program_pop_url_once on client_program (lower(pop_url)) where deleted_at is null;
create unique index program_name_once on client_program (client_uid, lower(name collate "default")) where deleted_at is null;
create index program_by_name on client_program (name, uid) where deleted_at is null;
create index program_by_start on client_program (starts_on, uid) where deleted_at is null;
create index program_by_end on client_program (ends_on, uid) where deleted_at is null;
create index program_by_status on client_program (status, uid) where deleted_at is null;
create index program_by_updated on client_program (updated_at, uid) where deleted_at is null;
create index program_of_client on client_program (client_uid) where deleted_at is null;
create index program_search on client_program using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('client_program');

-- The markets of a program; a market without dates runs as long as the program.
create table program_market (
  program_uid uuid not null references client_program (uid),
  market_uid uuid not null references market (uid),
  starts_on date,
  ends_on date,
  position integer not null default 0,
  primary key (program_uid, market_uid),
  constraint program_market_ends_after_it_starts check (ends_on >= starts_on)
);
create index program_of_market on program_market (market_uid);
create trigger keep_child_history after insert or update or delete on program_market
  for each row execute function keep_child_history('client_program', 'program_uid', 'market');

-- Whether all three sides are given, lie inside the canvas and do not overlap. A missing number means no.
create function pixel_sides_fit(width integer, height integer, sides jsonb) returns boolean language sql immutable as $$
  with side as (
    select key, (value ->> 'x')::int as x, (value ->> 'y')::int as y,
           (value ->> 'width')::int as w, (value ->> 'height')::int as h
      from jsonb_each(sides)
  )
  select coalesce((select array_agg(key order by key) from side) = array['driverSide', 'passengerSide', 'rear'], false)
     and (select bool_and(coalesce(x >= 0 and y >= 0 and w > 0 and h > 0
                                   and x + w <= pixel_sides_fit.width and y + h <= pixel_sides_fit.height, false))
            from side)
     and not exists (
       select 1 from side a join side b on a.key < b.key
        where a.x < b.x + b.w and b.x < a.x + a.w and a.y < b.y + b.h and b.y < a.y + a.h)
$$;

-- The LED canvas of a truck.
create table pixel_map (
  uid uuid primary key default new_uid(),
  name text collate natural_order not null check (name <> ''),
  width integer not null check (width between 1 and 32768),
  height integer not null check (height between 1 and 32768),
  -- Distance between the centers of two pixels, in micrometres: 0.1 to 100 mm.
  pitch_um integer not null check (pitch_um between 100 and 100000),
  -- { driverSide: { x, y, width, height }, passengerSide: …, rear: … } in pixels of the canvas.
  sides jsonb not null,
  note text not null default '',
  search_text text not null generated always as (lower((name || ' ' || note) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint pixel_sides_fit check (pixel_sides_fit(width, height, sides))
);
create unique index pixel_map_name_once on pixel_map (lower(name collate "default")) where deleted_at is null;
create index pixel_map_by_name on pixel_map (name, uid) where deleted_at is null;
create index pixel_map_by_updated on pixel_map (updated_at, uid) where deleted_at is null;
create index pixel_map_search on pixel_map using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('pixel_map');

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
  changed_from text,
  pixel_map_uid uuid references pixel_map (uid),
  geotab_device_id text not null default ''
);
-- Deleting a truck frees its number, plate, VIN and GPS tracker.
create unique index truck_number_once on truck (lower(number collate "default")) where deleted_at is null;
create unique index truck_plate_once on truck (plate) where deleted_at is null and plate <> '';
create unique index truck_vin_once on truck (vin) where deleted_at is null and vin <> '';
create unique index truck_geotab_once on truck (geotab_device_id) where deleted_at is null and geotab_device_id <> '';
-- One index for each order of the list; the uid makes the order total.
create index truck_by_number on truck (number, uid) where deleted_at is null;
create index truck_by_plate on truck (plate, uid) where deleted_at is null;
create index truck_by_state on truck (state, uid) where deleted_at is null;
create index truck_by_updated on truck (updated_at, uid) where deleted_at is null;
create index truck_of_market on truck (home_market_uid) where deleted_at is null;
create index truck_of_pixel_map on truck (pixel_map_uid) where deleted_at is null;
create index truck_search on truck using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('truck');

-- A player or driver app. The MAC address is a label; the device authenticates with a key that it gets once in exchange
-- for a one-time code. Both are stored only as hashes.
create table device (
  uid uuid primary key default new_uid(),
  truck_uid uuid not null references truck (uid),
  kind text not null check (kind in ('player', 'driver')),
  mac_address text not null check (mac_address ~ '^([0-9A-F]{2}:){5}[0-9A-F]{2}$'),
  key_hash bytea,
  code_hash bytea,
  code_expires_at timestamptz,
  paired_at timestamptz,
  revoked_at timestamptz,
  search_text text not null generated always as (lower(mac_address)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create unique index device_mac_once on device (mac_address) where deleted_at is null;
create index device_by_mac on device (mac_address, uid) where deleted_at is null;
create index device_by_updated on device (updated_at, uid) where deleted_at is null;
create index device_search on device using gin (search_text gin_trgm_ops) where deleted_at is null;
create index device_of_truck on device (truck_uid) where deleted_at is null;
-- A device never changes its truck.
call keep_records('device', array['key_hash', 'code_hash', 'truck_uid', 'seen_at']);

-- The last contact of each device. Apart from the device, because a contact is no change of the record.
create table device_seen (
  device_uid uuid primary key references device (uid),
  seen_at timestamptz not null
);

-- The list of trucks filters by devices: a changed device invalidates its totals.
create function note_trucks_changed() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta) values ('truck', 0);
  return null;
end $$;
create trigger note_trucks_changed after insert or update or delete on device
  for each statement execute function note_trucks_changed();

-- Notifies every node when a device loses its key or is deleted.
create function tell_ended_devices() returns trigger language plpgsql as $$
begin
  if new.key_hash is distinct from old.key_hash or new.deleted_at is distinct from old.deleted_at then
    perform pg_notify('device_ended', new.uid::text);
  end if;
  return null;
end $$;
create trigger tell_ended after update on device for each row execute function tell_ended_devices();

-- The files that a program shows on the three sides of a truck.
create table artwork_set (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  name text collate natural_order not null check (name <> ''),
  status text not null default 'draft' check (status in ('draft', 'approved')),
  driver_side_artwork_uid uuid references stored_file (uid),
  passenger_side_artwork_uid uuid references stored_file (uid),
  rear_artwork_uid uuid references stored_file (uid),
  -- SHA-256 over the three files' hashes at the moment of approval; another file makes the set draft again.
  approved_hash text,
  approved_by uuid references user_account (uid),
  approved_at timestamptz,
  note text not null default '',
  search_text text not null generated always as (lower((name || ' ' || note) collate "default")) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint approval_is_whole check ((status = 'approved') = (approved_hash is not null))
);
create unique index artwork_name_once on artwork_set (program_uid, lower(name collate "default")) where deleted_at is null;
create index artwork_by_name on artwork_set (name, uid) where deleted_at is null;
create index artwork_by_status on artwork_set (status, uid) where deleted_at is null;
create index artwork_by_updated on artwork_set (updated_at, uid) where deleted_at is null;
create index artwork_of_program on artwork_set (program_uid) where deleted_at is null;
create index artwork_search on artwork_set using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('artwork_set');

-- Replacing a file withdraws the approval.
create function withdraw_approval() returns trigger language plpgsql as $$
begin
  if (old.driver_side_artwork_uid, old.passenger_side_artwork_uid, old.rear_artwork_uid)
     is distinct from (new.driver_side_artwork_uid, new.passenger_side_artwork_uid, new.rear_artwork_uid) then
    new.status := 'draft';
    new.approved_hash := null;
    new.approved_by := null;
    new.approved_at := null;
  end if;
  return new;
end $$;
create trigger withdraw_approval before update on artwork_set for each row execute function withdraw_approval();

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
  -- given: typed or imported coordinates; pin: set on the map; geocoder: found by address; zip: center of the ZIP code,
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

-- Addresses that were removed from their sets: reports still name their plays and visits.
create table past_sd_address (
  uid uuid primary key,
  set_uid uuid not null,
  label text not null,
  address text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_m integer not null
);
create function keep_past_address() returns trigger language plpgsql as $$
begin
  insert into past_sd_address (uid, set_uid, label, address, latitude, longitude, radius_m)
  values (old.uid, old.set_uid, old.label, old.address, old.latitude, old.longitude, old.radius_m)
  on conflict do nothing;
  return null;
end $$;
create trigger keep_past after delete on sd_address for each row execute function keep_past_address();
create view known_sd_address as
  select uid, set_uid, label, address, latitude, longitude, radius_m, true as is_current from sd_address
  union all
  select uid, set_uid, label, address, latitude, longitude, radius_m, false from past_sd_address;

-- Pay per shift in cents, valid from a day until the next row's day.
create table pay_rate (
  user_uid uuid not null references user_account (uid),
  valid_from date not null,
  half_day_cents integer not null check (half_day_cents between 0 and 10000000),
  eight_hours_cents integer not null check (eight_hours_cents between 0 and 10000000),
  twelve_hours_cents integer not null check (twelve_hours_cents between 0 and 10000000),
  primary key (user_uid, valid_from)
);
create trigger keep_child_history after insert or update or delete on pay_rate
  for each row execute function keep_child_history('user_account', 'user_uid', 'payRates');
