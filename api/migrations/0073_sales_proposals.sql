-- Proposals: what a client is offered, frozen when it is sent, at a secret address, and accepted at most once.
-- Oldest node: 0024

create table sales_proposal (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  -- Counts the proposals of a program.
  number integer not null check (number > 0),
  title text not null check (title <> ''),
  -- What the client reads, as JSON text, byte for byte as it was sent.
  document text not null,
  sha256 text not null,
  -- A hash of what the program was then, to tell whether it changed since.
  program_sha256 text not null,
  -- The address is shown once and stored only as a hash.
  token_hash bytea not null,
  created_by uuid not null references user_account (uid),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid references user_account (uid),
  views integer not null default 0 check (views >= 0),
  last_viewed_at timestamptz,
  -- Who accepted it, as they wrote it themselves.
  accepted_at timestamptz,
  accepted_name text check (accepted_name <> ''),
  accepted_note text,
  constraint sales_proposal_number_once unique (program_uid, number),
  constraint sales_proposal_token_once unique (token_hash),
  constraint sales_proposal_hash check (sha256 = encode(sha256(convert_to(document, 'UTF8')), 'hex')),
  constraint sales_proposal_expires check (expires_at > created_at and expires_at <= created_at + interval '1 year 2 days'),
  constraint sales_proposal_end_has_author check ((ended_at is null) = (ended_by is null)),
  constraint sales_proposal_acceptance_is_whole check (
    (accepted_at is null) = (accepted_name is null) and (accepted_at is null) = (accepted_note is null)),
  constraint sales_proposal_accepted_in_time check (accepted_at < expires_at)
) with (fillfactor = 80);
-- As the versions of POP pages are kept.
alter table sales_proposal alter column document set storage external;

-- A proposal gets viewed, accepted and ended, nothing else: other words or another day need a new proposal.
create function keep_sales_proposal() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE'
     or (new.uid, new.program_uid, new.number, new.title, new.document, new.sha256, new.program_sha256, new.token_hash,
         new.created_by, new.created_at, new.expires_at)
        is distinct from (old.uid, old.program_uid, old.number, old.title, old.document, old.sha256, old.program_sha256,
         old.token_hash, old.created_by, old.created_at, old.expires_at)
     or (old.ended_at is not null and (new.ended_at, new.ended_by) is distinct from (old.ended_at, old.ended_by))
     or (new.accepted_at, new.accepted_name, new.accepted_note)
        is distinct from (old.accepted_at, old.accepted_name, old.accepted_note)
        and (old.accepted_at is not null or old.ended_at is not null or new.ended_at is not null)
  then
    raise exception using errcode = 'insufficient_privilege',
      message = 'a proposal is only ever viewed, accepted once while it is open, and ended';
  end if;
  return new;
end $$;
create trigger keep_sales_proposal before update or delete on sales_proposal
  for each row execute function keep_sales_proposal();

-- The history of the program tells when a proposal was sent, accepted and revoked.
create function keep_proposal_history() returns trigger language plpgsql as $$
declare
  word text := case
    when tg_op = 'INSERT' then 'Sent'
    when old.accepted_at is null and new.accepted_at is not null then 'Accepted by ' || new.accepted_name
    else 'Revoked' end;
begin
  insert into history (table_name, record_uid, action, actor_uid, changes)
  values ('client_program', new.program_uid, 'changed',
          case word when 'Sent' then new.created_by when 'Revoked' then new.ended_by end,
          jsonb_build_object('proposal', jsonb_build_array(null, new.number || ', ' || new.title || ': ' || word)));
  return null;
end $$;
create trigger keep_history after insert on sales_proposal for each row execute function keep_proposal_history();
create trigger keep_history_of_changes after update on sales_proposal for each row
  when (new.accepted_at is distinct from old.accepted_at or new.ended_at is distinct from old.ended_at)
  execute function keep_proposal_history();
