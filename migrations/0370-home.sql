-- The home page reads what waits for one person over all clients. Each section finds its few rows by an index.

create index generated_reports_maker on generated_reports (user_id) where user_id is not null;
create index payment_batches_open on payment_batches (client_id, id) where not closed and unbatched_at is null;
create index export_releases_waiting on export_releases (id) where state = 'waiting';
create index retrieval_statements_waiting on retrieval_statements (client_id, state) where state in ('matched', 'needs_account', 'needs_meter');
