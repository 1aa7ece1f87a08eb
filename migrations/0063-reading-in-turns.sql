-- Documents that wait to be read are taken in turns: a client at a time, the one first whose last turn is longest ago. lane says which reader
-- the document waits for, claimed_at when a reader last took it, reading_ms what its reading has cost of a processor so far, and set_back how
-- often it had to make room for a document of another client.
alter table bill_scans add column lane text not null default 'quick', add column claimed_at timestamptz,
  add column reading_ms int not null default 0, add column set_back int not null default 0;
alter table bill_scans add constraint bill_scans_lane check (lane in ('quick', 'slow'));
create index bill_scans_to_read on bill_scans (lane, client_id, updated_at, id) where state = 'waiting';
create index bill_scans_claimed on bill_scans (client_id, claimed_at) where claimed_at is not null;
