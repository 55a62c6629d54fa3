-- From the schema of version 0.1.0, after its twentieth migration, to the schema after 0008_console. That version had twenty
-- migrations of its own, which these eight files replace; apart from this the two catalogs are the same.
alter table look rename to job_watermark;
alter table job_watermark rename column until to done_until;
alter index look_pkey rename to job_watermark_pkey;

-- PostgreSQL names what is not null from version 18 on.
do $$ begin
  if exists (select from pg_constraint where conrelid = 'job_watermark'::regclass and conname = 'look_job_not_null') then
    alter table job_watermark rename constraint look_job_not_null to job_watermark_job_not_null;
    alter table job_watermark rename constraint look_until_not_null to job_watermark_done_until_not_null;
  end if;
end $$;

-- The lock of that version's migrator.
drop table if exists kysely_migration_lock;

-- The same with the words of 0002_accounts.
create or replace function note_seen() returns trigger language plpgsql as $$
begin
  -- An edit of the user may hold the row and wait for this session: skip it, the next call notes the activity.
  update user_account set seen_at = new.seen_at
   where uid = (select uid from user_account where uid = new.user_uid and seen_at < new.seen_at
                   for no key update skip locked);
  return null;
end $$;
