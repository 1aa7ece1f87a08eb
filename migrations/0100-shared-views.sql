-- A shared view is shared with the people of a client or of a channel partner; with neither, with the staff who reach every client.
alter table saved_views add column shared_client_id bigint references clients (id);
alter table saved_views add column shared_partner_id bigint references channel_partners (id) on delete cascade;
alter table saved_views add constraint saved_views_one_audience check (num_nonnulls(shared_client_id, shared_partner_id) <= 1);
create index saved_views_shared_client on saved_views (shared_client_id);
create index saved_views_shared_partner on saved_views (shared_partner_id);
-- Nobody said with whom views were shared until now, so they are their owners' alone again.
update saved_views set shared = false where shared;
