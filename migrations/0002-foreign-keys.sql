-- Foreign keys, after the distribution hook. Inside a client they are composite, so that the database itself refuses a row
-- that mixes two clients. Never ON DELETE SET NULL: Citus has none for composite keys. Without an action a key restricts.

-- The kernel: what belongs to a user goes with the user.
alter table user_roles add constraint user_roles_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table sessions add constraint sessions_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table one_time_links add constraint one_time_links_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table idempotency_keys add constraint idempotency_keys_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table notifications add constraint notifications_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table list_layouts add constraint list_layouts_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table saved_views add constraint saved_views_user_id_fkey
  foreign key (user_id) references users (id) on delete cascade;
alter table user_roles add constraint user_roles_role_id_fkey
  foreign key (role_id) references roles (id);
alter table user_roles add constraint user_roles_channel_partner_id_fkey
  foreign key (channel_partner_id) references channel_partners (id);
alter table tasks add constraint tasks_file_id_fkey
  foreign key (file_id) references files (id);

-- Scopes go with their role. They hold the record that they name: a scope that vanished would widen the role to the whole client.
alter table user_role_clients add constraint user_role_clients_user_role_id_fkey
  foreign key (user_role_id) references user_roles (id) on delete cascade;
alter table user_role_clients add constraint user_role_clients_client_id_fkey
  foreign key (client_id) references clients (id);
alter table user_role_divisions add constraint user_role_divisions_user_role_id_fkey
  foreign key (user_role_id) references user_roles (id) on delete cascade;
alter table user_role_divisions add constraint user_role_divisions_client_id_fkey
  foreign key (client_id) references clients (id);
alter table user_role_divisions add constraint user_role_divisions_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table user_role_facilities add constraint user_role_facilities_user_role_id_fkey
  foreign key (user_role_id) references user_roles (id) on delete cascade;
alter table user_role_facilities add constraint user_role_facilities_client_id_fkey
  foreign key (client_id) references clients (id);
alter table user_role_facilities add constraint user_role_facilities_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id);
alter table user_role_billable_accounts add constraint user_role_billable_accounts_user_role_id_fkey
  foreign key (user_role_id) references user_roles (id) on delete cascade;
alter table user_role_billable_accounts add constraint user_role_billable_accounts_client_id_fkey
  foreign key (client_id) references clients (id);
alter table user_role_billable_accounts add constraint user_role_billable_accounts_billable_account_id_fkey
  foreign key (client_id, billable_account_id) references billable_accounts (client_id, id);
alter table user_role_supply_accounts add constraint user_role_supply_accounts_user_role_id_fkey
  foreign key (user_role_id) references user_roles (id) on delete cascade;
alter table user_role_supply_accounts add constraint user_role_supply_accounts_client_id_fkey
  foreign key (client_id) references clients (id);
alter table user_role_supply_accounts add constraint user_role_supply_accounts_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id);

-- Clients, partners and reference data
alter table channel_partners add constraint channel_partners_logo_file_id_fkey
  foreign key (logo_file_id) references files (id);
alter table clients add constraint clients_channel_partner_id_fkey
  foreign key (channel_partner_id) references channel_partners (id);
alter table clients add constraint clients_logo_file_id_fkey
  foreign key (logo_file_id) references files (id);
alter table batch_groups add constraint batch_groups_client_id_fkey
  foreign key (client_id) references clients (id);
alter table usage_units add constraint usage_units_utility_service_id_fkey
  foreign key (utility_service_id) references utility_services (id) on delete cascade;
alter table usage_units add constraint usage_units_unit_id_fkey
  foreign key (unit_id) references units (id);
alter table usage_factors add constraint usage_factors_utility_service_id_fkey
  foreign key (utility_service_id) references utility_services (id) on delete cascade;
alter table usage_factors add constraint usage_factors_unit_id_fkey
  foreign key (unit_id) references units (id);
alter table emission_factors add constraint emission_factors_utility_service_id_fkey
  foreign key (utility_service_id) references utility_services (id) on delete cascade;
alter table emission_factors add constraint emission_factors_unit_id_fkey
  foreign key (unit_id) references units (id);
