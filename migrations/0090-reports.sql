-- A report's state is its task's: what is said twice comes apart.
alter table generated_reports add column task_id bigint;
alter table generated_reports drop column state;
alter table generated_reports drop column rows_done;
alter table generated_reports drop column rows_total;
alter table generated_reports drop column error;
