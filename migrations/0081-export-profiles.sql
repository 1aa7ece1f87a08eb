-- Which profile made a version of an upload file, and how the version differs from the one before. bill_amounts is {bill id: what its lines but the
-- payable come to}; the profile is a number without a key, so that it can be deleted while the fact stays.
alter table accounting_batch_files
  add column export_profile_id bigint,
  add column profile_name text,
  add column bill_amounts jsonb,
  add column bills_added int,
  add column bills_removed int,
  add column amounts_changed int;

-- Lists sort this text as people do (0060).
alter table export_profiles alter column name type text collate natural_order;