alter table vendor_payment_methods add constraint vendor_payment_methods_vendor_id_fkey
  foreign key (vendor_id) references vendors (id) on delete cascade;
alter table vendor_payment_methods add constraint vendor_payment_methods_payment_method_id_fkey
  foreign key (payment_method_id) references payment_methods (id);
alter table vendor_aliases add constraint vendor_aliases_vendor_id_fkey
  foreign key (vendor_id) references vendors (id) on delete cascade;
alter table vendor_bank_changes add constraint vendor_bank_changes_vendor_id_fkey
  foreign key (vendor_id) references vendors (id) on delete cascade;
alter table client_vendor_numbers add constraint client_vendor_numbers_client_id_fkey
  foreign key (client_id) references clients (id);
alter table client_vendor_numbers add constraint client_vendor_numbers_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);

-- The hierarchy of a client
alter table divisions add constraint divisions_client_id_fkey
  foreign key (client_id) references clients (id);
alter table divisions add constraint divisions_batch_group_id_fkey
  foreign key (client_id, batch_group_id) references batch_groups (client_id, id);
alter table facilities add constraint facilities_client_id_fkey
  foreign key (client_id) references clients (id);
alter table facilities add constraint facilities_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table facilities add constraint facilities_facility_type_id_fkey
  foreign key (facility_type_id) references facility_types (id);
alter table facility_production_units add constraint facility_production_units_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id) on delete cascade;
alter table facility_production_units add constraint facility_production_units_production_unit_id_fkey
  foreign key (production_unit_id) references production_units (id);
alter table billable_accounts add constraint billable_accounts_client_id_fkey
  foreign key (client_id) references clients (id);
alter table billable_accounts add constraint billable_accounts_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id);
alter table billable_accounts add constraint billable_accounts_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);
alter table billable_accounts add constraint billable_accounts_utility_service_id_fkey
  foreign key (utility_service_id) references utility_services (id);
alter table billable_accounts add constraint billable_accounts_group_account_id_fkey
  foreign key (client_id, group_account_id) references billable_accounts (client_id, id);
alter table supply_accounts add constraint supply_accounts_client_id_fkey
  foreign key (client_id) references clients (id);
alter table supply_accounts add constraint supply_accounts_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id);
alter table supply_accounts add constraint supply_accounts_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);
alter table supply_accounts add constraint supply_accounts_group_supply_account_id_fkey
  foreign key (client_id, group_supply_account_id) references supply_accounts (client_id, id);
alter table account_aliases add constraint account_aliases_billable_account_id_fkey
  foreign key (client_id, billable_account_id) references billable_accounts (client_id, id) on delete cascade;
alter table account_aliases add constraint account_aliases_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id) on delete cascade;
alter table services add constraint services_client_id_fkey
  foreign key (client_id) references clients (id);
alter table services add constraint services_billable_account_id_fkey
  foreign key (client_id, billable_account_id) references billable_accounts (client_id, id);
alter table services add constraint services_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id);
alter table services add constraint services_ledger_account_id_fkey
  foreign key (client_id, ledger_account_id) references ledger_accounts (client_id, id);
alter table services add constraint services_utility_service_id_fkey
  foreign key (utility_service_id) references utility_services (id);
alter table services add constraint services_usage_unit_id_fkey
  foreign key (usage_unit_id) references usage_units (id);
alter table service_usage_factors add constraint service_usage_factors_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;
alter table service_usage_factors add constraint service_usage_factors_usage_factor_id_fkey
  foreign key (usage_factor_id) references usage_factors (id);
alter table service_entry_fields add constraint service_entry_fields_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;
alter table service_entry_fields add constraint service_entry_fields_entry_field_id_fkey
  foreign key (entry_field_id) references entry_fields (id);
alter table additional_entry_fields add constraint additional_entry_fields_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;
alter table shared_accounts add constraint shared_accounts_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;
alter table shared_accounts add constraint shared_accounts_ledger_account_id_fkey
  foreign key (client_id, ledger_account_id) references ledger_accounts (client_id, id);
alter table supply_account_billable_services add constraint supply_account_billable_services_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id) on delete cascade;
alter table supply_account_billable_services add constraint supply_account_billable_services_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;
alter table documents add constraint documents_client_id_fkey
  foreign key (client_id) references clients (id);
