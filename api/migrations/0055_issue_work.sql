-- Issues that staff raises by hand, assigns, snoozes and comments on.
-- Oldest node: 0024

alter table truck_issue drop constraint truck_issue_raised_by_check;
alter table truck_issue add constraint truck_issue_raised_by_check check (raised_by in ('server', 'driver', 'staff'));
-- An issue of staff names the user who raised it.
alter table truck_issue add constraint issue_of_staff_has_author check (raised_by <> 'staff' or reported_by is not null);

alter table truck_issue add column assignee_uid uuid references user_account (uid);
-- It needs no attention before this time, unless it happens again.
alter table truck_issue add column snoozed_until timestamptz;
alter table truck_issue add constraint issue_resolved_is_not_snoozed check (status <> 'resolved' or snoozed_until is null);
create index issue_of_assignee on truck_issue (assignee_uid) where assignee_uid is not null and deleted_at is null;

-- Only a user who may see issues is assigned to one that is not resolved. Reopening drops an assignee who may not any more.
create function keep_issue_assignee() returns trigger language plpgsql as $$
begin
  perform from user_account
    where uid = new.assignee_uid and deleted_at is null and role in ('admin', 'sales') and 'overview' = any(modules)
      for share;
  if found then return new; end if;
  if tg_op = 'UPDATE' and new.assignee_uid is not distinct from old.assignee_uid then
    new.assignee_uid := null;
    return new;
  end if;
  raise exception using errcode = 'check_violation', constraint = 'issue_assignee_sees_issues', table = 'truck_issue',
    message = 'Only a user who may see issues can be assigned to one.';
end $$;
create trigger keep_assignee before insert or update of assignee_uid, status on truck_issue
  for each row when (new.assignee_uid is not null and new.status <> 'resolved') execute function keep_issue_assignee();

-- A user who may not see issues any more leaves those that are not resolved.
create function leave_issues() returns trigger language plpgsql as $$
begin
  update truck_issue set assignee_uid = null, changed_by = new.changed_by, changed_from = new.changed_from
   where assignee_uid = new.uid and status <> 'resolved' and deleted_at is null;
  return null;
end $$;
create trigger leave_issues after update of role, modules, deleted_at on user_account
  for each row when (new.deleted_at is not null or new.role not in ('admin', 'sales') or not ('overview' = any(new.modules)))
  execute function leave_issues();

-- What staff says to each other about an issue. Comments are never changed.
create table issue_comment (
  uid uuid primary key default new_uid(),
  issue_uid uuid not null references truck_issue (uid),
  text text not null check (text <> ''),
  at timestamptz not null default now(),
  changed_by uuid not null references user_account (uid),
  changed_from text,
  constraint issue_comment_of_one_issue unique (uid, issue_uid)
);
create index issue_comment_of_issue on issue_comment (issue_uid, at, uid);

-- Photos of comments, and photos of an issue after its first one, which stands in the issue itself.
create table issue_photo (
  file_uid uuid primary key references stored_file (uid),
  issue_uid uuid not null references truck_issue (uid),
  comment_uid uuid,
  position smallint not null check (position >= 0),
  constraint issue_photo_of_comment foreign key (comment_uid, issue_uid) references issue_comment (uid, issue_uid)
);
create index issue_photo_of_issue on issue_photo (issue_uid);

-- The history of an issue holds its comments.
create function keep_comment_history() returns trigger language plpgsql as $$
begin
  insert into history (table_name, record_uid, action, actor_uid, address, changes, key_uid)
  values ('truck_issue', new.issue_uid, 'changed', new.changed_by, new.changed_from,
          jsonb_build_object('comment', jsonb_build_array(null, new.text)), acting_key());
  return null;
end $$;
create trigger keep_history after insert on issue_comment for each row execute function keep_comment_history();
create trigger tell_added after insert on issue_comment referencing new table as touched
  for each statement execute function tell_touched('issues_changed');
