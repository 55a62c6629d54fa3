-- What every other table needs: ids, natural order, history, exact totals, partitions by day, stored files.

create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists btree_gist;

-- T-2 before T-10, as people order them.
create collation natural_order (provider = icu, locale = 'en-u-kn-true');

-- UUIDv7: the time in front keeps new rows together in the index. PostgreSQL has its own only from version 18.
create function new_uid() returns uuid language sql volatile as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Every change of a record: who, when, from which address, and the old and new value of each field.
create table history (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  table_name text not null,
  record_uid uuid not null,
  action text not null check (action in ('created', 'changed', 'deleted', 'restored')),
  actor_uid uuid,
  address text,
  changes jsonb not null
);
create index history_of_record on history (table_name, record_uid, id desc);

-- Each record holds its last writer (changed_by, changed_from), so history needs no second statement and cannot be
-- forgotten. Columns named as trigger arguments never appear in it.
create function keep_history() returns trigger language plpgsql as $$
declare
  hidden text[] := array['uid', 'version', 'created_at', 'updated_at', 'deleted_at', 'changed_by', 'changed_from',
                         'search_text'] || tg_argv;
  was jsonb := case tg_op when 'INSERT' then '{}'::jsonb else to_jsonb(old) end;
  is_now jsonb := to_jsonb(new);
  done text;
  changes jsonb;
begin
  done := case
    when tg_op = 'INSERT' then 'created'
    when was ->> 'deleted_at' is null and is_now ->> 'deleted_at' is not null then 'deleted'
    when was ->> 'deleted_at' is not null and is_now ->> 'deleted_at' is null then 'restored'
    else 'changed'
  end;
  select coalesce(jsonb_object_agg(key, jsonb_build_array(was -> key, value)), '{}') into changes
    from jsonb_each(is_now - hidden)
   where value is distinct from was -> key
     and (tg_op <> 'INSERT' or value not in ('null', '""', '[]'));
  if done <> 'changed' or changes <> '{}' then
    insert into history (table_name, record_uid, action, actor_uid, address, changes)
    values (tg_table_name, new.uid, done, new.changed_by, new.changed_from, changes);
  end if;
  return null;
end $$;

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

create function next_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.updated_at := now();
  return new;
end $$;

-- Exact totals without counting. Each statement that touches a list's table leaves one row here, in its own
-- transaction: the sum of delta is the number of rows not deleted, and the rows themselves tell whether anything
-- changed since a total was last counted. Writers only insert, so they never wait for each other.
create table list_change (
  id bigint generated always as identity primary key,
  list text not null,
  delta integer not null
);
create index list_change_of_list on list_change (list) include (id, delta);

create function note_inserted() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta)
  select tg_table_name, count(*) filter (where r.deleted_at is null) from new_rows r having count(*) > 0;
  return null;
end $$;

create function note_updated() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta)
  select tg_table_name, sum(d) from (
    select 1 as d from new_rows r where r.deleted_at is null
    union all
    select -1 from old_rows r where r.deleted_at is null
    union all
    select 0 from new_rows
  ) as touched having count(*) > 0;
  return null;
end $$;

create function note_removed() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta)
  select tg_table_name, -count(*) filter (where r.deleted_at is null) from old_rows r having count(*) > 0;
  return null;
end $$;

-- Gives a table of records its versions, its history and its exact totals. The table has the columns uid, version,
-- created_at, updated_at, deleted_at, changed_by and changed_from. The second argument names secret columns.
create procedure keep_records(name text, secrets text[] default '{}') language plpgsql as $$
declare
  hidden text := (select coalesce(string_agg(quote_literal(s), ', '), '') from unnest(secrets) s);
begin
  execute format('create trigger next_version before update on %I for each row execute function next_version()', name);
  execute format('create trigger keep_history after insert or update on %I for each row execute function keep_history(%s)', name, hidden);
  execute format('create trigger note_inserted after insert on %I referencing new table as new_rows for each statement execute function note_inserted()', name);
  execute format('create trigger note_updated after update on %I referencing old table as old_rows new table as new_rows for each statement execute function note_updated()', name);
  execute format('create trigger note_removed after delete on %I referencing old table as old_rows for each statement execute function note_removed()', name);
end $$;

-- The past is append-only. Entries of the audit log may be deleted once they are older than the retention; history is kept.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'audit_log' and old.at < now() - interval '400 days' then return old; end if;
  raise exception using errcode = 'insufficient_privilege', message = format('%s is only ever added to', tg_table_name);
end $$;
create trigger only_added_to before update or delete on history for each row execute function refuse_rewriting();
create trigger never_emptied before truncate on history for each statement execute function refuse_rewriting();

-- Returns a uid that the same statement has just looked up, and fails with the name of the form field if there is none.
create function must_be_there(named uuid, field text, noun text) returns uuid language plpgsql as $$
begin
  if named is null then raise exception using errcode = 'RS404', column = field, message = noun; end if;
  return named;
end $$;

-- The reply to a POST by the idempotency key of its caller: a retry gets the same reply and changes nothing again.
create table idempotency_key (
  user_uid uuid not null,
  key text not null,
  request_hash text not null,
  reply json,
  created_at timestamptz not null default now(),
  primary key (user_uid, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- How far each job has processed new rows: the next run, on any node, continues from there.
create table job_watermark (
  job text primary key,
  done_until timestamptz not null
);

-- Big tables are partitioned by day, so that old days are dropped as a whole. A partition is created first and attached
-- then, which does not block reads and writes of other days.
create procedure ensure_day(parent text, day date) language plpgsql as $$
declare
  part text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
begin
  if to_regclass(part) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_day'));
  -- Another session may have created it meanwhile; to_regclass would still answer from its cache.
  if exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
              where i.inhparent = parent::regclass and c.relname = part) then return; end if;
  execute format('create table %I (like %I including defaults including constraints)', part, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
                 day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end $$;

create procedure drop_days(parent text, before date) language plpgsql as $$
declare
  part text;
begin
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = parent::regclass and c.relname < format('%s_%s', parent, to_char(before, 'YYYYMMDD'))
  loop
    -- Another node may have dropped it already.
    execute format('drop table if exists %I', part);
  end loop;
end $$;

-- A file in blob storage. It is valid once the server has verified it (stored_at), and is deleted if no record claims
-- it. Records refer to their files; a file itself never changes.
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
  -- Measured by the server, or by the browser where the server cannot read the video's header.
  measured_by text check (measured_by in ('server', 'browser')),
  -- Name of the thumbnail's blob, for images and the first frame of videos where one could be made.
  thumbnail_blob text,
  announced_at timestamptz not null default now(),
  announced_by uuid,
  stored_at timestamptz,
  claimed_at timestamptz
);
create index stored_file_unclaimed on stored_file (announced_at) where claimed_at is null;

-- Notifies on the given channel, but only if the statement touched rows: each message makes open pages reload.
create function tell_touched() returns trigger language plpgsql as $$
begin
  if exists (select from touched) then
    perform pg_notify(tg_argv[0], '');
  end if;
  return null;
end $$;

-- Puts a quote before text that a spreadsheet would run as a formula.
create function plain_cell(text text) returns text immutable language sql as $$
  select case when left($1, 1) in ('=', '+', '-', '@', E'\t', E'\r') then '''' || $1 else $1 end
$$;