alter table documents add constraint documents_file_id_fkey
  foreign key (file_id) references files (id);
alter table documents add constraint documents_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table documents add constraint documents_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id);
alter table documents add constraint documents_billable_account_id_fkey
  foreign key (client_id, billable_account_id) references billable_accounts (client_id, id);
alter table documents add constraint documents_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id);

-- The client's general ledger
alter table ledger_fields add constraint ledger_fields_client_id_fkey
  foreign key (client_id) references clients (id);
alter table ledger_accounts add constraint ledger_accounts_client_id_fkey
  foreign key (client_id) references clients (id);
alter table ledger_account_fields add constraint ledger_account_fields_ledger_account_id_fkey
  foreign key (client_id, ledger_account_id) references ledger_accounts (client_id, id) on delete cascade;
alter table ledger_account_fields add constraint ledger_account_fields_ledger_field_id_fkey
  foreign key (client_id, ledger_field_id) references ledger_fields (client_id, id);
alter table client_ledger_settings add constraint client_ledger_settings_client_id_fkey
  foreign key (client_id) references clients (id);
alter table client_ledger_settings add constraint client_ledger_settings_prior_balance_ledger_account_id_fkey
  foreign key (client_id, prior_balance_ledger_account_id) references ledger_accounts (client_id, id);
alter table client_ledger_settings add constraint client_ledger_settings_late_fee_ledger_account_id_fkey
  foreign key (client_id, late_fee_ledger_account_id) references ledger_accounts (client_id, id);
alter table client_ledger_settings add constraint client_ledger_settings_payable_ledger_account_id_fkey
  foreign key (client_id, payable_ledger_account_id) references ledger_accounts (client_id, id);
alter table export_profiles add constraint export_profiles_client_id_fkey
  foreign key (client_id) references clients (id);

-- Bills. Children go with a bill, but what was batched, paid or booked holds it.
alter table bills add constraint bills_client_id_fkey
  foreign key (client_id) references clients (id);
alter table bills add constraint bills_billable_account_id_fkey
  foreign key (client_id, billable_account_id) references billable_accounts (client_id, id);
alter table bills add constraint bills_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id);
alter table bills add constraint bills_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id);
alter table bills add constraint bills_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table bills add constraint bills_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id);
alter table bills add constraint bills_rebill_of_id_fkey
  foreign key (client_id, rebill_of_id) references bills (client_id, id);
alter table bills add constraint bills_superseded_by_id_fkey
  foreign key (client_id, superseded_by_id) references bills (client_id, id);
alter table bills add constraint bills_group_bill_id_fkey
  foreign key (client_id, group_bill_id) references bills (client_id, id);
alter table bills add constraint bills_vendor_payment_id_fkey
  foreign key (client_id, vendor_payment_id) references vendor_payments (client_id, id);
alter table bills add constraint bills_accounting_batch_id_fkey
  foreign key (client_id, accounting_batch_id) references accounting_batches (client_id, id);
alter table bills add constraint bills_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);
alter table service_bills add constraint service_bills_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id) on delete cascade;
alter table service_bills add constraint service_bills_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id);
alter table service_bills add constraint service_bills_unit_id_fkey
  foreign key (unit_id) references units (id);
alter table service_bills add constraint service_bills_supply_bill_id_fkey
  foreign key (client_id, supply_bill_id) references bills (client_id, id);
alter table service_bill_entry_values add constraint service_bill_entry_values_service_bill_id_fkey
  foreign key (client_id, service_bill_id) references service_bills (client_id, id) on delete cascade;
alter table service_bill_entry_values add constraint service_bill_entry_values_entry_field_id_fkey
  foreign key (entry_field_id) references entry_fields (id);
alter table service_bill_additional_values add constraint service_bill_additional_values_service_bill_id_fkey
  foreign key (client_id, service_bill_id) references service_bills (client_id, id) on delete cascade;
alter table service_bill_additional_values add constraint service_bill_additional_values_field_fkey
  foreign key (client_id, additional_entry_field_id) references additional_entry_fields (client_id, id);
