-- The monthly facts, shaped by what the dashboards ask. Only changes of existing tables, so that a distributed database keeps their place.
--
-- A bill without a line (account-level charges, no meter) costs too: its row has service_id 0 and names its account in
-- account_key, a supply account by its negated id. 0 is no service, hence no foreign key. A service with lines is never
-- deleted and one without has no facts, so nothing is left behind.
-- supply_usage is what lines of linked supply accounts metered again: shown on the supply account, added up nowhere else.
-- A facility may move to another division, so facts name the facility only.
-- previous_month is the last month before with a covered day; starts marks a covered month that does not follow on one,
-- so that the distinct meters of any window are those of its first month, those that are covered for the first time later
-- in it, and the few that come back after a gap which began before it.

alter table service_month_facts drop constraint service_month_facts_service_id_fkey;

alter table service_month_facts drop constraint service_month_facts_pkey;

alter table service_month_facts add column account_key bigint not null default 0;

alter table service_month_facts drop column division_id;

alter table service_month_facts add column supply_usage numeric(20,6);

alter table service_month_facts add column previous_month date;

alter table service_month_facts add column starts boolean not null default false;

alter table service_month_facts add constraint service_month_facts_pkey primary key (client_id, service_id, month, account_key);

alter table service_month_facts add constraint service_month_facts_owner check ((service_id = 0) = (account_key <> 0));

alter table service_month_facts add constraint service_month_facts_client_id_fkey
  foreign key (client_id) references clients (id);

create index service_month_facts_returns on service_month_facts (client_id, month) where starts and previous_month is not null;

-- facts counts the rows below, usage_facts those with usage: what is taken away again leaves nothing behind. first_meters
-- counts the meters that are covered for the first time ever.

alter table utility_month_facts add column facts int not null default 0;

alter table utility_month_facts add column usage_facts int not null default 0;

alter table utility_month_facts add column first_meters int not null default 0;

update utility_month_facts set usage = 0 where usage is null;

alter table utility_month_facts alter column usage set default 0;

alter table utility_month_facts alter column usage set not null;

-- Facilities are only ranked, by cost and by emissions; everything else of a facility is read from its services. A row with
-- utility_service_id -1 is the sum over all services, so that a ranking over all reads one row a month and not one a service.

drop index facility_month_facts_month;

alter table facility_month_facts drop column division_id;

alter table facility_month_facts drop column days_mask;

alter table facility_month_facts drop column meters;

alter table facility_month_facts drop column meter_days;

alter table facility_month_facts drop column utility_cost;

alter table facility_month_facts drop column supply_cost;

alter table facility_month_facts drop column other_cost;

alter table facility_month_facts drop column usage;

alter table facility_month_facts add column facts int not null default 0;

create index facility_month_facts_ranking on facility_month_facts (client_id, utility_service_id, month) include (facility_id, cost, kg_co2e);
