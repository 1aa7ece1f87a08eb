-- What an account's bills say of the next one stands on the account, beside the day of the last: how far they answer, the days between two,
-- the days from a read to its bill, and what they ask for. src/server/last-bills.ts keeps it, so that what has not come is found without a
-- look at any bill.
alter table billable_accounts add column billed_until date, add column usual_days int, add column usual_wait int, add column usual_amount numeric(14,2);
alter table supply_accounts add column billed_until date, add column usual_days int, add column usual_wait int, add column usual_amount numeric(14,2);

update billable_accounts account set billed_until = told.billed_until, usual_days = told.usual_days, usual_wait = told.usual_wait, usual_amount = told.usual_amount
  from (
    select client_id, account_id, max(case when plain then read_date else date end) as billed_until,
      case when count(*) filter (where plain) >= 3 then percentile_disc(0.5) within group (order by read_date - previous_read_date) filter (where plain) end as usual_days,
      percentile_disc(0.5) within group (order by case when not plain then null when received_on - read_date between 0 and 60 then received_on - read_date
        when date - read_date between 0 and 60 then date - read_date end) as usual_wait,
      round(avg(amount_due) filter (where place <= 3), 2) as usual_amount
    from (
      select client_id, billable_account_id as account_id, date, previous_read_date, read_date, amount_due, (created_at at time zone 'America/New_York')::date as received_on,
        (previous_read_date < read_date and read_date - previous_read_date <= 400) is true as plain,
        row_number() over newest_first as place, first_value(date) over newest_first as newest
      from bills where billable_account_id is not null and superseded_by_id is null
      window newest_first as (partition by client_id, billable_account_id order by date desc, id desc)) bill
    where place <= 90 and date >= date_trunc('month', newest) - interval '18 months' group by client_id, account_id) told
  where account.client_id = told.client_id and account.id = told.account_id;

update supply_accounts account set billed_until = told.billed_until, usual_days = told.usual_days, usual_wait = told.usual_wait, usual_amount = told.usual_amount
  from (
    select client_id, account_id, max(case when plain then read_date else date end) as billed_until,
      case when count(*) filter (where plain) >= 3 then percentile_disc(0.5) within group (order by read_date - previous_read_date) filter (where plain) end as usual_days,
      percentile_disc(0.5) within group (order by case when not plain then null when received_on - read_date between 0 and 60 then received_on - read_date
        when date - read_date between 0 and 60 then date - read_date end) as usual_wait,
      round(avg(amount_due) filter (where place <= 3), 2) as usual_amount
    from (
      select client_id, supply_account_id as account_id, date, previous_read_date, read_date, amount_due, (created_at at time zone 'America/New_York')::date as received_on,
        (previous_read_date < read_date and read_date - previous_read_date <= 400) is true as plain,
        row_number() over newest_first as place, first_value(date) over newest_first as newest
      from bills where supply_account_id is not null and superseded_by_id is null
      window newest_first as (partition by client_id, supply_account_id order by date desc, id desc)) bill
    where place <= 90 and date >= date_trunc('month', newest) - interval '18 months' group by client_id, account_id) told
  where account.client_id = told.client_id and account.id = told.account_id;

-- The day on which the next bill should be here, for active accounts.
create index billable_accounts_next_bill on billable_accounts (client_id,
  (billed_until + coalesce(usual_days, case billing_period when 0 then 7 when 1 then 14 when 3 then 91 else billing_cycle end) + coalesce(usual_wait, 7))) where active;
create index billable_accounts_never_billed on billable_accounts (client_id, created_at) where active and last_bill_date is null;
create index supply_accounts_next_bill on supply_accounts (client_id,
  (billed_until + coalesce(usual_days, case billing_period when 0 then 7 when 1 then 14 when 3 then 91 else billing_cycle end) + coalesce(usual_wait, 7))) where active;
create index supply_accounts_never_billed on supply_accounts (client_id, created_at) where active and last_bill_date is null;

-- What is due is ranked without a look at the bills themselves.
drop index bills_unpaid;
create index bills_unpaid on bills (client_id, due_date, id)
  include (amount_due, vendor_id, facility_id, billable_account_id, supply_account_id, account_number, open_errors, open_blocking) where not paid and superseded_by_id is null;
