-- Acts on the board, with the shifts as they were before, so that each act can be undone.
-- Oldest node: 0024

create table shift_act (
  uid uuid primary key default new_uid(),
  kind text not null check (kind in ('move', 'copy', 'driver', 'cancel', 'delete')),
  at timestamptz not null default now(),
  by_uid uuid not null references user_account (uid),
  -- Each shift with its version after the act and its row before it; without a row where the act added the shift.
  states jsonb not null check (jsonb_typeof(states) = 'array' and jsonb_array_length(states) > 0),
  undone_at timestamptz
);
create index shift_act_by_time on shift_act (at);
