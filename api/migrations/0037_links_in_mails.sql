-- The time of a link in a mail begins when the mail is sent: one that waited for the mail server still works.
-- Oldest node: 0024
alter table password_reset
  -- The mail that carries the link; null where it was handed over in another way.
  add column message_uid uuid references message (uid) on delete set null;
create unique index password_reset_of_message on password_reset (message_uid) where message_uid is not null;

alter table single_sign_on_confirmation
  add column message_uid uuid references message (uid) on delete set null;
create unique index single_sign_on_confirmation_of_message on single_sign_on_confirmation (message_uid)
  where message_uid is not null;
