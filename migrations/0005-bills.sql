-- Bills across clients by their date, amount and number, and the other bill that a finding speaks of. It has no foreign
-- key: a finding outlives the bill that it was compared with.

alter table bill_findings add column other_bill_id bigint;

create index bills_date_of_all on bills (date desc, id desc);
create index bills_amount_due_of_all on bills (amount_due, id);
create index bills_account_number_of_all on bills (account_number, id);
