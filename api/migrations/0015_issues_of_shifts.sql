-- The details of a shift name what went wrong on it.
create index issue_of_shift on truck_issue (shift_uid) where deleted_at is null and shift_uid is not null;
