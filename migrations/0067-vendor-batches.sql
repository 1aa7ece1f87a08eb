-- Vendor batches: every bill of a live batch has one payment. What left a batch names none, so that an empty payment can be deleted.
update payment_batch_bills set vendor_payment_id = null where released_at is not null;
alter table payment_batch_bills add constraint payment_batch_bills_live_are_paid
  check ((released_at is null) = (vendor_payment_id is not null));
-- A payment ID of blanks is none.
alter table vendor_payments add constraint vendor_payments_check_number_is_said check (check_number is null or trim(check_number) <> '');
-- Lists sort these texts as people do (0060).
alter table payment_batches
  alter column notes type text collate natural_order,
  alter column payment_method type text collate natural_order,
  alter column paid_as type text collate natural_order;
