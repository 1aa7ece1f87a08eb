-- The users list at 100,000 users: its first page by email, what is typed into its filters, and who holds a role.
create index users_sort on users (email, id);
create index users_email_trigram on users using gin (email gin_trgm_ops);
create index users_username_trigram on users using gin (username gin_trgm_ops);
create index users_first_name_trigram on users using gin (first_name gin_trgm_ops);
create index users_last_name_trigram on users using gin (last_name gin_trgm_ops);
create index user_roles_role on user_roles (role_id, user_id);
