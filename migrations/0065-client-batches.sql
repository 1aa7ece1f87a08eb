-- Client batches: how a client's ledger wants them, and what the database itself refuses.

-- How account-level charges are spread over the lines of a bill, and whether bills with open errors may be batched.
alter table client_ledger_settings
  add column spread_by text not null default 'cost' check (spread_by in ('cost', 'usage')),
  add column batch_flagged_bills boolean not null default false;

-- A batch code names one batch of a client in its ledger, its files and its invoices. Case does not distinguish two codes.
create unique index accounting_batches_one_of_its_code on accounting_batches (client_id, lower(batch_code));

-- A frozen line is taken back once.
drop index gl_lines_reverses;
create unique index gl_lines_reversed_once on gl_lines (client_id, reverses_id) where reverses_id is not null;
