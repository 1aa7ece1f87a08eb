-- What the advanced search needs: the day of each account's last bill, numbers as people type them, and one row shape for its export.

-- The newest date among an account's bills that no other bill replaces; whoever makes or deletes bills keeps it right in the
-- same transaction (src/server/last-bills.ts). It has no index, so that a new bill leaves the account's many indexes alone.
alter table billable_accounts add column last_bill_date date;
alter table supply_accounts add column last_bill_date date;

update billable_accounts account set last_bill_date = newest.date
  from (select client_id, billable_account_id, max(date) as date from bills
    where superseded_by_id is null and billable_account_id is not null group by client_id, billable_account_id) newest
  where account.client_id = newest.client_id and account.id = newest.billable_account_id;

update supply_accounts account set last_bill_date = newest.date
  from (select client_id, supply_account_id, max(date) as date from bills
    where superseded_by_id is null and supply_account_id is not null group by client_id, supply_account_id) newest
  where account.client_id = newest.client_id and account.id = newest.supply_account_id;

-- Room on each page for the new version of a row whose last bill has changed.
alter table billable_accounts set (fillfactor = 90);
alter table supply_accounts set (fillfactor = 90);

-- People leave out the spaces and dashes that bills print, or put them in.
create index billable_accounts_plain_number_trigram on billable_accounts using gin (translate(account_number, ' -', '') gin_trgm_ops);
create index supply_accounts_plain_number_trigram on supply_accounts using gin (translate(account_number, ' -', '') gin_trgm_ops);
create index services_plain_meter_number_trigram on services using gin (translate(meter_number, ' -', '') gin_trgm_ops);
create index account_aliases_plain_trigram on account_aliases using gin (translate(alias, ' -', '') gin_trgm_ops);

create index billable_accounts_street_trigram on billable_accounts using gin ((street_address_1 || ' ' || coalesce(street_address_2, '')) gin_trgm_ops);
create index supply_accounts_street_trigram on supply_accounts using gin ((street_address_1 || ' ' || coalesce(street_address_2, '')) gin_trgm_ops);

create view searched_accounts as
  select client_id, id, 'BillableAccount' as account_type, id as billable_account_id, null::bigint as supply_account_id, facility_id, vendor_id, active,
    is_group_account, name, account_number, street_address_1, street_address_2, city, state, zip, last_bill_date
  from billable_accounts
  union all
  select client_id, id, 'SupplyAccount', null, id, facility_id, vendor_id, active,
    is_group_account, name, account_number, street_address_1, street_address_2, city, state, zip, last_bill_date
  from supply_accounts;
