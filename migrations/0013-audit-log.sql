-- The audit log asks what has lain below a division, a facility or an account, also what was deleted since: few rows, found by themselves.

create index audit_records_destroyed on audit_records (client_id, item_type, item_id) where event = 'destroy';

-- Seen: the bell was opened since. Read: the person has followed it, or has said that all is read.
-- Muted: the person wants no word of this kind; screens still hear of it, so that they show what is new.

alter table notifications add column read_at timestamptz;

alter table notifications add column muted boolean not null default false;

update notifications set read_at = seen_at;

create index notifications_unread on notifications (user_id, id) where read_at is null and not muted;
