-- A bill of a subaccount links itself to the bill of its group account. Where somebody has said which one it belongs to, or that it belongs
-- to none, no later save links it otherwise. What is linked so far, people have linked.
alter table bills add column group_bill_chosen boolean not null default false;

update bills set group_bill_chosen = true where group_bill_id is not null;

-- A bill that is carried by another one owes nothing, so lists of what is unpaid leave it out.
drop index bills_unpaid;
create index bills_unpaid on bills (client_id, due_date, id)
  include (amount_due, vendor_id, facility_id, billable_account_id, supply_account_id, account_number, open_errors, open_blocking, group_bill_id, finalized)
  where not paid and superseded_by_id is null;
