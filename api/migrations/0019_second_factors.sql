-- Second factors: passkeys, one code app for each user, recovery codes, and roles that need a factor.

create table passkey (
  uid uuid primary key default new_uid(),
  user_uid uuid not null references user_account (uid),
  name text not null,
  -- As the browser names it: base64url.
  credential_id text not null,
  public_key bytea not null,
  -- Authenticators that count report a higher number each time; the others always report 0.
  counter bigint not null check (counter >= 0),
  transports text[] not null default '{}',
  -- Whether the owner's other devices hold it too.
  is_synced boolean not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  constraint passkey_credential_once unique (credential_id)
);
create index passkey_of_user on passkey (user_uid);

-- The keys are encrypted with a key that is not in the database.
create table code_app (
  user_uid uuid primary key references user_account (uid),
  -- Null until a first code has proved that the app holds the key.
  secret bytea,
  added_at timestamptz,
  used_at timestamptz,
  -- The last time step whose code was accepted. That code and older ones are refused.
  last_step bigint not null default 0,
  -- A key that was shown and waits for its first code.
  new_secret bytea,
  new_secret_until timestamptz,
  constraint code_app_in_use check ((secret is null) = (added_at is null)),
  constraint code_app_set_up check ((new_secret is null) = (new_secret_until is null))
);

create table recovery_code (
  code_hash bytea primary key,
  user_uid uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index recovery_code_of_user on recovery_code (user_uid);

-- What a passkey has to sign. A challenge is deleted when it is answered, right or wrong.
create table passkey_challenge (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'signIn', 'secondFactor', 'proof')),
  -- The session, or the hash of the pending sign-in, that asked for it; null when signing in with a passkey alone.
  asked_by text,
  expires_at timestamptz not null,
  constraint challenge_has_asker check ((purpose = 'signIn') = (asked_by is null))
);
create index passkey_challenge_age on passkey_challenge (expires_at);

-- A sign-in whose password was right and whose second factor is still to come.
create table pending_sign_in (
  token_hash bytea primary key,
  user_uid uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index pending_sign_in_of_user on pending_sign_in (user_uid);
create index pending_sign_in_age on pending_sign_in (expires_at);

-- A password that was right is no longer worth anything once it was changed, or once the user is gone.
create function drop_pending_sign_ins() returns trigger language plpgsql as $$
begin
  delete from pending_sign_in where user_uid = new.uid;
  return null;
end $$;
create trigger drop_pending_sign_ins after update on user_account for each row
  when (old.password_hash is distinct from new.password_hash or old.email <> new.email or old.role <> new.role
        or (old.deleted_at is null and new.deleted_at is not null))
  execute function drop_pending_sign_ins();

alter table session
  -- Reaches only the calls that set up a second factor.
  add column is_limited boolean not null default false,
  -- When the user last proved who they are in this session.
  add column proved_at timestamptz not null default now();

-- Signing in was the last proof of sessions that are open already.
update session set proved_at = created_at;

create function has_second_factor(of_user uuid) returns boolean language sql stable as $$
  select exists (select from passkey where user_uid = of_user)
      or exists (select from code_app where user_uid = of_user and secret is not null)
$$;

create function role_needs_second_factor(of_role text) returns boolean language sql stable as $$
  select coalesce((select value @> to_jsonb(of_role) from setting where key = 'secondFactorRoles'), false)
$$;

-- Sessions that begin wait for a change of the required roles that is under way, and the change waits for them: each
-- session is either limited when it begins or found by the change. An identity provider asks for its own second factor.
create function limit_new_session() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('second_factor_roles'));
  new.is_limited := new.made_by <> 'singleSignOn'
    and (select role_needs_second_factor(role) from user_account where uid = new.user_uid)
    and not has_second_factor(new.user_uid);
  return new;
end $$;
create trigger limit_new_session before insert on session for each row execute function limit_new_session();

create function limit_open_sessions() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('second_factor_roles'));
  -- A user who has a factor proves it by signing in again, so that a limited session of theirs stays limited.
  update session s
     set is_limited = role_needs_second_factor(u.role)
    from user_account u
   where u.uid = s.user_uid and s.ended_at is null and s.expires_at > now() and s.made_by <> 'singleSignOn'
     and s.is_limited <> role_needs_second_factor(u.role) and not has_second_factor(u.uid);
  return null;
end $$;
create trigger limit_open_sessions after insert or update on setting for each row
  when (new.key = 'secondFactorRoles') execute function limit_open_sessions();

create function tell_session_limited() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_limited', new.uid::text);
  return null;
end $$;
create trigger tell_session_limited after update of is_limited on session for each row
  when (new.is_limited and not old.is_limited) execute function tell_session_limited();