alter table service_bill_usage_factors add constraint service_bill_usage_factors_service_bill_id_fkey
  foreign key (client_id, service_bill_id) references service_bills (client_id, id) on delete cascade;
alter table service_bill_usage_factors add constraint service_bill_usage_factors_usage_factor_id_fkey
  foreign key (usage_factor_id) references usage_factors (id);
alter table bill_linked_service_bills add constraint bill_linked_service_bills_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id) on delete cascade;
alter table bill_linked_service_bills add constraint bill_linked_service_bills_service_bill_id_fkey
  foreign key (client_id, service_bill_id) references service_bills (client_id, id) on delete cascade;
alter table bill_charges add constraint bill_charges_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id) on delete cascade;
alter table bill_files add constraint bill_files_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id) on delete cascade;
alter table bill_files add constraint bill_files_file_id_fkey
  foreign key (file_id) references files (id);
alter table bill_findings add constraint bill_findings_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id) on delete cascade;
alter table bill_findings add constraint bill_findings_service_bill_id_fkey
  foreign key (client_id, service_bill_id) references service_bills (client_id, id) on delete cascade;
alter table bill_findings add constraint bill_findings_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;

-- Client batches
alter table accounting_batches add constraint accounting_batches_client_id_fkey
  foreign key (client_id) references clients (id);
alter table accounting_batches add constraint accounting_batches_batch_group_id_fkey
  foreign key (client_id, batch_group_id) references batch_groups (client_id, id);
alter table accounting_batches add constraint accounting_batches_upload_file_id_fkey
  foreign key (upload_file_id) references files (id);
alter table accounting_batch_files add constraint accounting_batch_files_accounting_batch_id_fkey
  foreign key (client_id, accounting_batch_id) references accounting_batches (client_id, id);
alter table accounting_batch_files add constraint accounting_batch_files_file_id_fkey
  foreign key (file_id) references files (id);

-- Frozen lines name ledger accounts and divisions by value: the numbers beside the names carry no key, so that a closed month holds nothing back.
alter table gl_lines add constraint gl_lines_accounting_batch_id_fkey
  foreign key (client_id, accounting_batch_id) references accounting_batches (client_id, id);
alter table gl_lines add constraint gl_lines_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id);
alter table gl_lines add constraint gl_lines_reverses_id_fkey
  foreign key (client_id, reverses_id) references gl_lines (client_id, id);

-- Vendor batches and the global batch
alter table payment_batches add constraint payment_batches_client_id_fkey
  foreign key (client_id) references clients (id);
alter table payment_batches add constraint payment_batches_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table vendor_payments add constraint vendor_payments_payment_batch_id_fkey
  foreign key (client_id, payment_batch_id) references payment_batches (client_id, id);
alter table vendor_payments add constraint vendor_payments_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);
alter table payment_batch_bills add constraint payment_batch_bills_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id);
alter table payment_batch_bills add constraint payment_batch_bills_payment_batch_id_fkey
  foreign key (client_id, payment_batch_id) references payment_batches (client_id, id);
alter table payment_batch_bills add constraint payment_batch_bills_vendor_payment_id_fkey
  foreign key (client_id, vendor_payment_id) references vendor_payments (client_id, id);
alter table payment_reversals add constraint payment_reversals_vendor_payment_id_fkey
  foreign key (client_id, vendor_payment_id) references vendor_payments (client_id, id);
alter table payment_reversals add constraint payment_reversals_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id);
alter table global_batch_file_batches add constraint global_batch_file_batches_global_batch_file_id_fkey
  foreign key (global_batch_file_id) references global_batch_files (id);
alter table global_batch_file_batches add constraint global_batch_file_batches_payment_batch_id_fkey
  foreign key (client_id, payment_batch_id) references payment_batches (client_id, id);
alter table global_batch_file_payments add constraint global_batch_file_payments_global_batch_file_id_fkey
  foreign key (global_batch_file_id) references global_batch_files (id);
alter table global_batch_file_payments add constraint global_batch_file_payments_vendor_payment_id_fkey
  foreign key (client_id, vendor_payment_id) references vendor_payments (client_id, id);
alter table global_batch_file_payments add constraint global_batch_file_payments_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id);

