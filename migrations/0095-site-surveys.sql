-- What a site survey lists says when it was written, as every other child of a record does.
alter table contacts add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table compressors add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table motors add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table gear_boxes add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table lightings add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
alter table hvacs add column created_at timestamptz not null default now(), add column updated_at timestamptz not null default now();
-- Lists sort these texts as people do (0060).
alter table site_surveys
  alter column primary_business type text collate natural_order,
  alter column notes type text collate natural_order;
