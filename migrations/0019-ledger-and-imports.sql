-- Ledger accounts are named in files and on services, so that a name means one of a client. What had a name twice gets its number behind it.
update ledger_accounts set name = left(name, 230) || ' (' || id || ')'
where exists (select from ledger_accounts earlier where earlier.client_id = ledger_accounts.client_id
  and lower(earlier.name) = lower(ledger_accounts.name) and earlier.id < ledger_accounts.id);
create unique index ledger_accounts_name_key on ledger_accounts (client_id, lower(name));

alter table ledger_account_fields add column created_at timestamptz not null default now();
alter table ledger_account_fields add column updated_at timestamptz not null default now();

-- What a row of a file does as a whole, its part counted in; the action beside it is that of the record alone.
alter table import_outcomes add column row_action text;
update import_outcomes set row_action = action;
alter table import_outcomes alter column row_action set not null;

-- The same as import_outcomes, for what hangs on the record of a row: a service of its account.
create table import_part_outcomes (
  import_id bigint not null,
  line int not null,
  action text not null check (action in ('create', 'update', 'unchanged', 'refused')),
  item_id bigint,
  lock_version int,
  errors jsonb,
  changes jsonb,
  secrets_before jsonb,
  primary key (import_id, line)
);

-- How many of what hangs on the records an import has made and changed.
alter table imports add column part_create_count int not null default 0;
alter table imports add column part_update_count int not null default 0;

-- Files and statements write account numbers with and without spaces and dashes.
create index billable_accounts_stripped on billable_accounts (client_id, translate(account_number, ' -', ''));
create index supply_accounts_stripped on supply_accounts (client_id, translate(account_number, ' -', ''));
create index account_aliases_stripped on account_aliases (client_id, translate(alias, ' -', ''));
