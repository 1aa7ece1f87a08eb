-- A mailed link is for the mailbox that it was sent to: it ends when the account moves to another address.
alter table one_time_links add column email text;
update one_time_links set email = users.email from users where users.id = one_time_links.user_id;
alter table one_time_links alter column email set not null;

-- A password that somebody else has set stays in the ties after a mailed link has replaced it: two people knew it for a while.
alter table user_ties drop constraint user_ties_kind_check;
alter table user_ties add constraint user_ties_kind_check
  check (kind in ('made', 'granted', 'widened', 'password', 'password_recovered', 'email', 'factor'));

-- The rights that the writer of a file held: it is given to nobody who has lost one of them since.
alter table files add column rights jsonb;
