-- Secondary indexes. Three kinds: rules that are unique indexes, the sorts and filters of the lists (id last, so that pages
-- are stable), and the columns that foreign keys and joins come in by.

-- ---------------------------------------------------------------------------------------------------------------
-- Rules
-- ---------------------------------------------------------------------------------------------------------------

create unique index users_email_key on users (lower(email));
create unique index users_username_key on users (lower(username));
create unique index usage_units_one_standard on usage_units (utility_service_id) where standard;
create unique index vendor_bank_changes_one_waiting on vendor_bank_changes (vendor_id) where state = 'waiting';

-- A bill is in at most one live payment batch, whoever else is batching at this moment.
create unique index payment_batch_bills_one_live on payment_batch_bills (client_id, bill_id) where released_at is null;

-- A batch is in at most one payment file and in at most one accounting file.
create unique index global_batch_file_batches_once on global_batch_file_batches (client_id, payment_batch_id, purpose)
  where purpose <> 'companion';

-- A statement makes a bill once, however often retrieval runs.
create unique index bills_statement_once on bills (client_id, retrieval_provider, statement_id)
  where statement_id is not null and source = 'retrieval';

create unique index ledger_fields_name_key on ledger_fields (client_id, lower(name));
create unique index export_profiles_one_default on export_profiles (client_id) where is_default;
create unique index originating_profiles_one_default on originating_profiles (client_id) where is_default and active;

-- One account has an alias once. Two accounts may share one: the match then names both and decides nothing.
create unique index account_aliases_billable_once on account_aliases (client_id, alias, billable_account_id)
  where billable_account_id is not null;
create unique index account_aliases_supply_once on account_aliases (client_id, alias, supply_account_id)
  where supply_account_id is not null;

-- ---------------------------------------------------------------------------------------------------------------
-- The kernel
-- ---------------------------------------------------------------------------------------------------------------

create index user_roles_user on user_roles (user_id);
create index user_roles_channel_partner on user_roles (channel_partner_id) where channel_partner_id is not null;
create index user_role_clients_role on user_role_clients (user_role_id);
create index user_role_divisions_role on user_role_divisions (user_role_id);
create index user_role_divisions_division on user_role_divisions (client_id, division_id);
create index user_role_facilities_role on user_role_facilities (user_role_id);
create index user_role_facilities_facility on user_role_facilities (client_id, facility_id);
create index user_role_billable_accounts_role on user_role_billable_accounts (user_role_id);
create index user_role_billable_accounts_account on user_role_billable_accounts (client_id, billable_account_id);
create index user_role_supply_accounts_role on user_role_supply_accounts (user_role_id);
create index user_role_supply_accounts_account on user_role_supply_accounts (client_id, supply_account_id);
create index users_created_by on users (created_by);
create index sessions_user on sessions (user_id);
create index sessions_used_at on sessions (used_at);
create index one_time_links_user on one_time_links (user_id);
create index idempotency_keys_created_at on idempotency_keys (created_at);
create unique index audit_seals_position on audit_seals (client_id, position);
create index audit_records_newest on audit_records (client_id, created_at desc, id desc);
create index audit_records_newest_of_all on audit_records (created_at desc, id desc);
create index audit_records_item on audit_records (client_id, item_type, item_id, id desc);
create index audit_records_user on audit_records (user_id, created_at desc);
create index notifications_user on notifications (user_id, id desc);
create index tasks_user on tasks (user_id, id desc);
create index tasks_client on tasks (client_id, id desc);
create index tasks_open on tasks (state, heartbeat_at) where state in ('waiting', 'running');
create index files_waiting on files (created_at) where state <> 'attached';
create index mails_waiting on mails (next_attempt_at) where state = 'waiting';
create index saved_views_list on saved_views (list, user_id);
create index saved_views_user on saved_views (user_id);
create index import_rows_task on import_rows (client_id, task_id, line);

