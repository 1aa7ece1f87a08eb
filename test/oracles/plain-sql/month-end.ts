/**
 * The Month End Report of a client in plain SQL, except its accruals: month, section, item, count and amount. Bills are told by what happened
 * to them, day by day.
 */
const day = (instant: string): string => `(${instant} at time zone 'America/New_York')::date`

export function monthEndRows(clientId: number, months: readonly string[]): string {
  const parents = `select group_bill_id from bills where client_id = ${clientId} and superseded_by_id is null and group_bill_id is not null`
  const of = `bill.client_id = ${clientId}`
  const isIn = (date: string) => `${date} >= first and ${date} < next`
  const paymentOf = (id: string) => `left join vendor_payments payment on payment.client_id = ${clientId} and payment.id = ${id}
    left join payment_batches batch on batch.client_id = ${clientId} and batch.id = payment.payment_batch_id`
  const paidOn = `coalesce(payment.payment_date, ${day('batch.paid_at')}, bill.due_date)`
  const paidAs = `coalesce(batch.paid_as, payment.payment_method, 'No payment recorded')`
  const counted = (section: string, item: string, rows: string, when: string, money = 'sum(charged)') =>
    `select month, '${section}' as section, '${item}' as item, count(*) filter (where ${when})::text as count, coalesce(${money} filter (where ${when}), 0)::numeric(16,2)::text as amount
      from months left join ${rows} on true group by month`
  const open = (item: string, when: string, money = 'current_charges + late_fee') =>
    `select month, 'Open items', '${item}', count(bill.id)::text, coalesce(sum(${money}), 0)::numeric(16,2)::text
      from months left join bills bill on ${of} and superseded_by_id is null and not paid and not finalized and date < next and ${when} group by month`
  const owed = 'bill.group_bill_id is null'
  return `with months as (select month, (month || '-01')::date as first, ((month || '-01')::date + interval '1 month')::date as next from unnest(array[${months.map((one) => `'${one}'`).join(', ')}]) month),
    own as (select bill.*, current_charges + late_fee as charged, ${day('created_at')} as entered,
        (select ${day('fresh.created_at')} from bills fresh where fresh.client_id = ${clientId} and fresh.id = bill.superseded_by_id) as replaced
      from bills bill where ${of} and ${owed}),
    back as (select bill.id, bill.charged, greatest(reversal.reversed_date, bill.entered) as on_day from payment_reversals reversal join own bill on bill.id = reversal.bill_id where reversal.client_id = ${clientId}),
    payment as (
      select bill.id, bill.charged, payment.id as payment_id, greatest(bill.entered, least(${paidOn}, reversal.reversed_date)) as on_day, ${paidAs} as paid_as, reversal.amount
      from payment_reversals reversal join own bill on bill.id = reversal.bill_id ${paymentOf('reversal.vendor_payment_id')} where reversal.client_id = ${clientId}
      union all
      select bill.id, bill.charged, payment.id, greatest(bill.entered, ${paidOn}, (select max(on_day) from back where back.id = bill.id)), ${paidAs}, coalesce(bill.amount_paid, bill.amount_due)
      from own bill ${paymentOf('bill.vendor_payment_id')} where bill.paid or bill.finalized),
    void as (
      select bill.id, bill.charged, greatest(bill.entered, bill.replaced) as on_day from own bill
      where bill.replaced is not null and not exists (select from payment where payment.id = bill.id and payment.on_day < greatest(bill.entered, bill.replaced)
        and not exists (select from back where back.id = bill.id and back.on_day >= payment.on_day))),
    paid as (select payment.* from payment where not exists (select from void where void.id = payment.id and void.on_day <= payment.on_day)),
    state as (
      select months.month, edge, bill.charged, bill.entered < at and (select count(*) from paid where paid.id = bill.id and paid.on_day < at) = (select count(*) from back where back.id = bill.id and back.on_day < at)
          and not exists (select from void where void.id = bill.id and void.on_day < at) as unpaid
      from months cross join lateral (values ('Opening unpaid', first), ('Closing unpaid', next)) edges(edge, at) cross join own bill),
    booked as (select bill.amount_due as charged, ${day('batch.closed_at')} as on_day from bills bill join accounting_batches batch on batch.client_id = ${clientId} and batch.id = bill.accounting_batch_id where ${of}),
    batch as (select batch.*, (select coalesce(sum(amount_due), 0) from bills bill where ${of} and bill.accounting_batch_id = batch.id) as charged from accounting_batches batch where batch.client_id = ${clientId}),
    account as (
      select coalesce(last_bill_date, ${day('created_at')}) as since from billable_accounts where client_id = ${clientId} and active
      union all select coalesce(last_bill_date, ${day('created_at')}) from supply_accounts where client_id = ${clientId} and active)
    ${counted('Bills', 'Dated in the month', 'own', `superseded_by_id is null and ${isIn('date')}`)}
    union all ${counted('Bills', 'Entered', 'own', isIn('entered'))}
    union all ${counted('Bills', 'In client batches that were closed', 'booked', isIn('on_day'))}
    union all ${counted('Bills', 'Paid', 'paid', isIn('on_day'))}
    union all ${counted('Client batches', 'Closed', 'batch', isIn(day('closed_at')))}
    union all ${counted('Client batches', 'Invoiced', 'batch', isIn(day('invoiced_at')))}
    union all select month, 'Payments', paid_as, count(distinct payment_id)::text, sum(amount)::numeric(16,2)::text from months join paid on ${isIn('on_day')} group by month, paid_as
    union all select month, 'Payments', 'Less earlier balances', count(*)::text, sum(charged - amount)::numeric(16,2)::text from months join paid on ${isIn('on_day')} and charged <> amount group by month
    union all ${open('In no client batch', `accounting_batch_id is null and id not in (${parents})`, 'amount_due')}
    union all ${open('In no vendor batch', `${owed} and vendor_payment_id is null`)}
    union all ${open('Parked', `${owed} and parked`)}
    union all ${open('QC', `${owed} and qc`)}
    union all ${open('Flagged', `${owed} and open_errors + open_blocking > 0`)}
    union all ${open('Past due at the end of the month', `${owed} and due_date < next`)}
    union all select month, 'Open items', 'Accounts without a bill for 30 days', count(*) filter (where since < next - 30)::text, null from months cross join account group by month
    union all select month, 'Roll-forward of unpaid bills', edge, count(*) filter (where unpaid)::text, coalesce(sum(charged) filter (where unpaid), 0)::numeric(16,2)::text from state group by month, edge
    union all ${counted('Roll-forward of unpaid bills', 'Entered', 'own', isIn('entered'))}
    union all ${counted('Roll-forward of unpaid bills', 'Payments taken back', 'back', isIn('on_day'))}
    union all ${counted('Roll-forward of unpaid bills', 'Paid', 'paid', isIn('on_day'))}
    union all ${counted('Roll-forward of unpaid bills', 'Voided', 'void', isIn('on_day'))}`
}
