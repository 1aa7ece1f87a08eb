/**
 * What a client's bills owe, month by month: entered, paid, taken back, voided, and the roll-forward of what is unpaid. A bill of a group's child
 * owes nothing itself, because its group's bill does.
 */
import { addDays, firstDayOf, lastDayOf, type CalendarMonth } from '#contract/kernel/date.ts'
import { subtractMoney, sumMoney } from '#contract/kernel/money.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../kernel/postgres/database.ts'

export interface Figure {
  readonly month: string
  readonly item: string
  readonly count: number
  readonly amount: string | null
}

/** Rows of `month`, `first` and `next`: the first day of the month and of the following month. */
export function monthRows(months: readonly CalendarMonth[]): RawBuilder<unknown> {
  return sql`unnest(${months}::text[], ${months.map(firstDayOf)}::date[], ${months.map((month) => addDays(lastDayOf(month), 1))}::date[]) as asked(month, first, next)`
}

const newYorkDay = (at: RawBuilder<unknown>) => sql`(${at} at time zone 'America/New_York')::date`
const paymentType = sql`coalesce(payment_batch.paid_as, payment.payment_method, 'No payment recorded')`
const paymentDay = sql`coalesce(payment.payment_date, ${newYorkDay(sql`payment_batch.paid_at`)}, bill.due_date)`

function paymentJoins(clientId: number, payment: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`left join vendor_payments payment on payment.client_id = ${clientId} and payment.id = ${payment}
    left join payment_batches payment_batch on payment_batch.client_id = ${clientId} and payment_batch.id = payment.payment_batch_id`
}

/**
 * `life`: the times in which each bill was owed, with the day and the reason of their ends. A payment that was taken back has ended one, and the
 * day on which it was taken back begins the next, so that a closed month stays as it was. `charged` is what the bill adds to what was owed
 * before. A bill that was paid or replaced before it was entered, such as imported history, ends on the day of its entry.
 */
function lives(clientId: number): RawBuilder<unknown> {
  return sql`bill as materialized (
      select bills.id, bills.date, bills.due_date, bills.superseded_by_id, bills.current_charges + bills.late_fee as charged, bills.amount_due, bills.amount_paid,
        bills.vendor_payment_id, bills.paid or bills.finalized as is_paid, ${newYorkDay(sql`bills.created_at`)} as entered_on,
        ${newYorkDay(sql`successor.created_at`)} as void_on
      from bills left join bills successor on successor.client_id = ${clientId} and successor.id = bills.superseded_by_id
      where bills.client_id = ${clientId} and bills.group_bill_id is null),
    returned as materialized (
      select bill.id, reversal.vendor_payment_id, reversal.amount, ${paymentType} as payment_type, least(${paymentDay}, reversal.reversed_date) as paid_on,
        greatest(bill.entered_on, reversal.reversed_date) as back_on, row_number() over (partition by bill.id order by reversal.reversed_date, reversal.id) as turn
      from payment_reversals reversal join bill on bill.id = reversal.bill_id ${paymentJoins(clientId, sql`reversal.vendor_payment_id`)}
      where reversal.client_id = ${clientId}),
    owed as (
      select bill.id, bill.charged, coalesce(earlier.back_on, bill.entered_on) as owed_from, earlier.id is not null as again, returned.paid_on, null::date as void_on,
        returned.payment_type, returned.amount as amount_paid, returned.vendor_payment_id
      from returned join bill on bill.id = returned.id left join returned earlier on earlier.id = returned.id and earlier.turn = returned.turn - 1
      union all
      select bill.id, bill.charged, coalesce(earlier.back_on, bill.entered_on), earlier.back_on is not null, case when bill.is_paid then ${paymentDay} end, bill.void_on,
        ${paymentType}, coalesce(bill.amount_paid, bill.amount_due), bill.vendor_payment_id
      from bill left join (select id, max(back_on) as back_on from returned group by id) earlier on earlier.id = bill.id
      ${paymentJoins(clientId, sql`bill.vendor_payment_id`)}),
    life as materialized (
      select owed.*, case when paid_on is not null or void_on is not null then greatest(owed_from, least(paid_on, void_on)) end as ended_on,
        case when paid_on is not null and (void_on is null or greatest(owed_from, paid_on) < greatest(owed_from, void_on)) then 'paid' when void_on is not null then 'void' end as ended_by
      from owed)`
}

