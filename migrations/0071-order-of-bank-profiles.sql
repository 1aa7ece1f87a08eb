-- Lists sort and filter these texts as people do (0060).
alter table originating_profiles
  alter column bank_name type text collate natural_order,
  alter column company_name type text collate natural_order,
  alter column company_id type text collate natural_order,
  alter column routing_number type text collate natural_order;
