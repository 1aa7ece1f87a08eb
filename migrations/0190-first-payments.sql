-- Which state of a vendor's bank details an ACH payment went to: the time of their last change and who asked for it, and whether it was the
-- first payment since. Times are not compared with the file's own, since a change and an export may overlap.
alter table global_batch_file_payments add column bank_changed_at timestamptz;
alter table global_batch_file_payments add column bank_changed_by bigint;
alter table global_batch_file_payments add column is_first_payment boolean not null default false;
alter table global_batch_file_payments add constraint global_batch_file_payments_first_since
  check (not is_first_payment or bank_changed_at is not null);
create index global_batch_file_payments_bank_change on global_batch_file_payments (bank_changed_at) where bank_changed_at is not null;

-- A vendor that was paid after its last change is not asked about again.
update global_batch_file_payments entry set bank_changed_at = vendors.bank_changed_at, bank_changed_by = vendors.bank_changed_by
  from global_batch_files file, vendor_payments payment join vendors on vendors.id = payment.vendor_id
  where file.id = entry.global_batch_file_id and file.export_type = 'ACH' and file.purpose = 'payment' and payment.client_id = entry.client_id
    and payment.id = entry.vendor_payment_id and file.created_at > vendors.bank_changed_at;