-- ---------------------------------------------------------------------------------------------------------------
-- Clients and reference data
-- ---------------------------------------------------------------------------------------------------------------

create index clients_sort on clients (name, id);
create index clients_channel_partner on clients (channel_partner_id);
create index clients_name_trigram on clients using gin (name gin_trgm_ops);
create index channel_partners_sort on channel_partners (name, id);
create index batch_groups_sort on batch_groups (client_id, name, id);
create index usage_units_unit on usage_units (unit_id);
create index usage_factors_unit on usage_factors (unit_id);
create index vendors_sort on vendors (name, id);
create index vendors_name_trigram on vendors using gin (name gin_trgm_ops);
create index vendors_payment_identifier on vendors (payment_identifier_fingerprint) where payment_identifier_fingerprint is not null;
create index vendor_payment_methods_method on vendor_payment_methods (payment_method_id);
create index vendor_aliases_alias on vendor_aliases (lower(alias));
create index vendor_bank_changes_vendor on vendor_bank_changes (vendor_id, id desc);
create index client_vendor_numbers_vendor on client_vendor_numbers (client_id, vendor_id);
create index client_vendor_numbers_vendor_of_all on client_vendor_numbers (vendor_id);

-- ---------------------------------------------------------------------------------------------------------------
-- The hierarchy. An index on id alone stands where a bare id must find its row.
-- ---------------------------------------------------------------------------------------------------------------

create index divisions_sort on divisions (client_id, name, id);
create index divisions_sort_of_all on divisions (name, id);
create index divisions_code on divisions (client_id, code);
create index divisions_batch_group on divisions (client_id, batch_group_id);
create index facilities_sort on facilities (client_id, name, id);
create index facilities_sort_of_all on facilities (name, id);
create index facilities_number on facilities (client_id, number);
create index facilities_division on facilities (client_id, division_id, name, id);
create index facilities_facility_type on facilities (facility_type_id);
create index facilities_name_trigram on facilities using gin (name gin_trgm_ops);
create index facility_production_units_unit on facility_production_units (production_unit_id);

create index billable_accounts_id on billable_accounts (id);
create index billable_accounts_sort on billable_accounts (client_id, name, id);
create index billable_accounts_sort_of_all on billable_accounts (name, id);
create index billable_accounts_account_number on billable_accounts (client_id, account_number, id);
create index billable_accounts_account_number_of_all on billable_accounts (account_number, id);
create index billable_accounts_facility on billable_accounts (client_id, facility_id, name, id);
create index billable_accounts_vendor on billable_accounts (vendor_id, client_id, id);
create index billable_accounts_utility_service on billable_accounts (utility_service_id);
create index billable_accounts_group on billable_accounts (client_id, group_account_id) where group_account_id is not null;
create index billable_accounts_groups on billable_accounts (client_id, name, id) where is_group_account;
create index billable_accounts_name_trigram on billable_accounts using gin (name gin_trgm_ops);
create index billable_accounts_account_number_trigram on billable_accounts using gin (account_number gin_trgm_ops);

create index supply_accounts_id on supply_accounts (id);
create index supply_accounts_sort on supply_accounts (client_id, name, id);
create index supply_accounts_sort_of_all on supply_accounts (name, id);
create index supply_accounts_account_number on supply_accounts (client_id, account_number, id);
create index supply_accounts_account_number_of_all on supply_accounts (account_number, id);
create index supply_accounts_facility on supply_accounts (client_id, facility_id, name, id);
create index supply_accounts_vendor on supply_accounts (vendor_id, client_id, id);
create index supply_accounts_group on supply_accounts (client_id, group_supply_account_id) where group_supply_account_id is not null;
create index supply_accounts_groups on supply_accounts (client_id, name, id) where is_group_account;
create index supply_accounts_name_trigram on supply_accounts using gin (name gin_trgm_ops);
create index supply_accounts_account_number_trigram on supply_accounts using gin (account_number gin_trgm_ops);

