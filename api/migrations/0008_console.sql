-- Reports of browser errors, and the audit trail over all domains.

create table web_log (
  uid uuid primary key default new_uid(),
  at timestamptz not null default now(),
  error_origin text not null,
  -- json, not jsonb, which refuses some characters that browsers send.
  error json,
  meta json,
  user_uid uuid references user_account (uid),
  session_uid uuid references session (uid) on delete set null,
  address text,
  user_agent text
);
create index web_log_age on web_log (at);
create index web_log_of_address on web_log (address, at);

create index history_of_access on history (at) where table_name in ('user_account', 'device', 'pay_period', 'pop');

-- The audit log and the security-related history as one list.
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
