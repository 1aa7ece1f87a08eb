-- The order in which a client's waiting documents are read, short ones first, so that the next one is found without sorting all of them. The
-- bound of three pages is that of src/server/bill-scans/scan-turns.ts. The index that was there had no place for it. The second index counts
-- what is being read of a client.
create index bill_scans_next on bill_scans (lane, client_id, (coalesce(pages, 0) - pages_read - pages_failed > 3), updated_at, id) where state = 'waiting';
create index bill_scans_reading on bill_scans (client_id, lane) where state = 'reading';
drop index bill_scans_to_read;
