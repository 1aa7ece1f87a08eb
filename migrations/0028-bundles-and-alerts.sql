-- A bundle's state is its task's: what is said twice comes apart.
alter table bill_documents add column task_id bigint;
alter table bill_documents drop column state;
alter table bill_documents drop column rows_done;
alter table bill_documents drop column rows_total;
alter table bill_documents drop column error;

-- Estimated reads are few: the alert on three of them in a row starts here.
create index service_bills_estimated on service_bills (client_id, service_id, read_date) where estimated;

-- Bills that charged for lateness tell what lateness costs.
create index bills_late_fees on bills (client_id, date) include (vendor_id, billable_account_id, supply_account_id, late_fee, balance_forward, current_charges)
  where late_fee > 0 and superseded_by_id is null;

-- Active accounts whose last bill is long ago are found without a look at the others.
create index billable_accounts_last_bill on billable_accounts (client_id, last_bill_date) where active;
create index supply_accounts_last_bill on supply_accounts (client_id, last_bill_date) where active;