create index account_aliases_billable on account_aliases (client_id, billable_account_id);
create index account_aliases_supply on account_aliases (client_id, supply_account_id);
create index services_id on services (id);
create index services_billable on services (client_id, billable_account_id, rank, id);
create index services_supply on services (client_id, supply_account_id, rank, id);
create index services_meter_number on services (client_id, meter_number);
create index services_ledger_account on services (client_id, ledger_account_id);
create index services_utility_service on services (utility_service_id, client_id);
create index services_usage_unit on services (usage_unit_id);
create index service_usage_factors_factor on service_usage_factors (usage_factor_id);
create index service_entry_fields_field on service_entry_fields (entry_field_id);
create index additional_entry_fields_service on additional_entry_fields (client_id, service_id, id);
create index shared_accounts_service on shared_accounts (client_id, service_id, position, id);
create index shared_accounts_ledger_account on shared_accounts (client_id, ledger_account_id);
create index supply_account_billable_services_service on supply_account_billable_services (client_id, service_id);
create index documents_id on documents (id);
create index documents_on_client on documents (client_id, created_at desc, id desc);
create index documents_division on documents (client_id, division_id) where division_id is not null;
create index documents_facility on documents (client_id, facility_id) where facility_id is not null;
create index documents_billable on documents (client_id, billable_account_id) where billable_account_id is not null;
create index documents_supply on documents (client_id, supply_account_id) where supply_account_id is not null;
create index ledger_fields_sort on ledger_fields (client_id, "order", id);
create index ledger_accounts_sort on ledger_accounts (client_id, name, id);
create index ledger_account_fields_field on ledger_account_fields (client_id, ledger_field_id);

-- ---------------------------------------------------------------------------------------------------------------
-- Bills. No trigram here: a search for an account number goes through the accounts.
-- ---------------------------------------------------------------------------------------------------------------

create index bills_id on bills (id);
create index bills_newest on bills (client_id, created_at desc, id desc);
create index bills_newest_of_all on bills (created_at desc, id desc);
create index bills_date on bills (client_id, date desc, id desc);
create index bills_due_date on bills (client_id, due_date, id) include (account_number);
create index bills_due_date_of_all on bills (due_date, id);
create index bills_amount_due on bills (client_id, amount_due, id);
create index bills_account_number on bills (client_id, account_number, id);
create index bills_billable on bills (client_id, billable_account_id, date desc, id desc);
create index bills_supply on bills (client_id, supply_account_id, date desc, id desc);
create index bills_facility on bills (client_id, facility_id, date desc, id desc);
create index bills_division on bills (client_id, division_id, date desc, id desc);
create index bills_vendor on bills (client_id, vendor_id, date desc, id desc);
create index bills_vendor_of_all on bills (vendor_id);

-- What the global batch offers: neither paid nor parked nor batched, and not void.
create index bills_unswept on bills (due_date, id) include (client_id, vendor_id, amount_due, amount_paid)
  where not paid and not finalized and not parked and vendor_payment_id is null and superseded_by_id is null;
create index bills_unswept_of_client on bills (client_id, due_date, id) include (vendor_id, division_id, amount_due, amount_paid)
  where not paid and not finalized and not parked and vendor_payment_id is null and superseded_by_id is null;
create index bills_unbatched on bills (client_id, division_id, id)
  where accounting_batch_id is null and not parked and superseded_by_id is null;
create index bills_unpaid on bills (client_id, due_date, id) where not paid and superseded_by_id is null;
create index bills_with_errors on bills (client_id, id) where open_errors > 0 or open_blocking > 0;
create index bills_vendor_payment on bills (client_id, vendor_payment_id) where vendor_payment_id is not null;
create index bills_accounting_batch on bills (client_id, accounting_batch_id) where accounting_batch_id is not null;
create index bills_previous on bills (client_id, bill_id) where bill_id is not null;
create index bills_group_bill on bills (client_id, group_bill_id) where group_bill_id is not null;
create index bills_rebill_of on bills (client_id, rebill_of_id) where rebill_of_id is not null;
create index bills_superseded_by on bills (client_id, superseded_by_id) where superseded_by_id is not null;
create index bills_import_task on bills (client_id, import_task_id) where import_task_id is not null;

