-- What the lists of a hundred thousand accounts sort by beside name and number. The other sorts go by the names of few records.
create index billable_accounts_city on billable_accounts (client_id, city, id);
create index billable_accounts_state on billable_accounts (client_id, state, id);
create index billable_accounts_active on billable_accounts (client_id, active, id);
create index supply_accounts_active on supply_accounts (client_id, active, id);

-- Deep pages and counts read indexes alone, as long as the pages of the table are known to be seen by everybody. The last bill's date
-- and the state of a bill change all the time, so these tables are swept after a fiftieth of their rows and not after a fifth.
alter table billable_accounts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table supply_accounts set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
alter table bills set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
