-- What names the file of a fetched statement is sorted as its other texts are.
alter table retrieval_statements
  alter column file_id type text collate natural_order;
