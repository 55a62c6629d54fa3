-- Deep pages of a list start from a remembered place in its order. So that a place outlives the writes of others, each
-- change of a list also keeps where its rows stood before and where they stand now: the columns that lists are sorted by.
-- Oldest node: 0024
alter table list_change
  -- The rows that came into the list and those that left it, by the columns of its orders. Null if they are not known:
  -- too many rows at once, or changes that were folded into one.
  add column added jsonb,
  add column removed jsonb,
  -- The changes that this row stands for, if it is a fold of few.
  add column folded bigint[];

-- The columns that a list can be sorted by: each has an index of its own with the uid behind it.
create function sort_columns(name regclass) returns text[] language sql stable as $$
  select array_agg(distinct a.attname::text)
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    join pg_attribute u on u.attrelid = i.indrelid and u.attnum = i.indkey[1] and u.attname = 'uid'
   where i.indrelid = name and i.indnkeyatts = 2
$$;

-- What a row needs to be placed in the orders of its list.
create function list_place(columns text[], image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, value) from jsonb_each(image) where key = 'uid' or key = any(columns)
$$;

-- The places of many rows would cost more than finding a place again.
create or replace function note_inserted() returns trigger language plpgsql as $$
begin
  if tg_nargs = 0 or (select count(*) > 20 from new_rows) then
    insert into list_change (list, delta)
    select tg_table_name, count(*) filter (where r.deleted_at is null) from new_rows r having count(*) > 0;
  else
    insert into list_change (list, delta, added, removed)
    select tg_table_name, count(*) filter (where r.deleted_at is null),
           coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))) filter (where r.deleted_at is null), '[]'), '[]'
      from new_rows r having count(*) > 0;
  end if;
  return null;
end $$;

create or replace function note_updated() returns trigger language plpgsql as $$
begin
  if tg_nargs = 0 or (select count(*) > 20 from new_rows) then
    insert into list_change (list, delta)
    select tg_table_name, sum(d) from (
      select 1 as d from new_rows r where r.deleted_at is null
      union all
      select -1 from old_rows r where r.deleted_at is null
      union all
      select 0 from new_rows
    ) as touched having count(*) > 0;
  elsif exists (select from new_rows) then
    insert into list_change (list, delta, added, removed)
    select tg_table_name, jsonb_array_length(added) - jsonb_array_length(removed), added, removed
      from (select coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))), '[]') as added
              from new_rows r where r.deleted_at is null) a,
           (select coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))), '[]') as removed
              from old_rows r where r.deleted_at is null) d;
  end if;
  return null;
end $$;

create or replace function note_removed() returns trigger language plpgsql as $$
begin
  if tg_nargs = 0 or (select count(*) > 20 from old_rows) then
    insert into list_change (list, delta)
    select tg_table_name, -count(*) filter (where r.deleted_at is null) from old_rows r having count(*) > 0;
  else
    insert into list_change (list, delta, added, removed)
    select tg_table_name, -count(*) filter (where r.deleted_at is null), '[]',
           coalesce(jsonb_agg(list_place(tg_argv, to_jsonb(r))) filter (where r.deleted_at is null), '[]')
      from old_rows r having count(*) > 0;
  end if;
  return null;
end $$;

-- A changed device or POP moves no row of the list that filters by it.
create or replace function note_trucks_changed() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta, added, removed) values ('truck', 0, '[]', '[]');
  return null;
end $$;

create or replace function note_program_list() returns trigger language plpgsql as $$
begin
  insert into list_change (list, delta, added, removed) values ('client_program', 0, '[]', '[]');
  return null;
end $$;

-- Notes the changes of a table, with the places of its rows in the orders that its indexes serve.
create procedure note_changes(name text) language plpgsql as $$
declare
  columns text := (select coalesce(string_agg(quote_literal(c), ', '), '') from unnest(sort_columns(name::regclass)) c);
begin
  execute format('create or replace trigger note_inserted after insert on %I referencing new table as new_rows for each statement execute function note_inserted(%s)', name, columns);
  execute format('create or replace trigger note_updated after update on %I referencing old table as old_rows new table as new_rows for each statement execute function note_updated(%s)', name, columns);
  execute format('create or replace trigger note_removed after delete on %I referencing old table as old_rows for each statement execute function note_removed(%s)', name, columns);
end $$;

create or replace procedure keep_records(name text, secrets text[] default '{}') language plpgsql as $$
declare
  hidden text := (select coalesce(string_agg(quote_literal(s), ', '), '') from unnest(secrets) s);
begin
  execute format('create trigger next_version before update on %I for each row execute function next_version()', name);
  execute format('create trigger keep_history after insert or update on %I for each row execute function keep_history(%s)', name, hidden);
  call note_changes(name);
end $$;

do $$
declare
  noted text;
begin
  for noted in select tgrelid::regclass::text from pg_trigger where tgname = 'note_inserted' order by 1 loop
    call note_changes(noted);
  end loop;
end $$;
