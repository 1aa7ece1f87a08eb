-- Lists of accounts sort and filter by the day of the last bill, which accounts keep: the order of the list is the index's own, accounts
-- without a bill at its end.
create index billable_accounts_last_bill_sort on billable_accounts (client_id, last_bill_date, id);
create index supply_accounts_last_bill_sort on supply_accounts (client_id, last_bill_date, id);
-- What these served, the new ones serve.
drop index billable_accounts_last_bill;
drop index supply_accounts_last_bill;
