-- Single sign-on by OpenID Connect: who a company's identity provider says a user is.

create table single_sign_on_identity (
  uid uuid primary key default new_uid(),
  -- The provider, and its own name for the person, which it never gives to another one.
  issuer text not null,
  subject text not null,
  user_uid uuid not null references user_account (uid),
  -- The address by which the account was found.
  email citext not null,
  -- The provider's claim has given the role: when the claim ends, so does the access.
  role_from_claim boolean not null default false,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  constraint single_sign_on_subject_once unique (issuer, subject)
);
create index single_sign_on_identity_of_user on single_sign_on_identity (user_uid);

-- A sign-in under way at the provider. Its row is deleted when the browser comes back, so it works once.
-- State, nonce and PKCE verifier follow from the secret, which only the browser's cookie holds.
create table single_sign_on_flow (
  secret_hash bytea primary key,
  next_path text not null,
  expires_at timestamptz not null
);
create index single_sign_on_flow_age on single_sign_on_flow (expires_at);

-- A provider's identity that waits for the consent of the account's owner, in the browser that began the sign-in.
create table single_sign_on_confirmation (
  secret_hash bytea primary key,
  user_uid uuid not null references user_account (uid),
  -- The account's address at that time; a changed one ends the confirmation.
  email citext not null,
  next_path text not null,
  -- The identity, encrypted with the browser's secret.
  sealed_identity bytea not null,
  mail_token_hash bytea,
  expires_at timestamptz not null
);
create index single_sign_on_confirmation_of_user on single_sign_on_confirmation (user_uid);
create index single_sign_on_confirmation_age on single_sign_on_confirmation (expires_at);

-- What a session needs in order to end together with the provider's.
create table single_sign_on_session (
  session_uid uuid primary key references session (uid) on delete cascade,
  identity_uid uuid not null references single_sign_on_identity (uid) on delete cascade,
  -- The provider's id of its own session.
  sid text,
  -- Encrypted with the session's token, which only the browser holds; sent to the provider at sign-out.
  sealed_id_token bytea not null
);
create index single_sign_on_session_of_identity on single_sign_on_session (identity_uid);

-- Logout tokens that were accepted; each works once.
create table single_sign_on_logout (
  token_id_hash bytea primary key,
  expires_at timestamptz not null
);

-- An identity that is taken away takes its sessions along.
create function end_sessions_of_identity() returns trigger language plpgsql as $$
begin
  update session s
     set ended_at = now(), end_reason = 'singleSignOnEnded'
    from single_sign_on_session o
   where o.identity_uid = old.uid and s.uid = o.session_uid and s.ended_at is null;
  return old;
end $$;
create trigger end_sessions_of_identity before delete on single_sign_on_identity for each row
  execute function end_sessions_of_identity();

-- An identity was linked because of the account's address. Another address needs another consent.
create function unlink_identities() returns trigger language plpgsql as $$
begin
  delete from single_sign_on_identity where user_uid = new.uid;
  delete from single_sign_on_confirmation where user_uid = new.uid;
  return null;
end $$;
create trigger unlink_identities after update on user_account for each row
  when (old.email <> new.email) execute function unlink_identities();
