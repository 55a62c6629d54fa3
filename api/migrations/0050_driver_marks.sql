-- Shifts whose drivers declined or ask for another truck are counted all day long.
-- Oldest node: 0024

create index shift_answer_declined on shift_answer (shift_uid) where answer = 'declined';
create index truck_request_open on truck_request (shift_uid) where dismissed_at is null;

alter table user_account validate constraint user_account_language_check;
