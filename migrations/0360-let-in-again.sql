-- Who lets an inactive person in again is tied to them: the account may have been nobody's for years.
alter table user_ties drop constraint user_ties_kind_check;
alter table user_ties add constraint user_ties_kind_check
  check (kind in ('made', 'enabled', 'granted', 'widened', 'password', 'password_recovered', 'email', 'factor'));
