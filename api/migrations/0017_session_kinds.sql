-- How a session was made, and the reasons for which one can end.

alter table session
  add column made_by text not null default 'password'
    check (made_by in ('password', 'code', 'recoveryCode', 'passkey', 'singleSignOn')),
  drop constraint session_end_reason_check,
  add constraint session_end_reason_check check (end_reason in
    ('logout', 'passwordReset', 'forced', 'deleted', 'roleChanged', 'emailChanged', 'factorReset', 'expired', 'singleSignOnEnded'));
