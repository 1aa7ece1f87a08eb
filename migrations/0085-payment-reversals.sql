-- A payment is undone once: each of its bills is reversed by one row.
create unique index payment_reversals_once on payment_reversals (client_id, vendor_payment_id, bill_id);
alter table payment_reversals add constraint payment_reversals_reason_is_said check (trim(reason) <> '');
alter table payment_reversals
  alter column return_code type text collate natural_order,
  alter column reason type text collate natural_order;
-- Why a membership pays something else than the amount due.
alter table payment_batch_bills add column difference_reason text
  check (difference_reason in ('credit_taken', 'prior_balance_unpaid', 'partial', 'other'));