create index service_bills_bill on service_bills (client_id, bill_id, position, id);
create index service_bills_history on service_bills (client_id, service_id, read_date desc, id desc);
create index service_bills_supply_bill on service_bills (client_id, supply_bill_id) where supply_bill_id is not null;
create index service_bills_unit on service_bills (unit_id);
create index service_bill_entry_values_field on service_bill_entry_values (entry_field_id);
create index service_bill_additional_values_field on service_bill_additional_values (client_id, additional_entry_field_id);
create index service_bill_usage_factors_factor on service_bill_usage_factors (usage_factor_id);
create index bill_linked_service_bills_line on bill_linked_service_bills (client_id, service_bill_id);
create index bill_charges_bill on bill_charges (client_id, bill_id, position, id);
create index bill_files_file on bill_files (file_id);
create index bill_findings_bill on bill_findings (client_id, bill_id, id);
create index bill_findings_open on bill_findings (client_id, code, id) where resolved_at is null;
create index bill_findings_line on bill_findings (client_id, service_bill_id) where service_bill_id is not null;
create index bill_findings_service on bill_findings (client_id, service_id) where service_id is not null;
create index bill_findings_assigned on bill_findings (assigned_to) where assigned_to is not null and resolved_at is null;

-- ---------------------------------------------------------------------------------------------------------------
-- Batches and payments
-- ---------------------------------------------------------------------------------------------------------------

create index accounting_batches_newest on accounting_batches (client_id, created_at desc, id desc);
create index accounting_batches_newest_of_all on accounting_batches (created_at desc, id desc);
create index accounting_batches_batch_group on accounting_batches (client_id, batch_group_id);
create index gl_lines_batch on gl_lines (client_id, accounting_batch_id, bill_id, position);
create index gl_lines_bill on gl_lines (client_id, bill_id);
create index gl_lines_ledger_account on gl_lines (client_id, ledger_account_id);
create index gl_lines_reverses on gl_lines (client_id, reverses_id) where reverses_id is not null;

create index payment_batches_id on payment_batches (id);
create index payment_batches_newest on payment_batches (client_id, created_at desc, id desc);
create index payment_batches_newest_of_all on payment_batches (created_at desc, id desc);
create index payment_batches_division on payment_batches (client_id, division_id) where division_id is not null;
create index payment_batches_live_global on payment_batches (created_at, id) where is_global and unbatched_at is null and not finalized;
create index vendor_payments_batch on vendor_payments (client_id, payment_batch_id, vendor_id, id);
create index vendor_payments_vendor on vendor_payments (vendor_id);
create index vendor_payments_check_number on vendor_payments (client_id, check_number) where check_number is not null;
create index payment_batch_bills_bill on payment_batch_bills (client_id, bill_id, id);
create index payment_batch_bills_batch on payment_batch_bills (client_id, payment_batch_id, id) include (amount_paid, released_at);
create index payment_batch_bills_payment on payment_batch_bills (client_id, vendor_payment_id, id);
create index payment_reversals_payment on payment_reversals (client_id, vendor_payment_id);
create index payment_reversals_bill on payment_reversals (client_id, bill_id);
create index global_batch_files_newest on global_batch_files (created_at desc, id desc);
create index global_batch_file_batches_batch on global_batch_file_batches (client_id, payment_batch_id);
create index global_batch_file_batches_file on global_batch_file_batches (global_batch_file_id);
create index global_batch_file_payments_file on global_batch_file_payments (global_batch_file_id);
create index global_batch_file_payments_payment on global_batch_file_payments (client_id, vendor_payment_id);
create index global_batch_file_payments_bill on global_batch_file_payments (client_id, bill_id) where bill_id is not null;
create index global_batch_file_payments_trace on global_batch_file_payments (trace_number) where trace_number is not null;

