-- Reports of programs by mail: who gets them, and which were sent.
-- Oldest node: 0024

create table report_recipient (
  uid uuid primary key default new_uid(),
  program_uid uuid not null references client_program (uid),
  email citext not null check (email <> ''),
  -- None for an address that was removed after it unsubscribed: it stays unsubscribed if it is named again.
  occasions text[] not null check (occasions <@ array['weekly', 'end', 'published']),
  unsubscribed_at timestamptz,
  changed_at timestamptz not null default now(),
  changed_by uuid references user_account (uid),
  constraint report_recipient_once unique (program_uid, email)
);

-- One row for each report that was handed to the outbox: none is sent twice, whatever arrives later.
create table report_sent (
  program_uid uuid not null references client_program (uid),
  occasion text not null check (occasion in ('weekly', 'end', 'published')),
  period text not null,
  sent_at timestamptz not null default now(),
  recipients int not null check (recipients > 0),
  primary key (program_uid, occasion, period)
);
