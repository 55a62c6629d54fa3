-- Proof of play: photos, what is said of them, and the versions that were published.

-- For a statement that writes the uid of a record which it has just looked up: without one it is refused, and by the
-- name of the field it is told at which.
create function must_be_there(named uuid, field text, noun text) returns uuid language plpgsql as $$
begin
  if named is null then raise exception using errcode = 'RS404', column = field, message = noun; end if;
  return named;
end $$;

-- Every program has its page from the start: what people write above the numbers. It has the program's uid.
create table pop (
  uid uuid primary key references client_program (uid),
  headline text not null default '',
  text text not null default '',
  -- The photo on top; without one, the first that is shown.
  cover_photo_uid uuid,
  -- The last day on which the public sees it (UTC), where one is given.
  ends_on date,
  -- What the public sees: nothing before the first version and after a withdrawal.
  shown_version integer,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text
);
call keep_records('pop');

create function begin_pop() returns trigger language plpgsql as $$
begin
  insert into pop (uid, changed_by, changed_from) values (new.uid, new.changed_by, new.changed_from);
  return null;
end $$;
create trigger begin_pop after insert on client_program for each row execute function begin_pop();
insert into pop (uid) select uid from client_program;

-- A market as a chapter of the page. What is not written here is as the program says: its order, its dates, shown.
create table pop_market (
  pop_uid uuid not null references pop (uid),
  market_uid uuid not null references market (uid),
  position integer not null,
  headline text not null default '',
  text text not null default '',
  starts_on date,
  ends_on date,
  is_shown boolean not null default true,
  primary key (pop_uid, market_uid),
  constraint pop_market_ends_after_it_starts check (ends_on >= starts_on)
);
create trigger keep_child_history after insert or update or delete on pop_market
  for each row execute function keep_child_history('pop', 'pop_uid', 'market');

-- A photo. Its pictures are blobs named after its key: pop-<key>-small, -medium and -large. They hold nothing but pixels.
create table pop_photo (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  market_uid uuid references market (uid),
  shift_uid uuid references shift (uid),
  truck_uid uuid references truck (uid),
  -- Who sent it.
  taken_by uuid references user_account (uid),
  key text not null unique check (key ~ '^[0-9a-f]{32}$'),
  original_name text not null,
  original_sha256 text not null check (original_sha256 ~ '^[0-9a-f]{64}$'),
  -- { small: { width, height, bytes, sha256 }, medium, large }
  sizes json not null,
  -- A few pixels as a data URI, shown until the picture is there.
  blur text not null,
  -- When and where: as the camera said, or as somebody typed, which proves nothing.
  taken_at timestamptz,
  time_source text check (time_source in ('exif', 'typed')),
  -- What the camera's clock showed, where it said no zone: it is read in the zone of the photo's market.
  clock_time text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  place_source text check (place_source in ('exif', 'typed')),
  caption text not null default '',
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'hidden')),
  -- Its place among the photos of its market.
  position double precision not null,
  grade text not null default 'unverified' check (grade in ('verified', 'unverified', 'conflict')),
  -- Why, in a sentence, with what was compared.
  reason text not null default '',
  distance_m double precision,
  seconds_apart double precision,
  search_text text not null generated always as (lower(caption || ' ' || original_name)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint photo_time_has_a_source check ((taken_at is null) = (time_source is null)),
  constraint photo_place_is_whole check ((latitude is null) = (longitude is null) and (latitude is null) = (place_source is null))
);
-- The same file twice is one photo.
create unique index pop_photo_once on pop_photo (program_uid, original_sha256) where deleted_at is null;
create index pop_photo_by_created on pop_photo (created_at, uid) where deleted_at is null;
create index pop_photo_by_taken on pop_photo (coalesce(taken_at, created_at), uid) where deleted_at is null;
create index pop_photo_by_position on pop_photo (position, uid) where deleted_at is null;
create index pop_photo_in_order on pop_photo (program_uid, market_uid, position, uid) where deleted_at is null;
create index pop_photo_waiting on pop_photo (program_uid) where deleted_at is null and status = 'waiting';
create index pop_photo_of_shift on pop_photo (shift_uid) where deleted_at is null and shift_uid is not null;
create index pop_photo_of_taker on pop_photo (taken_by, created_at) where deleted_at is null;
create index pop_photo_of_truck on pop_photo (truck_uid, taken_at) where deleted_at is null and taken_at is not null;
create index pop_photo_search on pop_photo using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('pop_photo', array['grade', 'reason', 'distance_m', 'seconds_apart', 'position', 'blur', 'sizes', 'key', 'original_sha256', 'clock_time']);
-- Grades follow the track and places in the order are dragged while somebody writes a caption: neither makes that stale.
drop trigger next_version on pop_photo;
create trigger next_version before update on pop_photo for each row
  when ((old.market_uid, old.shift_uid, old.caption, old.status, old.deleted_at)
        is distinct from (new.market_uid, new.shift_uid, new.caption, new.status, new.deleted_at))
  execute function next_version();
