-- What an import remarks on rows that can be stored, as c (what it is about) and m (what is said): the findings of a bill. In imports
-- they are counted over all rows by what they are about
alter table import_outcomes add column notes jsonb;
alter table imports add column note_counts jsonb not null default '{}';
