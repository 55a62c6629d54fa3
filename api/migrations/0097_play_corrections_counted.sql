-- Corrections of plays know whether the play counts, and when that changed, so that new, corrected and withdrawn plays are told apart.
-- Oldest node: 0024

-- All null or empty where a node of an earlier version noted the correction.
alter table play_correction
  add column received_at timestamptz,
  add column is_counted boolean,
  -- When the play began or ceased to count for the program, in their order.
  add column flips timestamptz[] not null default '{}';
