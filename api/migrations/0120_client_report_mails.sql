-- Monthly reports of clients are mailed by the way of those of programs: a list of recipients, and a row for each that was sent, is that
-- of a program or of a client.
-- Oldest node: 0024

alter table report_recipient alter column program_uid drop not null,
  add column client_uid uuid references client (uid),
  drop constraint report_recipient_occasions_check,
  add constraint report_recipient_occasions_check check (occasions <@ array['weekly', 'end', 'published', 'monthly']),
  add constraint report_recipient_of_one check (num_nonnulls(program_uid, client_uid) = 1),
  add constraint report_recipient_of_client_once unique (client_uid, email);

-- Reports of a program are sent once as before; nodes of the version before name no constraint when they write.
alter table report_sent drop constraint report_sent_pkey,
  alter column program_uid drop not null,
  add column client_uid uuid references client (uid),
  drop constraint report_sent_occasion_check,
  add constraint report_sent_occasion_check check (occasion in ('weekly', 'end', 'published', 'monthly')),
  add constraint report_sent_of_one check (num_nonnulls(program_uid, client_uid) = 1),
  add constraint report_sent_once unique (program_uid, occasion, period),
  add constraint report_sent_of_client_once unique (client_uid, occasion, period);
