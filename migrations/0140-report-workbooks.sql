-- A report may have a workbook beside its other files, where its maker asks for one.
alter table generated_reports add column workbook boolean not null default false;
alter table generated_reports add column workbook_file_id bigint;
alter table generated_reports add constraint generated_reports_workbook_file_id_fkey
  foreign key (workbook_file_id) references files (id);
create index generated_reports_workbook_file on generated_reports (workbook_file_id) where workbook_file_id is not null;
