-- A change says which of the four details it asks for, since an empty one may mean "take it away". What was in force is written down when
-- it is decided; until then it is what the vendor has.
alter table vendor_bank_changes drop constraint vendor_bank_changes_state_check;
alter table vendor_bank_changes add constraint vendor_bank_changes_state_check
  check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'replaced'));
alter table vendor_bank_changes add column changed text[] not null default '{}';
alter table vendor_bank_changes add column po_box_last4_before text;
alter table vendor_bank_changes add column payment_identifier_last4_before text;
alter table vendor_bank_changes add column account_type_before text;
alter table vendor_bank_changes add column account_holder_before text;
alter table vendor_bank_changes add column routing_is_doubtful boolean not null default false;
-- The import that asked for it: taking that back withdraws what still waits.
alter table vendor_bank_changes add column import_id bigint;
-- Two people, whatever the program does.
alter table vendor_bank_changes add constraint vendor_bank_changes_two_people
  check (state <> 'approved' or (decided_by is not null and decided_by <> requested_by));
-- A decided change no longer needs its numbers: approved ones are the vendor's, the others nobody's.
alter table vendor_bank_changes add constraint vendor_bank_changes_forgets
  check (state = 'waiting' or (po_box_encrypted is null and payment_identifier_encrypted is null));

create index vendor_bank_changes_newest on vendor_bank_changes (requested_at desc, id desc);
create index vendor_bank_changes_import on vendor_bank_changes (import_id) where import_id is not null;

-- Factors that people enter are kept as children of their utility service are.
alter table emission_factors add column updated_at timestamptz not null default now();