-- Reports and the repository. What is assigned to a user alone goes with the user.
alter table generated_reports add constraint generated_reports_client_id_fkey
  foreign key (client_id) references clients (id);
alter table generated_reports add constraint generated_reports_report_id_fkey
  foreign key (report_id) references reports (id);
alter table generated_reports add constraint generated_reports_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table generated_reports add constraint generated_reports_assignable_user_id_fkey
  foreign key (assignable_user_id) references users (id) on delete cascade;
alter table generated_reports add constraint generated_reports_file_id_fkey
  foreign key (file_id) references files (id);
alter table bill_documents add constraint bill_documents_client_id_fkey
  foreign key (client_id) references clients (id);
alter table bill_documents add constraint bill_documents_division_id_fkey
  foreign key (client_id, division_id) references divisions (client_id, id);
alter table bill_documents add constraint bill_documents_assignable_user_id_fkey
  foreign key (assignable_user_id) references users (id) on delete cascade;
alter table bill_documents add constraint bill_documents_file_id_fkey
  foreign key (file_id) references files (id);
alter table generated_reports add constraint generated_reports_extra_file_id_fkey
  foreign key (extra_file_id) references files (id);

-- Site surveys
alter table site_surveys add constraint site_surveys_client_id_fkey
  foreign key (client_id) references clients (id);
alter table site_surveys add constraint site_surveys_facility_id_fkey
  foreign key (client_id, facility_id) references facilities (client_id, id);
alter table contacts add constraint contacts_site_survey_id_fkey
  foreign key (client_id, site_survey_id) references site_surveys (client_id, id) on delete cascade;
alter table compressors add constraint compressors_site_survey_id_fkey
  foreign key (client_id, site_survey_id) references site_surveys (client_id, id) on delete cascade;
alter table motors add constraint motors_site_survey_id_fkey
  foreign key (client_id, site_survey_id) references site_surveys (client_id, id) on delete cascade;
alter table gear_boxes add constraint gear_boxes_site_survey_id_fkey
  foreign key (client_id, site_survey_id) references site_surveys (client_id, id) on delete cascade;
alter table lightings add constraint lightings_site_survey_id_fkey
  foreign key (client_id, site_survey_id) references site_surveys (client_id, id) on delete cascade;
alter table hvacs add constraint hvacs_site_survey_id_fkey
  foreign key (client_id, site_survey_id) references site_surveys (client_id, id) on delete cascade;

-- Bill retrieval
alter table retrieval_statements add constraint retrieval_statements_client_id_fkey
  foreign key (client_id) references clients (id);
alter table retrieval_statements add constraint retrieval_statements_pdf_file_id_fkey
  foreign key (pdf_file_id) references files (id);
alter table retrieval_statements add constraint retrieval_statements_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);
alter table retrieval_statements add constraint retrieval_statements_billable_account_id_fkey
  foreign key (client_id, billable_account_id) references billable_accounts (client_id, id);
alter table retrieval_statements add constraint retrieval_statements_supply_account_id_fkey
  foreign key (client_id, supply_account_id) references supply_accounts (client_id, id);
alter table retrieval_statements add constraint retrieval_statements_bill_id_fkey
  foreign key (client_id, bill_id) references bills (client_id, id);
alter table retrieval_vendor_map add constraint retrieval_vendor_map_client_id_fkey
  foreign key (client_id) references clients (id);
alter table retrieval_vendor_map add constraint retrieval_vendor_map_vendor_id_fkey
  foreign key (vendor_id) references vendors (id);
alter table retrieval_cursors add constraint retrieval_cursors_client_id_fkey
  foreign key (client_id) references clients (id);

-- Facts hang on their service. Their other columns are copies that the same transaction writes, and rollups hold 0 for none.
alter table service_month_facts add constraint service_month_facts_service_id_fkey
  foreign key (client_id, service_id) references services (client_id, id) on delete cascade;
alter table utility_month_facts add constraint utility_month_facts_client_id_fkey
  foreign key (client_id) references clients (id);
alter table facility_month_facts add constraint facility_month_facts_client_id_fkey
  foreign key (client_id) references clients (id);
