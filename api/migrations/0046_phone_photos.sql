-- Photos whose time and place a driver's phone recorded beside the picture, because phone browsers strip camera data.
-- Oldest node: 0024

alter table pop_photo drop constraint pop_photo_time_source_check, drop constraint pop_photo_place_source_check;
alter table pop_photo
  add column side text,
  add column accuracy_m double precision,
  add column phone_taken_at timestamptz,
  add constraint pop_photo_time_source_check check (time_source in ('exif', 'phone', 'typed')) not valid,
  add constraint pop_photo_place_source_check check (place_source in ('exif', 'phone', 'typed')) not valid,
  add constraint pop_photo_side_check check (side in ('driverSide', 'passengerSide', 'rear')) not valid,
  add constraint photo_accuracy_is_of_a_phone check (accuracy_m is null or (accuracy_m >= 0 and place_source = 'phone')) not valid;
comment on column pop_photo.side is 'Which side of the truck the photo shows, where the sender said so.';
comment on column pop_photo.accuracy_m is 'How exactly the phone knew its place: a radius.';
comment on column pop_photo.phone_taken_at is 'By the phone''s own clock, which may be wrong; taken_at is the corrected time.';
