-- Writes deletions and restorations of records into the audit log, with the name that the record had.
-- Oldest node: 0024

alter table audit_log add column record_table text, add column record_uid uuid;

-- The office reads deleted adjustments beside the others of a pay period.
create index pay_adjustment_deleted on pay_adjustment (local_date) where deleted_at is not null;

-- How people know a record, and what it belongs to, from its row.
create function describe_record(table_name text, r jsonb, out subject text, out detail text)
language plpgsql stable as $$
declare
  program text := (select 'Program ' || name from client_program where uid = (r ->> 'program_uid')::uuid);
  truck text := (select number from truck where uid = (r ->> 'truck_uid')::uuid);
  person text := (select name from user_account where uid = (r ->> 'driver_uid')::uuid);
  cents int := r ->> 'cents';
begin
  subject := case table_name
    when 'truck' then 'Truck ' || (r ->> 'number')
    when 'client_program' then 'Program ' || (r ->> 'name')
    when 'address_set' then 'SD address set ' || (r ->> 'name')
    when 'shift' then 'Shift of truck ' || truck || ' on ' || (r ->> 'local_date')
    when 'pop_photo' then 'Photo ' || (r ->> 'original_name')
    when 'pay_adjustment' then 'Pay adjustment of ' || case when cents < 0 then '-' else '' end
      || to_char(abs(cents) / 100.0, 'FM"$"999,990.00') || ' for ' || person
    when 'incident' then 'Incident ' || (r ->> 'title')
    else upper(left(table_name, 1)) || replace(substr(table_name, 2), '_', ' ') || ' ' || coalesce(r ->> 'name', '')
  end;
  detail := case table_name
    when 'client_program' then (select 'Client ' || name from client where uid = (r ->> 'client_uid')::uuid)
    when 'shift' then concat_ws(', ', program, 'driver ' || person)
    when 'pay_adjustment' then (r ->> 'local_date') || ': ' || (r ->> 'note')
    else program
  end;
  subject := coalesce(subject, '');
  detail := coalesce(detail, '');
end $$;

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
  -- The audit trail reads those of users and devices from the history, with all their changes of access.
  if done in ('deleted', 'restored') and tg_table_name not in ('user_account', 'device') then
    insert into audit_log (kind, actor_uid, key_uid, subject, detail, address, record_table, record_uid)
    select case done when 'deleted' then 'recordDeleted' else 'recordRestored' end, new.changed_by, acting_key(),
           left(d.subject, 2000), left(d.detail, 2000), coalesce(new.changed_from, ''), tg_table_name, new.uid
      from describe_record(tg_table_name, is_now) d;
  end if;
  return null;
end $$;

create or replace view audit_trail as
  select uid, at, kind, actor_uid, subject, detail, address, user_agent, request_id, key_uid, record_table, record_uid
    from audit_log
  union all
  select ('00000000-0000-8000-8000-' || lpad(to_hex(h.id), 12, '0'))::uuid, h.at, k.kind, h.actor_uid,
         coalesce(u.name, d.mac_address, g.name, p.starts_on || ' to ' || p.ends_on, ''),
         coalesce((select string_agg(concat(replace(key, 'shown_', ''), ': ', nullif(value ->> 0, '') || ' → ', value ->> 1), '; ')
                     from jsonb_each(h.changes) where key in ('role', 'modules', 'email', 'state', 'reason', 'shown_version')), ''),
         coalesce(h.address, ''), '', '', h.key_uid,
         case when k.kind in ('userDeleted', 'userRestored', 'deviceDeleted', 'deviceRestored') then h.table_name end,
         case when k.kind in ('userDeleted', 'userRestored', 'deviceDeleted', 'deviceRestored') then h.record_uid end
    from history h
    cross join lateral (select case h.table_name
      when 'user_account' then case
        when h.action = 'created' then 'userAdded'
        when h.action = 'deleted' then 'userDeleted'
        when h.action = 'restored' then 'userRestored'
        when h.changes ?| array['role', 'modules', 'email', 'client_uid'] then 'accessChanged' end
      when 'device' then case
        when h.action = 'deleted' then 'deviceDeleted'
        when h.action = 'restored' then 'deviceRestored'
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
