-- API keys: programs that call the API in the name of the admin who made the key.

create table api_key (
  uid uuid primary key default new_uid(),
  name text not null check (name <> ''),
  -- The key itself is shown once and stored only as a hash; its first characters tell people which one it is.
  token_hash bytea not null,
  token_start text not null,
  modules text[] not null check (cardinality(modules) > 0),
  access text not null check (access in ('read', 'write')),
  -- Null reaches every client.
  client_uid uuid references client (uid),
  created_by uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_address text,
  ended_at timestamptz,
  -- Null where the system ended it.
  ended_by uuid references user_account (uid),
  end_reason text check (end_reason in ('ended', 'makerDeleted', 'makerLostAccess', 'clientDeleted')),
  constraint api_key_token_once unique (token_hash),
  constraint api_key_expires check (expires_at > created_at and expires_at <= created_at + interval '1 year'),
  constraint api_key_of_client_reads check (client_uid is null or access = 'read'),
  constraint api_key_end_has_reason check ((ended_at is null) = (end_reason is null))
);
create index api_key_of_maker on api_key (created_by);
create index api_key_of_client on api_key (client_uid) where client_uid is not null;

-- A key gets used and ended, nothing else: wider rights or a later end need a new key.
create function keep_api_key() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
     or (new.uid, new.name, new.token_hash, new.token_start, new.modules, new.access, new.client_uid, new.created_by,
         new.created_at, new.expires_at)
        is distinct from (old.uid, old.name, old.token_hash, old.token_start, old.modules, old.access, old.client_uid,
         old.created_by, old.created_at, old.expires_at)
     or (old.ended_at is not null
         and (new.ended_at, new.ended_by, new.end_reason) is distinct from (old.ended_at, old.ended_by, old.end_reason))
  then
    raise exception using errcode = 'insufficient_privilege', message = 'an API key is only ever used and ended';
  end if;
  return new;
end $$;
create trigger keep_api_key before update or delete on api_key for each row execute function keep_api_key();

-- A key never outlives the rights of its maker, in whatever way they are taken.
create function end_api_keys_of_maker() returns trigger language plpgsql as $$
begin
  update api_key
     set ended_at = now(), ended_by = new.changed_by,
         end_reason = case when new.deleted_at is not null then 'makerDeleted' else 'makerLostAccess' end
   where created_by = new.uid and ended_at is null
     and (new.deleted_at is not null or new.role <> 'admin' or not new.modules @> array['users']
          or not new.modules @> api_key.modules);
  return null;
end $$;
create trigger end_api_keys_of_maker after update on user_account for each row
  when (old.deleted_at is distinct from new.deleted_at or old.role <> new.role or old.modules <> new.modules)
  execute function end_api_keys_of_maker();

create function end_api_keys_of_client() returns trigger language plpgsql as $$
begin
  update api_key set ended_at = now(), ended_by = new.changed_by, end_reason = 'clientDeleted'
   where client_uid = new.uid and ended_at is null;
  return null;
end $$;
create trigger end_api_keys_of_client after update on client for each row
  when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_api_keys_of_client();

-- History and audit log name the key beside its maker. A call by a key sets it for its transaction.
alter table history add column key_uid uuid;
alter table audit_log add column key_uid uuid references api_key (uid);

create function acting_key() returns uuid stable language sql as $$
  select nullif(current_setting('roadshow.api_key', true), '')::uuid
$$;

create or replace function keep_history() returns trigger language plpgsql as $$
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
    insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
    values (tg_table_name, new.uid, done, new.changed_by, new.changed_from, changes, acting_key());
  end if;
  return null;
end $$;

create or replace function keep_child_history() returns trigger language plpgsql as $$
declare
  hidden text[] := array['uid', tg_argv[1], 'search_text', 'position'];
  was jsonb := case tg_op when 'INSERT' then null else to_jsonb(old) - hidden end;
  is_now jsonb := case tg_op when 'DELETE' then null else to_jsonb(new) - hidden end;
  parent uuid := (coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[1])::uuid;
begin
  if was is distinct from is_now then
    execute format('insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
                    select %L, uid, ''changed'', changed_by, changed_from, $1, acting_key() from %I where uid = $2',
                   tg_argv[0], tg_argv[0])
      using jsonb_build_object(tg_argv[2], jsonb_build_array(was, is_now)), parent;
  end if;
  return null;
end $$;

create or replace view audit_trail as
  select uid, at, kind, actor_uid, subject, detail, address, user_agent, request_id, key_uid from audit_log
  union all
  select ('00000000-0000-8000-8000-' || lpad(to_hex(h.id), 12, '0'))::uuid, h.at, k.kind, h.actor_uid,
         coalesce(u.name, d.mac_address, g.name, p.starts_on || ' to ' || p.ends_on, ''),
         coalesce((select string_agg(concat(replace(key, 'shown_', ''), ': ', nullif(value ->> 0, '') || ' → ', value ->> 1), '; ')
                     from jsonb_each(h.changes) where key in ('role', 'modules', 'email', 'state', 'reason', 'shown_version')), ''),
         coalesce(h.address, ''), '', '', h.key_uid
    from history h
    cross join lateral (select case h.table_name
      when 'user_account' then case
        when h.action = 'created' then 'userAdded'
        when h.action = 'deleted' then 'userDeleted'
        when h.action = 'restored' then 'userRestored'
        when h.changes ?| array['role', 'modules', 'email', 'client_uid'] then 'accessChanged' end
      when 'device' then case
        when h.action = 'deleted' then 'deviceDeleted'
        when h.changes -> 'paired_at' ->> 1 is not null then 'devicePaired'
        when h.changes -> 'revoked_at' ->> 1 is not null then 'deviceRevoked'
        when h.changes -> 'code_expires_at' ->> 1 is not null then 'deviceCode' end
      when 'pay_period' then case when h.changes ? 'state' then 'payPeriodMoved' end
      when 'pop' then case
        when h.changes -> 'shown_version' ->> 1 is not null then 'popPublished'
        when h.changes ? 'shown_version' then 'popWithdrawn' end
      end as kind) k
    left join user_account u on h.table_name = 'user_account' and u.uid = h.record_uid
    left join device d on h.table_name = 'device' and d.uid = h.record_uid
    left join client_program g on h.table_name = 'pop' and g.uid = h.record_uid
    left join pay_period p on h.table_name = 'pay_period' and p.uid = h.record_uid
   where h.table_name in ('user_account', 'device', 'pay_period', 'pop') and k.kind is not null;
