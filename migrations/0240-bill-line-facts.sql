-- What each counted line of a bill costs and uses as a whole, with the months to which the bases other than the calendar give it: the month of
-- the bill's date, and its fiscal month. A bill without a line has a row too: as in service_month_facts its service_id is 0 and account_key
-- names its account. What has no days starts and ends on the date of its bill; days counts those that a meter is billed for, none without a line.
--
-- A row a line and not one a basis, service and month: a save writes the lines of its bill and sums nothing, and both bases read the same row.
-- Kilograms differ between them, because each month has its own edition of the factors. The primary key begins like the history of a service,
-- so that the rows near changed lines are found by their days.
create table bill_line_facts (
  client_id bigint not null references clients (id),
  service_id bigint not null,
  account_key bigint not null default 0,
  ends_on date not null,
  bill_id bigint not null,
  service_bill_id bigint not null default 0,
  starts_on date not null,
  days int not null default 0 check (days >= 0),
  billed_month date not null check (extract(day from billed_month) = 1),
  fiscal_month date not null check (extract(day from fiscal_month) = 1),
  billable_account_id bigint,
  supply_account_id bigint,
  facility_id bigint,
  utility_service_id bigint,
  cost numeric(14,2) not null default 0,
  utility_cost numeric(14,2) not null default 0,
  supply_cost numeric(14,2) not null default 0,
  other_cost numeric(14,2) not null default 0,
  usage numeric(20,6),
  supply_usage numeric(20,6),
  billed_kg numeric(20,6) not null default 0,
  fiscal_kg numeric(20,6) not null default 0,
  primary key (client_id, service_id, account_key, ends_on, bill_id, service_bill_id),
  constraint bill_line_facts_owner check ((service_id = 0) = (account_key <> 0)),
  constraint bill_line_facts_cost check (cost = utility_cost + supply_cost + other_cost),
  constraint bill_line_facts_days check (ends_on >= starts_on and days in (0, ends_on - starts_on))
);
create index bill_line_facts_billed on bill_line_facts (client_id, billed_month);
create index bill_line_facts_fiscal on bill_line_facts (client_id, fiscal_month);
create index bill_line_facts_facility on bill_line_facts (client_id, facility_id);
create index bill_line_facts_billable on bill_line_facts (client_id, billable_account_id);
create index bill_line_facts_supply on bill_line_facts (client_id, supply_account_id) where supply_account_id is not null;

-- The clients whose bills were saved before: a job makes their facts anew and takes them off this list (src/server/month-facts/fact-jobs.ts). A
-- bill that is saved meanwhile writes its own lines only, so the list and not the presence of rows says what is missing.
create table line_facts_due (
  client_id bigint primary key
);
insert into line_facts_due select distinct client_id from service_month_facts;
