-- Accounts are searched by their aliases as by their numbers.
create index account_aliases_alias_trigram on account_aliases using gin (alias gin_trgm_ops);
