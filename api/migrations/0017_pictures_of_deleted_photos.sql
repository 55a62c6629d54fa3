-- What became of a photo's pictures: kept while it is there and for a while after it was deleted. Then they are removed,
-- or stay for good because a published version shows them.
alter table pop_photo add column pictures text not null default 'kept'
  check (pictures in ('kept', 'published', 'removed'));
create index pop_photo_to_sweep on pop_photo (deleted_at) where deleted_at is not null and pictures = 'kept';
create index pop_version_picture_by_key on pop_version_picture (key);

-- The sweep is nobody's change.
drop trigger keep_history on pop_photo;
create trigger keep_history after insert or update on pop_photo for each row
  execute function keep_history('grade', 'reason', 'distance_m', 'seconds_apart', 'position', 'blur', 'sizes', 'key',
                                'original_sha256', 'clock_time', 'pictures');
