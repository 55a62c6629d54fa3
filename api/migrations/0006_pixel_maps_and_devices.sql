-- The LED canvas of a truck, and the devices that ride in it.

create table pixel_map (
  uid uuid primary key default new_uid(),
  name text collate natural_order not null check (name <> ''),
  width integer not null check (width between 1 and 32768),
  height integer not null check (height between 1 and 32768),
  -- Distance between the centres of two pixels, in micrometres: 0.1 to 100 mm.
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

-- There are the three sides, each lies inside the canvas and none overlaps another. A missing number is a no.
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
-- Its truck never changes, and being seen is no change.
call keep_records('device', array['key_hash', 'code_hash', 'truck_uid', 'seen_at']);

-- The list of trucks shows and filters by its devices, so its totals are to be counted anew when they change.
create function note_trucks_changed() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta) values ('truck', 0);
  return null;
end $$;
create trigger note_trucks_changed after insert or update or delete on device
  for each statement execute function note_trucks_changed();
