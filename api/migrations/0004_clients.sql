-- Clients, their programs, and the files that people upload.

-- Children of a record (a program's markets, a set's addresses) appear in its history under a name of their own.
-- Arguments: parent table, column that names the parent, field name. Who did it is read from the parent, which is
-- always written in the same transaction, before its children.
create function keep_child_history() returns trigger language plpgsql as $$
declare
  hidden text[] := array['uid', tg_argv[1], 'search_text', 'position'];
  was jsonb := case tg_op when 'INSERT' then null else to_jsonb(old) - hidden end;
  is_now jsonb := case tg_op when 'DELETE' then null else to_jsonb(new) - hidden end;
  parent uuid := (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[1])::uuid;
begin
  if was is distinct from is_now then
    execute format('insert into history (table_name, record_uid, action, actor_uid, address, changes)
                    select %L, uid, ''changed'', changed_by, changed_from, $1 from %I where uid = $2', tg_argv[0], tg_argv[0])
      using jsonb_build_object(tg_argv[2], jsonb_build_array(was, is_now)), parent;
  end if;
  return null;
end $$;

-- A file in blob storage. It counts only once the server has verified it (stored_at), and is swept when nothing
-- claims it. Records that use a file refer to it; the file itself never changes.
create table stored_file (
  uid uuid primary key default new_uid(),
  blob_name text not null unique,
  purpose text not null check (purpose in ('logo', 'artwork', 'photo', 'issue')),
  original_name text not null,
  content_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  width integer,
  height integer,
  duration_ms integer,
  -- Who measured it: the server, or the browser where the server cannot read the video's header.
  measured_by text check (measured_by in ('server', 'browser')),
  -- Name of the thumbnail's blob, for images and the first frame of videos where one could be made.
  thumbnail_blob text,
  announced_at timestamptz not null default now(),
  announced_by uuid references user_account (uid),
  stored_at timestamptz,
  claimed_at timestamptz
);
create index stored_file_unclaimed on stored_file (announced_at) where claimed_at is null;

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

-- A user of role client belongs to one client and sees nothing but its own.
alter table user_account add column client_uid uuid references client (uid);
alter table user_account add constraint only_clients_have_a_client check (client_uid is null or role = 'client');
create index user_of_client on user_account (client_uid) where client_uid is not null;

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

-- Where a program runs; without dates of its own a market runs as long as the program.
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
