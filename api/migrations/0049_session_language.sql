-- The language of the browser that signed in, for mails and notifications to drivers who have chosen none.
-- Oldest node: 0024

alter table session add column language text;
alter table session add constraint session_language_check check (language in ('en', 'es')) not valid;
comment on column session.language is 'What the browser asked for when it signed in; null if neither English nor Spanish.';

alter table user_account validate constraint user_account_language_check;
