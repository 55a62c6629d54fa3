-- Saves of the shift form and of uploaded files can be undone like acts on the board.
-- Oldest node: 0024

alter table shift_act drop constraint shift_act_kind_check;
alter table shift_act add constraint shift_act_kind_check
  check (kind in ('move', 'copy', 'driver', 'cancel', 'delete', 'save'));
