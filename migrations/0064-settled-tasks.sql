-- Records whose state long work moves follow the work when it ends undone. settled_at is empty until they have: what one process could not
-- settle, because the last run still held the records, another look does. Work that ended before this column is looked at once.
alter table tasks add column settled_at timestamptz;
create index tasks_unsettled on tasks (id) where state in ('failed', 'cancelled') and settled_at is null;
