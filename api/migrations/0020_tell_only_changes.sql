-- A statement that finds nothing to change is no news: every open page reads photos or issues again for each word.
create function tell_touched() returns trigger language plpgsql as $$
begin
  if exists (select from touched) then
    perform pg_notify(tg_argv[0], '');
  end if;
  return null;
end $$;

drop trigger tell_changed on pop_photo;
drop function tell_changed_photos();
create trigger tell_added after insert on pop_photo referencing new table as touched
  for each statement execute function tell_touched('photos_changed');
create trigger tell_changed after update on pop_photo referencing new table as touched
  for each statement execute function tell_touched('photos_changed');

drop trigger tell_changed on truck_issue;
drop function tell_changed_issues();
create trigger tell_added after insert on truck_issue referencing new table as touched
  for each statement execute function tell_touched('issues_changed');
create trigger tell_changed after update on truck_issue referencing new table as touched
  for each statement execute function tell_touched('issues_changed');
