-- Users, their sessions, and what signing in needs.

create table user_account (
  uid uuid primary key default new_uid(),
  email citext not null,
  name text not null,
  role text not null check (role in ('admin', 'driver', 'sales', 'client')),
  modules text[] not null check (modules <@ array['overview', 'clients', 'schedule', 'pop', 'trucks', 'users', 'payroll',
                                                  'dailySchedule', 'userSchedule', 'programByClient']),
  -- Null until the user has set one by the link in a mail.
  password_hash text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by uuid references user_account (uid),
  changed_from text,
  constraint user_email_once unique (email)
);
call keep_records('user_account', array['password_hash']);

-- A token names a row here; only its hash is kept.
create table session (
  uid uuid primary key default new_uid(),
  token_hash bytea not null,
  user_uid uuid not null references user_account (uid),
  client_type text not null,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- Moves on with use, up to seven days after signing in.
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logout', 'passwordReset', 'forced', 'deleted', 'roleChanged')),
  constraint session_token_once unique (token_hash),
  constraint session_end_has_reason check ((ended_at is null) = (end_reason is null))
);
create index session_of_user on session (user_uid) where ended_at is null;
create index session_age on session (expires_at);

-- Every node hears of an ended session when the transaction that ended it commits.
create function tell_session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', new.uid::text);
  return null;
end $$;
create trigger tell_session_ended after update of ended_at on session for each row
  when (old.ended_at is null and new.ended_at is not null) execute function tell_session_ended();

-- A deleted user or one with another role has no session left, whoever wrote it.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  update session
     set ended_at = now(), end_reason = case when new.deleted_at is not null then 'deleted' else 'roleChanged' end
   where user_uid = new.uid and ended_at is null;
  return null;
end $$;
create trigger end_sessions_of_user after update on user_account for each row
  when ((old.deleted_at is null and new.deleted_at is not null) or old.role <> new.role)
  execute function end_sessions_of_user();

create table password_reset (
  token_hash bytea primary key,
  user_uid uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_reset_of_user on password_reset (user_uid);
create index password_reset_age on password_reset (expires_at);

-- Failed attempts by account and by address, on every node the same.
create table throttle (
  key text primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  last_at timestamptz not null default now()
);

create table web_log (
  uid uuid primary key default new_uid(),
  at timestamptz not null default now(),
  error_origin text not null,
  -- json, not jsonb: a report is kept as it came, also with characters that jsonb refuses.
  error json,
  meta json,
  user_uid uuid references user_account (uid),
  session_uid uuid references session (uid) on delete set null,
  address text,
  user_agent text
);
create index web_log_age on web_log (at);
create index web_log_of_address on web_log (address, at);
