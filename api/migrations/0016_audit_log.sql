-- Who did what that a reviewer asks about. What changes a record stands in its history already, so only what leaves no
-- record of its own is written here: attempts to sign in, sessions ended, files taken out.
create table audit_log (
  uid uuid primary key default new_uid(),
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  actor_uid uuid references user_account (uid),
  -- Whom or what it was about, as it was called then.
  subject text not null default '',
  detail text not null default '',
  address text not null default '',
  user_agent text not null default '',
  request_id text not null default ''
);
create index audit_log_by_time on audit_log (at, uid);
create index history_of_access on history (at) where table_name in ('user_account', 'device', 'pay_period', 'pop');

-- Nobody rewrites what happened. Entries may go once they are older than the retention; history stays.
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_table_name = 'audit_log' and old.at < now() - interval '400 days' then return old; end if;
  raise exception using errcode = 'insufficient_privilege', message = format('%s is only ever added to', tg_table_name);
end $$;
create trigger only_added_to before update or delete on audit_log for each row execute function refuse_rewriting();
create trigger never_emptied before truncate on audit_log for each statement execute function refuse_rewriting();
create trigger only_added_to before update or delete on history for each row execute function refuse_rewriting();
create trigger never_emptied before truncate on history for each statement execute function refuse_rewriting();

-- Both together, as one list.
create view audit_trail as
  select uid, at, kind, actor_uid, subject, detail, address, user_agent, request_id from audit_log
  union all
  select ('00000000-0000-8000-8000-' || lpad(to_hex(h.id), 12, '0'))::uuid, h.at, k.kind, h.actor_uid,
         coalesce(u.name, d.mac_address, g.name, p.starts_on || ' to ' || p.ends_on, ''),
         coalesce((select string_agg(concat(replace(key, 'shown_', ''), ': ', nullif(value ->> 0, '') || ' → ', value ->> 1), '; ')
                     from jsonb_each(h.changes) where key in ('role', 'modules', 'email', 'state', 'reason', 'shown_version')), ''),
         coalesce(h.address, ''), '', ''
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
