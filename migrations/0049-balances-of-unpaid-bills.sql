-- A balance is counted once, so the ranking of what is unpaid reads what a bill asks for beside the balance that it brings forward.
drop index bills_unpaid;
create index bills_unpaid on bills (client_id, due_date, id)
  include (amount_due, vendor_id, facility_id, billable_account_id, supply_account_id, account_number, open_errors, open_blocking, group_bill_id, finalized,
    balance_forward, current_charges, late_fee, date)
  where not paid and superseded_by_id is null;
