-- Every number that a player used ends as stored, duplicate, rejected or missing, and a jump of its counter is a question.
-- Oldest node: 0024

alter table play_sequence
  -- Numbers under which only plays came that are stored under another number.
  add column duplicates int8multirange not null default '{}',
  -- Rejected rows whose number had a row already: they count beside their number.
  add column reused bigint not null default 0,
  -- What people answered about jumps: numbers that the counter was set past, and numbers that were lost.
  add column skipped int8multirange not null default '{}',
  add column lost int8multirange not null default '{}';

-- Several rows of one number can be rejected, each once. Nodes of earlier versions list one, without its id.
alter table play_rejection
  add column play_id text not null default '',
  add column is_duplicate boolean not null default false;
alter table play_rejection drop constraint play_rejection_pkey;
alter table play_rejection add constraint play_rejection_pkey primary key (device_uid, sequence, play_id);

-- Runs of numbers below the highest one under which nothing came. A play that is known by another number shows that
-- nothing is lost there: its own number is not the highest.
create function number_gaps(q play_sequence) returns int8multirange language sql immutable as $$
  select int8multirange(int8range(1, coalesce(upper(q.received + q.rejected), 1)))
         - q.received - q.rejected - q.duplicates - q.skipped
$$;

-- A gap as large as this is a question to a person, until someone answers that its numbers are missing.
create function is_open_jump(gap int8range, lost int8multirange) returns boolean language sql immutable as $$
  select upper(gap) - lower(gap) > 10000 and not gap <@ lost
$$;

create function open_jumps(q play_sequence) returns int8multirange language sql immutable as $$
  select coalesce((select range_agg(g) from unnest(number_gaps(q)) g where is_open_jump(g, q.lost)), '{}')
$$;

-- The gaps of all players, each with the number after it, by which `play_after_hole` knows its truck and time.
create view play_gap as
  select q.device_uid, lower(g) as first, upper(g) as next, is_open_jump(g, q.lost) as is_jump
    from play_sequence q cross join lateral unnest(number_gaps(q)) g;

-- Forgotten gaps count as missing. Jumps that no one has answered by then are forgotten as numbers that were skipped.
create or replace function note_sequence() returns trigger language plpgsql as $$
declare
  until bigint := forget_gaps_until(new.received + new.rejected);
  gaps int8multirange;
  jumps int8multirange;
begin
  if until is not null then
    jumps := open_jumps(new) * int8multirange(int8range(1, until));
    gaps := number_gaps(new) * int8multirange(int8range(1, until)) - jumps;
    new.forgotten := new.forgotten + numbers_in(gaps);
    new.forgotten_until := until;
    new.received := new.received + gaps;
    new.skipped := new.skipped + jumps;
  end if;
  return new;
end $$;

-- Rows under a used id were listed as rejected.
update play_rejection set is_duplicate = true where reason = 'Another play has this id.';
update play_sequence q
   set duplicates = d.numbers, rejected = q.rejected - d.numbers
  from (select r.device_uid, range_agg(int8range(r.sequence, r.sequence + 1)) as numbers
          from play_rejection r where r.is_duplicate group by r.device_uid) d
 where d.device_uid = q.device_uid;

alter table truck_issue drop constraint truck_issue_kind_check;
alter table truck_issue add constraint truck_issue_kind_check
  check (kind in ('noGps', 'noPlays', 'outsideMarket', 'playerOffline', 'counterJump', 'mechanical', 'screen', 'accident', 'other'));
