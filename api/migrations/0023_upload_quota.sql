-- Unclaimed files of one user are limited in number and bytes, whatever the store. Files that a record uses don't count,
-- and neither do those that the sweep has deleted.
create index stored_file_unclaimed_by on stored_file (announced_by) include (size_bytes) where claimed_at is null;

create function limit_unclaimed_files() returns trigger language plpgsql as $$
declare
  most_files constant int := 200;
  most_bytes constant bigint := 5 * 1024::bigint ^ 3;
  files bigint;
  bytes bigint;
begin
  -- Parallel uploads of one user are counted one after the other.
  perform pg_advisory_xact_lock(hashtext('stored_file'), hashtext(new.announced_by::text));
  select count(*), coalesce(sum(size_bytes), 0) into files, bytes
    from stored_file where announced_by = new.announced_by and claimed_at is null;
  if files >= most_files or bytes + new.size_bytes > most_bytes then
    raise exception using
      errcode = 'check_violation',
      constraint = 'stored_file_unclaimed_limit',
      message = format(
        'You have uploaded %s that no record uses yet, and at most %s files or %s GB are kept. Save the record they belong to, or try again tomorrow: unused files are deleted after a day.',
        case when files = 1 then '1 file' else files || ' files' end, most_files, most_bytes / 1024 ^ 3);
  end if;
  return new;
end $$;

create trigger limit_unclaimed before insert on stored_file
  for each row when (new.announced_by is not null and new.claimed_at is null)
  execute function limit_unclaimed_files();
