-- What was read of a document is kept page by page, so that a run that dies goes on at the next page, and a page that cannot be read takes
-- no other with it. A page stands in state reading while a run is at it, and tries counts those runs.
create table bill_scan_pages (
  client_id bigint not null,
  scan_id bigint not null,
  page int not null check (page >= 1),
  state text not null check (state in ('reading', 'read', 'failed')),
  tries int not null default 0,
  content jsonb,
  error text,
  read_at timestamptz,
  primary key (client_id, scan_id, page),
  constraint bill_scan_pages_scan_fkey foreign key (client_id, scan_id) references bill_scans (client_id, id) on delete cascade,
  constraint bill_scan_pages_content check ((state = 'read') = (content is not null)),
  constraint bill_scan_pages_error check ((state = 'failed') = (error is not null))
);
insert into bill_scan_pages (client_id, scan_id, page, state, tries, content, read_at)
  select scan.client_id, scan.id, (page.content ->> 'page')::int, 'read', 1, page.content, coalesce(scan.read_at, scan.updated_at)
  from bill_scans scan cross join jsonb_array_elements(scan.words -> 'pages') as page(content) where scan.words is not null;

alter table bill_scans add column pages_read int not null default 0, add column pages_failed int not null default 0,
  add column taught_by_bill bigint, add column origin_page int, add column lines_found int, add column lines_missing int,
  add column kept_beside boolean not null default false, add column is_one_bill boolean not null default false;
update bill_scans set taught_by_bill = (words ->> 'taught_by_bill')::bigint where words ? 'taught_by_bill';
update bill_scans set pages_read = jsonb_array_length(words -> 'pages') where words is not null;
update bill_scans set origin_page = cut_from where cut_from is not null;
alter table bill_scans drop column words;

-- A file that was taken before is found by its bytes; what waits of a vendor is read again when something is learned of it.
create index files_sha256 on files (sha256) where sha256 is not null and state = 'attached';
create index bill_scans_read_of_vendor on bill_scans (vendor_id, id) where state = 'read';
