-- When backups were made and checked, and room in which people can sign in while the disk of the database is full.
-- Oldest node: 0024

create table backup_run (
  kind text primary key check (kind in ('backup', 'check')),
  -- When one last ended well.
  done_at timestamptz not null,
  folder text not null,
  -- Whether the backup holds the secret key.
  has_key boolean not null
);

-- Does what sign-ins do, and takes it back: the tables and indexes that they write have grown, and vacuum makes free room of it.
create function keep_room_for_sign_ins(sign_ins integer) returns void language plpgsql as $$
declare
  users uuid[] := array(select uid from user_account order by seen_at, uid limit 100);
  someone uuid := users[1];
begin
  insert into throttle (key, failures, blocked_until)
    select 'room ' || gen_random_uuid(), 1, now() from generate_series(1, sign_ins);
  insert into pending_sign_in (token_hash, user_uid, expires_at)
    select sha256(gen_random_uuid()::text::bytea), someone, now()
      from generate_series(1, sign_ins) where someone is not null;
  insert into passkey_challenge (challenge_hash, purpose, expires_at)
    select sha256(gen_random_uuid()::text::bytea), 'signIn', now() from generate_series(1, sign_ins);
  insert into single_sign_on_flow (secret_hash, next_path, expires_at)
    select sha256(gen_random_uuid()::text::bytea), '/', now() from generate_series(1, sign_ins);
  insert into known_network (owner_uid, network)
    select gen_random_uuid(), 'room' from generate_series(1, sign_ins);
  -- Each is later than the one before, so that each is noted at the user.
  insert into session (token_hash, user_uid, client_type, address, user_agent, seen_at, expires_at)
    select sha256(gen_random_uuid()::text::bytea), users[1 + n % cardinality(users)], 'web', '', repeat('x', 150),
           now() + n * interval '1 ms', now()
      from generate_series(1, sign_ins) n where someone is not null;
  insert into single_sign_on_session (session_uid, identity_uid, sealed_id_token)
    select s.uid, i.uid, repeat('x', 1000)::bytea
      from (select uid from session where created_at = now() limit sign_ins) s,
           (select uid from single_sign_on_identity limit 1) i
    on conflict do nothing;
  insert into audit_log (kind, actor_uid, subject, address, user_agent, request_id)
    select 'signedIn', someone, repeat('x', 40), '', repeat('x', 150), gen_random_uuid()
      from generate_series(1, sign_ins);
  update code_app set last_step = last_step;
  update passkey set counter = counter;
  update recovery_code set used_at = used_at;
  raise exception sqlstate 'ROOMY';
exception when sqlstate 'ROOMY' then
  null;
end $$;

-- Free pages at the end of a table are given back to the disk otherwise.
alter table throttle set (vacuum_truncate = off);
alter table pending_sign_in set (vacuum_truncate = off);
alter table passkey_challenge set (vacuum_truncate = off);
alter table single_sign_on_flow set (vacuum_truncate = off);
alter table single_sign_on_session set (vacuum_truncate = off);
alter table known_network set (vacuum_truncate = off);
alter table session set (vacuum_truncate = off);
alter table user_account set (vacuum_truncate = off);
alter table list_change set (vacuum_truncate = off);
alter table code_app set (vacuum_truncate = off);
alter table passkey set (vacuum_truncate = off);
alter table recovery_code set (vacuum_truncate = off);
-- What was taken back is vacuumed however long the log is.
alter table audit_log set (vacuum_truncate = off, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 400);
