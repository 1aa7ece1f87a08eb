-- What the batches of a client are called by themselves, and what its invoices say.
alter table client_ledger_settings
  add column batch_code_pattern text,
  add column service_fee numeric(14,2) not null default 0 check (service_fee between 0 and 99999999.99),
  add column service_fee_by text not null default 'bill' check (service_fee_by in ('bill', 'batch')),
  add column remit_instructions text;

-- An invoice is kept as PDF and as CSV, each with versions of its own.
alter table accounting_batch_files
  drop constraint accounting_batch_files_kind_check,
  add constraint accounting_batch_files_kind_check check (kind in ('upload', 'invoice', 'invoice_csv'));
