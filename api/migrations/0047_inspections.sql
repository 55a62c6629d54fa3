-- Driver vehicle inspections with their list and certified repairs, and the language of a user.
-- Oldest node: 0024

alter table pop_photo
  validate constraint pop_photo_time_source_check,
  validate constraint pop_photo_place_source_check,
  validate constraint pop_photo_side_check,
  validate constraint photo_accuracy_is_of_a_phone;

alter table user_account add column language text;
alter table user_account add constraint user_account_language_check check (language in ('en', 'es')) not valid;
comment on column user_account.language is 'The language of mails, notifications and the phone app; null for the browser''s.';

create table inspection_item (
  uid uuid primary key default new_uid(),
  name text not null check (name <> ''),
  name_es text not null check (name_es <> ''),
  -- The place on the list.
  position integer not null check (position between 1 and 999),
  is_active boolean not null default true,
  -- The kind of truck issue that a defect raises.
  issue_kind text not null check (issue_kind in ('mechanical', 'screen', 'other')),
  search_text text not null generated always as (lower(name || ' ' || name_es)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
create unique index inspection_item_name_once on inspection_item (lower(name)) where deleted_at is null;
create index inspection_item_by_position on inspection_item (position, uid) where deleted_at is null;
create index inspection_item_search on inspection_item using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('inspection_item');

-- The first list has fixed ids and no author, so it starts without history.
alter table inspection_item disable trigger keep_history;
insert into inspection_item (uid, created_at, updated_at, position, name, name_es, issue_kind, is_active)
select ('01a1e000-0000-7000-8000-' || lpad(v.position::text, 12, '0'))::uuid, '2026-11-17', '2026-11-17', v.* from (values
  (10, 'Tires', 'Llantas', 'mechanical', true),
  (20, 'Wheels and rims', 'Ruedas y rines', 'mechanical', true),
  (30, 'Lights and reflectors', 'Luces y reflectores', 'mechanical', true),
  (40, 'Brakes', 'Frenos', 'mechanical', true),
  (50, 'Steering', 'Dirección', 'mechanical', true),
  (60, 'Horn', 'Claxon', 'mechanical', true),
  (70, 'Windshield wipers', 'Limpiaparabrisas', 'mechanical', true),
  (80, 'Mirrors', 'Espejos', 'mechanical', true),
  (90, 'Emergency equipment', 'Equipo de emergencia', 'mechanical', true),
  (100, 'Coupling devices', 'Dispositivos de acoplamiento', 'mechanical', false),
  (110, 'Leaks', 'Fugas', 'mechanical', true),
  (120, 'Generator and fuel', 'Generador y combustible', 'mechanical', true),
  (130, 'Screens', 'Pantallas', 'screen', true)) v (position, name, name_es, issue_kind, is_active);
alter table inspection_item enable trigger keep_history;

create table inspection (
  uid uuid primary key default new_uid(),
  -- Made on the driver's phone.
  act_id uuid not null,
  driver_uid uuid not null references user_account (uid),
  truck_uid uuid not null references truck (uid),
  shift_uid uuid not null references shift (uid),
  at timestamptz not null,
  -- By the phone's own clock, which may be wrong.
  phone_at timestamptz not null,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  accuracy_m double precision check (accuracy_m >= 0),
  -- The driver's name, typed as a signature.
  signed_by text not null check (signed_by <> ''),
  defects integer not null check (defects >= 0),
  search_text text not null generated always as (lower(signed_by)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint inspection_once unique (driver_uid, act_id),
  constraint inspection_place_is_whole check (
    (latitude is null) = (longitude is null) and (latitude is null) = (accuracy_m is null))
);
create index inspection_by_at on inspection (at, uid) where deleted_at is null;
create index inspection_of_truck on inspection (truck_uid, at) where deleted_at is null;
create index inspection_of_driver on inspection (driver_uid, at) where deleted_at is null;
create index inspection_of_shift on inspection (shift_uid, at) where deleted_at is null;
create index inspection_age on inspection (created_at);
create index inspection_search on inspection using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('inspection');

-- One line of a report. Names are kept as they stood on the list that was inspected.
create table inspection_result (
  inspection_uid uuid not null references inspection (uid) on delete cascade,
  item_uid uuid not null references inspection_item (uid),
  position integer not null,
  name text not null,
  name_es text not null,
  result text not null check (result in ('ok', 'defect', 'notApplicable')),
  note text not null default '',
  photo_file_uid uuid references stored_file (uid),
  issue_uid uuid references truck_issue (uid),
  repair text check (repair in ('repaired', 'notNeeded')),
  repair_note text not null default '',
  repaired_by uuid references user_account (uid),
  repaired_at timestamptz,
  repaired_from text,
  primary key (inspection_uid, item_uid),
  constraint inspection_defect_is_an_issue check ((result = 'defect') = (issue_uid is not null)),
  constraint inspection_repair_is_certified check (
    (repair is null) = (repaired_by is null) and (repair is null) = (repaired_at is null)
    and (repair is null or result = 'defect'))
);
create index inspection_result_of_issue on inspection_result (issue_uid) where issue_uid is not null;
