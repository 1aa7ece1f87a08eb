-- An undo gives the record a new version. What an earlier act left was the version before the one that is undone, whichever act that was:
-- it is kept, as bulk_change_items keeps it. Of what was passed on before it is not known any more, and the one before is the best guess.
alter table import_outcomes add column version_before int;
alter table import_part_outcomes add column version_before int;
update import_outcomes set version_before = lock_version - 1 where action = 'update' and lock_version is not null;
update import_part_outcomes set version_before = lock_version - 1 where action = 'update' and lock_version is not null;

-- An act on a few records that is undone looks for the imports that have changed them. Dry runs write no versions, so they are not in it.
create index import_outcomes_item on import_outcomes (item_id) where lock_version is not null;
