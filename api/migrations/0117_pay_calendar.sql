-- Overtime owed that is part of the total of a pay period is frozen with it. The pay calendar continues with the kind of period that was
-- approved last.
-- Oldest node: 0024

create table pay_overtime (
  period_uid uuid not null references pay_period (uid),
  driver_uid uuid not null references user_account (uid),
  -- The first day of the workweek, which ends in the period.
  week date not null,
  cents integer not null,
  line json not null,
  primary key (period_uid, driver_uid, week)
);
create index pay_overtime_by_week on pay_overtime (week);

insert into setting (key, value)
select s.key, s.value
  from (select starts_on, ends_on, ends_on - starts_on + 1 as days, extract(day from starts_on) as first,
               extract(day from ends_on + 1) as after_last
          from pay_period where state <> 'open' order by starts_on desc limit 1) p
 cross join lateral (values
   ('payCalendar', to_jsonb(case
      when p.days = 14 then 'everyTwoWeeks'
      when p.days = 7 then 'weekly'
      when p.first = 1 and p.after_last = 1 then 'monthly'
      when p.first = 1 and p.after_last = 16 or p.first = 16 and p.after_last = 1 then 'twiceAMonth' end)),
   ('payCalendarFrom', case when p.days in (7, 14) then to_jsonb(p.starts_on::text) end)) s (key, value)
 where s.value is not null and s.value <> 'null'::jsonb
on conflict (key) do nothing;
