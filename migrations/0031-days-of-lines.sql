-- Lines that cover no day, for whoever makes the months of a service anew: they cost in the month of their bill, whenever they were read.
create index service_bills_no_days on service_bills (client_id, service_id) where (previous_read_date < read_date) is not true;
