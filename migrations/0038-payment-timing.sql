-- That a bill is overdue or must be paid in a hurry is a matter of its payment, told by exceptions and badges, and no fault of its data:
-- the warnings of due_date that are open go, its errors stay
with gone as (
  update bill_findings set resolved_at = now(), reason = 'No longer found', gone_by = 'settings'
  where code = 'due_date' and severity = 'W' and resolved_at is null
  returning client_id, id, bill_id, message
), told as (
  insert into bill_finding_events (client_id, finding_id, event, reason, was)
  select client_id, id, 'gone', 'settings', message from gone
), counted as (
  select client_id, bill_id, count(*)::int as warnings from gone group by client_id, bill_id
)
update bills set open_warnings = greatest(open_warnings - counted.warnings, 0) from counted
where bills.client_id = counted.client_id and bills.id = counted.bill_id;
