-- What a program shows on the three sides of a truck.

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

-- Whoever replaces a file, by whatever way, takes the approval away with it.
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
