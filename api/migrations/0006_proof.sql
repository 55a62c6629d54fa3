-- Proof of play: photos, the editor's texts, and published versions.

-- The texts above the numbers of a program's page. Every program has one from the start, with the program's uid.
create table pop (
  uid uuid primary key references client_program (uid),
  headline text not null default '',
  text text not null default '',
  -- The photo on top; null for the first shown photo.
  cover_photo_uid uuid,
  -- The last day (UTC) on which the page is public; null for no end.
  ends_on date,
  -- The public version; null before the first one and after a withdrawal.
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

-- A market as a section of the page. Without a row here, order and dates are the program's, and the market is shown.
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

-- A photo. Its pictures are blobs named after its key: pop-<key>-small, -medium and -large, without metadata.
create table pop_photo (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  market_uid uuid references market (uid),
  shift_uid uuid references shift (uid),
  truck_uid uuid references truck (uid),
  -- The sender.
  taken_by uuid references user_account (uid),
  key text not null unique check (key ~ '^[0-9a-f]{32}$'),
  original_name text not null,
  original_sha256 text not null check (original_sha256 ~ '^[0-9a-f]{64}$'),
  -- { small: { width, height, bytes, sha256 }, medium, large }
  sizes json not null,
  -- A few pixels as a data URI, shown until the picture is there.
  blur text not null,
  -- Time and place from the camera, or typed, which proves nothing.
  taken_at timestamptz,
  time_source text check (time_source in ('exif', 'typed')),
  -- The camera's local time if it has no zone: it is read in the zone of the photo's market.
  clock_time text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  place_source text check (place_source in ('exif', 'typed')),
  caption text not null default '',
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'hidden')),
  -- Its place among the photos of its market.
  position double precision not null,
  grade text not null default 'unverified' check (grade in ('verified', 'unverified', 'conflict')),
  -- The reason for the grade in a sentence.
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
  -- The pictures are kept with the photo and for some time after it was deleted; then they are removed, or stay for good
  -- because a published version shows them.
  pictures text not null default 'kept' check (pictures in ('kept', 'published', 'removed')),
  constraint photo_time_has_a_source check ((taken_at is null) = (time_source is null)),
  constraint photo_place_is_whole check ((latitude is null) = (longitude is null) and (latitude is null) = (place_source is null))
);
-- A program has each file once.
create unique index pop_photo_once on pop_photo (program_uid, original_sha256) where deleted_at is null;
create index pop_photo_by_created on pop_photo (created_at, uid) where deleted_at is null;
create index pop_photo_by_taken on pop_photo (coalesce(taken_at, created_at), uid) where deleted_at is null;
create index pop_photo_by_position on pop_photo (position, uid) where deleted_at is null;
create index pop_photo_in_order on pop_photo (program_uid, market_uid, position, uid) where deleted_at is null;
create index pop_photo_to_sweep on pop_photo (deleted_at) where deleted_at is not null and pictures = 'kept';
create index pop_photo_waiting on pop_photo (program_uid) where deleted_at is null and status = 'waiting';
create index pop_photo_of_shift on pop_photo (shift_uid) where deleted_at is null and shift_uid is not null;
create index pop_photo_of_taker on pop_photo (taken_by, created_at) where deleted_at is null;
create index pop_photo_of_truck on pop_photo (truck_uid, taken_at) where deleted_at is null and taken_at is not null;
create index pop_photo_search on pop_photo using gin (search_text gin_trgm_ops) where deleted_at is null;
call keep_records('pop_photo', array['grade', 'reason', 'distance_m', 'seconds_apart', 'position', 'blur', 'sizes', 'key', 'original_sha256', 'clock_time', 'pictures']);
-- Regrading and reordering must not make an open caption form stale, so they make no version.
drop trigger next_version on pop_photo;
create trigger next_version before update on pop_photo for each row
  when ((old.market_uid, old.shift_uid, old.caption, old.status, old.deleted_at)
        is distinct from (new.market_uid, new.shift_uid, new.caption, new.status, new.deleted_at))
  execute function next_version();
alter table pop add constraint pop_cover_is_a_photo foreign key (cover_photo_uid) references pop_photo (uid);
create trigger tell_added after insert on pop_photo referencing new table as touched
  for each statement execute function tell_touched('photos_changed');
create trigger tell_changed after update on pop_photo referencing new table as touched
  for each statement execute function tell_touched('photos_changed');

-- Published versions. They never change, even if the records behind them do.
create table pop_version (
  program_uid uuid not null references client_program (uid),
  number integer not null check (number > 0),
  published_at timestamptz not null default now(),
  published_by uuid references user_account (uid),
  -- The reason given by the publisher, and the differences from the previous version.
  note text not null default '',
  changes text not null default '',
  -- The exact text that sha256 is computed of.
  document text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The document with only the first photos of each market, for the first paint of the page.
  opening text not null,
  -- The PDF, made once by a job that claims the row.
  pdf_blob text,
  pdf_sha256 text,
  pdf_bytes integer,
  pdf_claimed_at timestamptz,
  pdf_attempts integer not null default 0,
  primary key (program_uid, number)
);
-- Read often and never changed: uncompressed text is read faster.
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
-- Wakes up the job that makes PDFs.
create function tell_published() returns trigger language plpgsql as $$
begin
  perform pg_notify('pop_published', '');
  return null;
end $$;
create trigger tell_published after insert on pop_version for each statement execute function tell_published();

-- The pictures of a version, by the names of their blobs without the size.
create table pop_version_picture (
  program_uid uuid not null,
  number integer not null,
  key text not null check (key ~ '^[0-9a-f]{32}$'),
  -- Photos are WebP; a logo keeps its format.
  content_type text not null default 'image/webp',
  primary key (program_uid, number, key),
  foreign key (program_uid, number) references pop_version (program_uid, number)
);
create index pop_version_picture_by_key on pop_version_picture (key);

-- Views of the public page by day (UTC).
create table pop_view (
  program_uid uuid not null references client_program (uid),
  day date not null,
  views integer not null,
  primary key (program_uid, day)
);

-- The list of POPs is the list of programs filtered by POP columns: a changed POP invalidates its totals.
create function note_program_list() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta) values ('client_program', 0);
  return null;
end $$;
create trigger note_program_list after update on pop for each statement execute function note_program_list();
create trigger note_program_list after insert or update on pop_photo for each statement execute function note_program_list();
