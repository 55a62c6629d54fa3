-- Links to the public page of a campaign: for people without an account, until a day, revocable at once.
-- Oldest node: 0024

create table campaign_link (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  -- For staff: to whom it was given.
  label text not null default '',
  -- The address is shown once and stored only as a hash.
  token_hash bytea not null,
  -- How far positions on the page lag behind.
  delay_minutes smallint not null default 15 check (delay_minutes between 5 and 1440),
  created_by uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid references user_account (uid),
  views integer not null default 0 check (views >= 0),
  last_viewed_at timestamptz,
  constraint campaign_link_token_once unique (token_hash),
  constraint campaign_link_expires check (expires_at > created_at and expires_at <= created_at + interval '1 year 1 day'),
  constraint campaign_link_end_has_author check ((ended_at is null) = (ended_by is null))
) with (fillfactor = 80);
create index campaign_link_of_program on campaign_link (program_uid, created_at desc);

-- A link gets viewed and ended, nothing else: a later end or a shorter delay needs a new link.
create function keep_campaign_link() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
     or (new.uid, new.program_uid, new.label, new.token_hash, new.delay_minutes, new.created_by, new.created_at, new.expires_at)
        is distinct from (old.uid, old.program_uid, old.label, old.token_hash, old.delay_minutes, old.created_by,
         old.created_at, old.expires_at)
     or (old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by))
  then
    raise exception using errcode = 'insufficient_privilege', message = 'a campaign link is only ever viewed and ended';
  end if;
  return new;
end $$;
create trigger keep_campaign_link before update or delete on campaign_link for each row execute function keep_campaign_link();
