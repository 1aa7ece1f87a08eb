-- Lists of returns sort these texts as people do (0060).
alter table bank_returns
  alter column code type text collate natural_order,
  alter column original_trace type text collate natural_order;
