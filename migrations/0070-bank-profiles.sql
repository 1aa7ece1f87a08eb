-- Bank profiles are kept by forms as other secrets are, and name the payer's address, which files for check printers ask for.
alter table originating_profiles add column account_number_fingerprint bytea;
alter table originating_profiles add column street_address_1 text collate natural_order;
alter table originating_profiles add column street_address_2 text collate natural_order;
alter table originating_profiles add column city text collate natural_order;
alter table originating_profiles add column state text collate natural_order;
alter table originating_profiles add column zip text collate natural_order;
-- Every profile has one of two sets of characters.
update originating_profiles set character_set = 'standard' where character_set is null or character_set not in ('standard', 'narrow');
alter table originating_profiles alter column character_set set default 'standard';
alter table originating_profiles alter column character_set set not null;
alter table originating_profiles add constraint originating_profiles_character_set check (character_set in ('standard', 'narrow'));
