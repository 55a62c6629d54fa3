-- The reason for approving artwork that fits no truck.
-- Oldest node: 0024

alter table artwork_set add column approval_reason text not null default '';

create or replace function withdraw_approval() returns trigger language plpgsql as $$
begin
  if (old.driver_side_artwork_uid, old.passenger_side_artwork_uid, old.rear_artwork_uid)
     is distinct from (new.driver_side_artwork_uid, new.passenger_side_artwork_uid, new.rear_artwork_uid) then
    new.status := 'draft';
    new.approved_hash := null;
    new.approved_by := null;
    new.approved_at := null;
    new.approval_reason := '';
  end if;
  return new;
end $$;
