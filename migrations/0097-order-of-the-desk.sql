-- Lists of the desk sort these texts as people do (0060).
alter table payment_batches alter column temp_pay_method type text collate natural_order;
alter table global_batch_files
  alter column file_name type text collate natural_order,
  alter column export_type type text collate natural_order,
  alter column format type text collate natural_order;
