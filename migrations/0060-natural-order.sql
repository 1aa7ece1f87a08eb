-- Names and numbers stand as people sort them: "Arizona" before "AT&T", "Store 2" before "Store 10". The collation belongs to the columns, so
-- that every list, picker, join and index follows it. It is deterministic: texts are equal only where each byte is, so unique keys, LIKE and
-- the indexes of trigrams mean what they meant.
create collation natural_order (provider = icu, locale = 'en-u-kn-true');

-- It names columns that change; it comes back below as it was.
drop view searched_accounts;

alter table users
  alter column email type text collate natural_order,
  alter column username type text collate natural_order,
  alter column first_name type text collate natural_order,
  alter column last_name type text collate natural_order,
  alter column title type text collate natural_order;
alter table files
  alter column filename type text collate natural_order,
  alter column content_type type text collate natural_order;
alter table mails
  alter column to_address type text collate natural_order,
  alter column subject type text collate natural_order,
  alter column last_error type text collate natural_order;
alter table channel_partners
  alter column name type text collate natural_order;
alter table clients
  alter column name type text collate natural_order,
  alter column short_code type text collate natural_order,
  alter column identifier type text collate natural_order;
alter table batch_groups
  alter column name type text collate natural_order;
alter table facility_types
  alter column name type text collate natural_order;
alter table production_units
  alter column name type text collate natural_order;
alter table cost_parameters
  alter column name type text collate natural_order;
alter table units
  alter column symbol type text collate natural_order,
  alter column description type text collate natural_order;
alter table utility_services
  alter column name type text collate natural_order,
  alter column code type text collate natural_order;
alter table usage_factors
  alter column name type text collate natural_order;
alter table entry_fields
  alter column name type text collate natural_order;
alter table payment_methods
  alter column name type text collate natural_order,
  alter column description type text collate natural_order;
alter table vendors
  alter column name type text collate natural_order,
  alter column short_code type text collate natural_order,
  alter column city type text collate natural_order,
  alter column state type text collate natural_order,
  alter column phone type text collate natural_order;
alter table vendor_aliases
  alter column alias type text collate natural_order;
alter table client_vendor_numbers
  alter column vendor_number type text collate natural_order;
alter table divisions
  alter column name type text collate natural_order,
  alter column short_code type text collate natural_order,
  alter column code type text collate natural_order;
alter table facilities
  alter column name type text collate natural_order,
  alter column number type text collate natural_order,
  alter column city type text collate natural_order,
  alter column state type text collate natural_order;
alter table billable_accounts
  alter column name type text collate natural_order,
  alter column account_number type text collate natural_order,
  alter column street_address_1 type text collate natural_order,
  alter column city type text collate natural_order,
  alter column state type text collate natural_order,
  alter column zip type text collate natural_order;
alter table supply_accounts
  alter column name type text collate natural_order,
  alter column account_number type text collate natural_order,
  alter column street_address_1 type text collate natural_order,
  alter column city type text collate natural_order,
  alter column state type text collate natural_order,
  alter column zip type text collate natural_order;
alter table account_aliases
  alter column alias type text collate natural_order;
alter table services
  alter column meter_number type text collate natural_order,
  alter column service_name_1 type text collate natural_order,
  alter column service_name_2 type text collate natural_order,
  alter column rate_schedule type text collate natural_order;
alter table additional_entry_fields
  alter column name type text collate natural_order;
alter table documents
  alter column title type text collate natural_order;
alter table ledger_fields
  alter column name type text collate natural_order,
  alter column description type text collate natural_order;
alter table ledger_accounts
  alter column name type text collate natural_order;
alter table ledger_account_fields
  alter column value type text collate natural_order;
alter table bills
  alter column account_number type text collate natural_order,
  alter column invoice_number type text collate natural_order;
alter table bill_files
  alter column filename type text collate natural_order;
alter table bill_findings
  alter column code type text collate natural_order,
  alter column message type text collate natural_order,
  alter column reason type text collate natural_order;
alter table accounting_batches
  alter column batch_code type text collate natural_order;
alter table vendor_payments
  alter column check_number type text collate natural_order;
alter table bill_documents
  alter column name type text collate natural_order;
alter table retrieval_statements
  alter column account_number type text collate natural_order,
  alter column provider_name type text collate natural_order,
  alter column statement_id type text collate natural_order,
  alter column reason type text collate natural_order;
alter table api_tokens
  alter column name type text collate natural_order;
alter table webhooks
  alter column name type text collate natural_order,
  alter column url type text collate natural_order;
alter table webhook_deliveries
  alter column event type text collate natural_order,
  alter column event_id type text collate natural_order,
  alter column last_error type text collate natural_order;
alter table bill_scans
  alter column filename type text collate natural_order,
  alter column vendor_name type text collate natural_order,
  alter column account_number type text collate natural_order;
alter table site_surveys
  alter column name type text collate natural_order;
alter table reports
  alter column name type text collate natural_order;
alter table generated_reports
  alter column name type text collate natural_order;
alter table export_profiles
  alter column name type text collate natural_order;
alter table originating_profiles
  alter column name type text collate natural_order;

alter table vendor_bank_changes
  alter column reason type text collate natural_order;

create view searched_accounts as
  select client_id, id, 'BillableAccount' as account_type, id as billable_account_id, null::bigint as supply_account_id, facility_id, vendor_id, active,
    is_group_account, name, account_number, street_address_1, street_address_2, city, state, zip, last_bill_date
  from billable_accounts
  union all
  select client_id, id, 'SupplyAccount', null, id, facility_id, vendor_id, active,
    is_group_account, name, account_number, street_address_1, street_address_2, city, state, zip, last_bill_date
  from supply_accounts;
