-- What every other table stands on: ids, natural order, history, and exact totals.

create extension if not exists citext;
create extension if not exists pg_trgm;

-- T-2 before T-10, as people count.
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

-- A record carries who wrote it last (changed_by, changed_from), so its history needs no second statement and
-- cannot be forgotten. Columns named as trigger arguments never appear in it.
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

-- The answer of a POST by the key its caller gave it, so that a retry gets the same answer and nothing twice.
create table idempotency_key (
  user_uid uuid not null,
  key text not null,
  request_hash text not null,
  reply json,
  created_at timestamptz not null default now(),
  primary key (user_uid, key)
);
create index idempotency_key_age on idempotency_key (created_at);
