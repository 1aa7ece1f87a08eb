-- An upload file reads the lines of a batch in their order, in portions: without this index each portion sorted all lines that were left.
drop index gl_lines_batch;
create index gl_lines_batch on gl_lines (client_id, accounting_batch_id, position, id);