-- ---------------------------------------------------------------------------------------------------------------
-- Reports, surveys, retrieval, facts
-- ---------------------------------------------------------------------------------------------------------------

create index generated_reports_newest on generated_reports (client_id, created_at desc, id desc);
create index generated_reports_division on generated_reports (client_id, division_id) where division_id is not null;
create index generated_reports_assignable_user on generated_reports (assignable_user_id) where assignable_user_id is not null;
create index bill_documents_newest on bill_documents (client_id, created_at desc, id desc);
create index bill_documents_division on bill_documents (client_id, division_id) where division_id is not null;
create index bill_documents_assignable_user on bill_documents (assignable_user_id) where assignable_user_id is not null;
create index site_surveys_sort on site_surveys (client_id, name, id);
create index site_surveys_facility on site_surveys (client_id, facility_id);
create index contacts_site_survey on contacts (client_id, site_survey_id, position, id);
create index compressors_site_survey on compressors (client_id, site_survey_id, position, id);
create index motors_site_survey on motors (client_id, site_survey_id, position, id);
create index gear_boxes_site_survey on gear_boxes (client_id, site_survey_id, position, id);
create index lightings_site_survey on lightings (client_id, site_survey_id, position, id);
create index hvacs_site_survey on hvacs (client_id, site_survey_id, position, id);
create index retrieval_statements_state on retrieval_statements (client_id, state, statement_date desc, id desc);
create index retrieval_statements_newest on retrieval_statements (client_id, statement_date desc, id desc);
create index retrieval_statements_account on retrieval_statements (client_id, provider, provider_name, account_number);
create index retrieval_statements_file on retrieval_statements (client_id, file_id);
create index retrieval_statements_billable on retrieval_statements (client_id, billable_account_id) where billable_account_id is not null;
create index retrieval_statements_supply on retrieval_statements (client_id, supply_account_id) where supply_account_id is not null;
create index retrieval_statements_bill on retrieval_statements (client_id, bill_id) where bill_id is not null;
create index retrieval_vendor_map_vendor on retrieval_vendor_map (vendor_id);
create index retrieval_statements_vendor on retrieval_statements (vendor_id) where vendor_id is not null;
create index service_month_facts_month on service_month_facts (client_id, month, utility_service_id);
create index service_month_facts_billable on service_month_facts (client_id, billable_account_id, month);
create index service_month_facts_supply on service_month_facts (client_id, supply_account_id, month) where supply_account_id is not null;
create index service_month_facts_facility on service_month_facts (client_id, facility_id, month);
create index service_month_facts_division on service_month_facts (client_id, division_id, month);
create index utility_month_facts_month on utility_month_facts (client_id, month);
create index facility_month_facts_month on facility_month_facts (client_id, month, facility_id);
create index facility_month_facts_division on facility_month_facts (client_id, division_id, month);

-- ---------------------------------------------------------------------------------------------------------------
-- Files: the sweep of what was never attached deletes by id, and each key that points here is looked up for it.
-- ---------------------------------------------------------------------------------------------------------------

create index tasks_file on tasks (file_id) where file_id is not null;
create index documents_file on documents (file_id);
create index accounting_batches_upload_file on accounting_batches (upload_file_id) where upload_file_id is not null;
create index accounting_batch_files_file on accounting_batch_files (file_id);
create index generated_reports_file on generated_reports (file_id) where file_id is not null;
create index generated_reports_extra_file on generated_reports (extra_file_id) where extra_file_id is not null;
create index bill_documents_file on bill_documents (file_id) where file_id is not null;
create index retrieval_statements_pdf_file on retrieval_statements (pdf_file_id) where pdf_file_id is not null;
