-- How each job ended last, on whichever node.
-- Oldest node: 0024

create table job_run (
  job text primary key,
  ended_at timestamptz not null,
  -- `more`: its time was up, and it goes on.
  outcome text not null check (outcome in ('done', 'more', 'failed')),
  seconds double precision not null check (seconds >= 0)
);
