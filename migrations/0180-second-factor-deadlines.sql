-- Until when somebody whose role requires a second factor signs in without one.
create table second_factor_deadlines (
  user_id bigint primary key references users (id) on delete cascade,
  due_at timestamptz not null
);
