-- Why the office hid a photo.
-- Oldest node: 0024

alter table pop_photo add column rejection text not null default '';
