-- Single sign-on and second factors: the provider's own factor counts, and a missing one is asked for here.

alter table session
  -- The identity provider has said that the person proved a second factor to it.
  add column has_provider_factor boolean not null default false;

alter table pending_sign_in
  -- The provider's identity that waits for the second factor, encrypted with the token of this row.
  add column sealed_sign_on bytea;

create or replace function limit_new_session() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('second_factor_roles'));
  new.is_limited := not new.has_provider_factor
    and (select role_needs_second_factor(role) from user_account where uid = new.user_uid)
    and not has_second_factor(new.user_uid);
  return new;
end $$;

create or replace function limit_open_sessions() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('second_factor_roles'));
  -- A user who has a factor proves it by signing in again, so that a limited session of theirs stays limited.
  update session s
     set is_limited = role_needs_second_factor(u.role)
    from user_account u
   where u.uid = s.user_uid and s.ended_at is null and s.expires_at > now() and not s.has_provider_factor
     and s.is_limited <> role_needs_second_factor(u.role) and not has_second_factor(u.uid);
  return null;
end $$;
