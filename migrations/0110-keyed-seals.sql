-- How a seal was made: 1 is SHA-256 over the row, as until now; 2 is HMAC-SHA-256 with the installation's key, which is not in the database.
alter table audit_seals add column version smallint not null default 1;

-- Which heads of the chains were kept outside the database last: their number, and the authentication code of the file that holds them. One row.
create table audit_anchors (
  id int primary key,
  number bigint not null,
  mac bytea not null,
  anchored_at timestamptz not null
);
