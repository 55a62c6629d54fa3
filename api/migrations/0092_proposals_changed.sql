-- A proposal that is made, viewed, accepted or ended: open pages that show it ask again.
-- Oldest node: 0024

create trigger tell_added after insert on sales_proposal referencing new table as touched
  for each statement execute function tell_touched('proposals_changed');
create trigger tell_changed after update on sales_proposal referencing new table as touched
  for each statement execute function tell_touched('proposals_changed');
