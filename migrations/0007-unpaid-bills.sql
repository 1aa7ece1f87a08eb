-- Unpaid bills of all clients by their due date. Without it the walk starts at bills that were paid years ago.

create index bills_unpaid_of_all on bills (due_date, id) where not paid and superseded_by_id is null;