const within = (day: RawBuilder<unknown>) => sql`${day} >= asked.first and ${day} < asked.next`
const ended = (by: 'paid' | 'void') => sql`life.ended_by = ${by} and ${within(sql`life.ended_on`)}`
const entered = sql`not life.again and ${within(sql`life.owed_from`)}`

function countedLives(months: readonly CalendarMonth[]) {
  return (item: string, where: RawBuilder<unknown>) =>
    sql`select asked.month, ${item}::text as item, count(life.id)::int as count, coalesce(sum(life.charged), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join life on ${where} group by asked.month`
}

/** What was booked counts with its amount due, and for each child of a group, as the batches do. */
export async function billFigures(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const counted = countedLives(months)
  const { rows } = await sql<Figure>`with ${lives(clientId)}
    select asked.month, 'Dated in the month' as item, count(bill.id)::int as count, coalesce(sum(bill.charged), 0)::numeric(16,2) as amount
      from ${monthRows(months)} left join bill on ${within(sql`bill.date`)} and bill.superseded_by_id is null group by asked.month
    union all ${counted('Entered', entered)}
    union all select asked.month, 'In client batches that were closed', count(booked.id)::int, coalesce(sum(booked.amount_due), 0)::numeric(16,2)
      from ${monthRows(months)} left join (select bills.id, bills.amount_due, ${newYorkDay(sql`batch.closed_at`)} as day from accounting_batches batch
        join bills on bills.client_id = ${clientId} and bills.accounting_batch_id = batch.id where batch.client_id = ${clientId}) booked
        on ${within(sql`booked.day`)} group by asked.month
    union all ${counted('Paid', ended('paid'))}`.execute(tx)
  return rows
}

/** What was paid by type, and what of it was owed by earlier bills, so that the sum is what the bills themselves were paid. */
export async function paymentFigures(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const { rows } = await sql<Figure>`with ${lives(clientId)},
    paid as materialized (select asked.month, life.* from ${monthRows(months)} join life on ${ended('paid')})
    (select month, payment_type as item, count(distinct vendor_payment_id)::int as count, sum(amount_paid)::numeric(16,2) as amount
      from paid group by month, payment_type order by month, payment_type)
    union all (select month, 'Less earlier balances', count(*)::int, sum(charged - amount_paid)::numeric(16,2)
      from paid where charged <> amount_paid group by month)`.execute(tx)
  return rows
}

/**
 * Opening plus entered plus taken back minus paid minus voided must equal closing; opening and closing are each counted directly. Throws if they
 * do not tie.
 */
export async function rollForward(tx: Tx, clientId: number, months: readonly CalendarMonth[]): Promise<Figure[]> {
  const counted = countedLives(months)
  const owedOn = (day: RawBuilder<unknown>) => sql`life.owed_from < ${day} and (life.ended_on is null or life.ended_on >= ${day})`
  const { rows } = await sql<Figure>`with ${lives(clientId)}
    ${counted('Opening unpaid', owedOn(sql`asked.first`))}
    union all ${counted('Entered', entered)}
    union all ${counted('Payments taken back', sql`life.again and ${within(sql`life.owed_from`)}`)}
    union all ${counted('Paid', ended('paid'))}
    union all ${counted('Voided', ended('void'))}
    union all ${counted('Closing unpaid', owedOn(sql`asked.next`))}`.execute(tx)
  for (const month of months) {
    const of = (item: string): string => rows.find((row) => row.month === month && row.item === item)?.amount ?? '0.00'
    const more = sumMoney([of('Opening unpaid'), of('Entered'), of('Payments taken back')])
    if (subtractMoney(more, sumMoney([of('Paid'), of('Voided')])) !== of('Closing unpaid'))
      throw new Error(`the unpaid bills of client ${clientId} do not roll forward in ${month}`)
  }
  return rows
}
