-- A client knows a vendor by one number: its files name each vendor once, and an import finds the row by the vendor.
drop index client_vendor_numbers_vendor;
create unique index client_vendor_numbers_vendor on client_vendor_numbers (client_id, vendor_id);