alter table pop add constraint pop_cover_is_a_photo foreign key (cover_photo_uid) references pop_photo (uid);

create function tell_changed_photos() returns trigger language plpgsql as $$
begin
  perform pg_notify('photos_changed', '');
  return null;
end $$;
create trigger tell_changed after insert or update on pop_photo
  for each statement execute function tell_changed_photos();

-- What was published. It stays as it is, whatever becomes of the records that it was made from.
create table pop_version (
  program_uid uuid not null references client_program (uid),
  number integer not null check (number > 0),
  published_at timestamptz not null default now(),
  published_by uuid references user_account (uid),
  -- Why it was published, and what is other than in the version before.
  note text not null default '',
  changes text not null default '',
  -- Exactly the text that the hash is of.
  document text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The same with only the first photos of each market, which the page begins with.
  opening text not null,
  -- The PDF, made once by a job, and whose turn it is to make it.
  pdf_blob text,
  pdf_sha256 text,
  pdf_bytes integer,
  pdf_claimed_at timestamptz,
  pdf_attempts integer not null default 0,
  primary key (program_uid, number)
);
-- Read all the time and never changed: as they are they are read faster than packed.
alter table pop_version alter column document set storage external, alter column opening set storage external;
alter table pop add constraint pop_shows_a_version foreign key (uid, shown_version) references pop_version (program_uid, number);
create index pop_version_without_pdf on pop_version (published_at) where pdf_blob is null;

create function keep_version() returns trigger language plpgsql as $$
begin
  if (new.program_uid, new.number, new.published_at, new.note, new.changes, new.document, new.sha256, new.opening)
     is distinct from
     (old.program_uid, old.number, old.published_at, old.note, old.changes, old.document, old.sha256, old.opening)
  then raise exception 'a published version never changes'; end if;
  return new;
end $$;
create trigger keep_version before update on pop_version for each row execute function keep_version();
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a published version is never removed';
end $$;
create trigger refuse_removal before delete on pop_version for each row execute function refuse_removal();
-- Whoever makes PDFs begins at once.
create function tell_published() returns trigger language plpgsql as $$
begin
  perform pg_notify('pop_published', '');
  return null;
end $$;
create trigger tell_published after insert on pop_version for each statement execute function tell_published();

-- Which pictures a version shows, by the names of their blobs without the size.
create table pop_version_picture (
  program_uid uuid not null,
  number integer not null,
  key text not null check (key ~ '^[0-9a-f]{32}$'),
  -- Photos are WebP; a logo is what its client sent.
  content_type text not null default 'image/webp',
  primary key (program_uid, number, key),
  foreign key (program_uid, number) references pop_version (program_uid, number)
);

-- How often the public page was opened, by day (UTC).
create table pop_view (
  program_uid uuid not null references client_program (uid),
  day date not null,
  views integer not null,
  primary key (program_uid, day)
);

-- The list of POPs is the list of programs, but what it is filtered by stands here: its totals are counted anew.
create function note_program_list() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta) values ('client_program', 0);
  return null;
end $$;
create trigger note_program_list after update on pop for each statement execute function note_program_list();
create trigger note_program_list after insert or update on pop_photo for each statement execute function note_program_list();
