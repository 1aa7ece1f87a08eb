-- A test file for a bank: it pays nothing, so it has neither batches nor payments. It belongs to the client whose bank profile it names; 0 is
-- the provider. Its modifiers of the day are counted apart from those of real files.
alter table global_batch_files drop constraint global_batch_files_purpose_check;
alter table global_batch_files add constraint global_batch_files_purpose_check
  check (purpose in ('payment', 'companion', 'accounting', 'test'));
alter table global_batch_files add column test_client_id bigint;
alter table global_batch_files add constraint global_batch_files_test_client check ((purpose = 'test') = (test_client_id is not null));
alter table global_batch_files drop constraint global_batch_files_immediate_destination_immediate_origin_c_key;
create unique index global_batch_files_identity
  on global_batch_files (immediate_destination, immediate_origin, creation_date, file_id_modifier, (purpose = 'test'));
alter table payment_file_counters add column is_test boolean not null default false;
alter table payment_file_counters drop constraint payment_file_counters_pkey;
alter table payment_file_counters add primary key (destination, origin, day, is_test);
