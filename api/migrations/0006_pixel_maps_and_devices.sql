-- The LED canvas of a truck, and the devices that ride in it.

create table pixel_map (
  uid uuid primary key default new_uid(),
  name text collate natural_order not null check (name <> ''),
  width integer not null check (width between 1 and 32768),
  height integer not null check (height between 1 and 32768),
  -- Distance between two pixels, in hundredths of a millimetre.
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
  changed_from text
);
create unique index pixel_map_name_once on pixel_map (lower(name collate "default")) where deleted_at is null;
create index pixel_map_by_name on pixel_map (name, uid) where deleted_at is null;
create index pixel_map_by_updated on pixel_map (updated_at, uid) where deleted_at is null;
create index pixel_map_search on pixel_map using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('pixel_map');

-- Every side lies inside the canvas and none overlaps another.
create function pixel_sides_fit(width integer, height integer, sides jsonb) returns boolean language sql immutable as $$
  select count(*) = 3
     and bool_and(x >= 0 and y >= 0 and w > 0 and h > 0 and x + w <= pixel_sides_fit.width and y + h <= pixel_sides_fit.height)
     and not exists (
       select 1 from jsonb_each(sides) a, jsonb_each(sides) b
        where a.key < b.key
          and box(point((a.value ->> 'x')::int, (a.value ->> 'y')::int),
                  point((a.value ->> 'x')::int + (a.value ->> 'width')::int - 1, (a.value ->> 'y')::int + (a.value ->> 'height')::int - 1))
           && box(point((b.value ->> 'x')::int, (b.value ->> 'y')::int),
                  point((b.value ->> 'x')::int + (b.value ->> 'width')::int - 1, (b.value ->> 'y')::int + (b.value ->> 'height')::int - 1)))
    from (select (value ->> 'x')::int x, (value ->> 'y')::int y, (value ->> 'width')::int w, (value ->> 'height')::int h
            from jsonb_each(sides) where key in ('driverSide', 'passengerSide', 'rear')) as side
$$;
alter table pixel_map add constraint pixel_sides_fit check (pixel_sides_fit(width, height, sides));

alter table truck
  add column pixel_map_uid uuid references pixel_map (uid),
  add column geotab_device_id text not null default '';
create unique index truck_geotab_once on truck (geotab_device_id) where deleted_at is null and geotab_device_id <> '';
create index truck_of_pixel_map on truck (pixel_map_uid) where deleted_at is null;

-- A player or driver app. Its MAC address is a label; what it proves itself with is a key, given once in exchange for
-- a one-time code, and kept only as a hash.
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
  seen_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create unique index device_mac_once on device (mac_address) where deleted_at is null;
create unique index device_code_once on device (code_hash) where code_hash is not null;
create index device_of_truck on device (truck_uid) where deleted_at is null;
call keep_records('device', array['key_hash', 'code_hash']);
