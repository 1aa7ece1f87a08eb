/**
 * The rule of contract/bill-calendar/calendar-rule.ts in SQL, for filters, totals and files, which read all accounts of a client. A test
 * compares the two on random bills.
 */
import { calendarMonthCount, calendarMonthsAt, calendarSince, lateDaysMax } from '#contract/bill-calendar/calendar-rule.ts'
import {
  gapPercent,
  periodDaysMax,
  receiptDaysDefault,
  receiptDaysMax,
  rhythmBillsMin,
  toleranceDaysMax,
} from '#contract/bill-calendar/calendar-months.ts'
import { firstDayOf } from '#contract/kernel/date.ts'
import { sql, type RawBuilder } from 'kysely'
import { accountTables, type AccountKind } from '../estate/estate.ts'

/** The bills of an account and of its group; a replaced bill covers nothing. */
export function billsOf(kind: AccountKind): RawBuilder<unknown> {
  const { table, key, group } = accountTables[kind]
  return sql`bills.client_id = ${sql.ref(`${table}.client_id`)} and ${sql.ref(`bills.${key}`)} = any(array[${sql.ref(`${table}.id`)}, ${sql.ref(`${table}.${group}`)}])
    and bills.superseded_by_id is null`
}

/** Whether an account has bills from before the calendar's period. */
export function billedBefore(kind: AccountKind, today: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from bills where ${billsOf(kind)} and bills.date < ${calendarSince(today)}::date)`
}

/** Counts over the months of an account, as a lateral join. */
export function calendarCounts(kind: AccountKind, today: string): RawBuilder<unknown> {
  return sql`left join lateral (
    select *, case when missing > 0 then 'missing' when late > 0 then 'late' else 'complete' end as state from (
      select count(*) filter (where state = 'late')::int as late, count(*) filter (where state = 'missing')::int as missing,
        string_agg(to_char(month, 'YYYY-MM'), '; ' order by month) filter (where state = 'late') as late_months,
        string_agg(to_char(month, 'YYYY-MM'), '; ' order by month) filter (where state = 'missing') as missing_months,
        min(expected_on) filter (where state = 'expected') as next_expected
      from (${monthsOf(kind, today)}) cell) counted) calendar on true`
}

/** The months of one account row with their states. */
function monthsOf(kind: AccountKind, today: string): RawBuilder<unknown> {
  return sql`select month, expected_on, case when expected_on is null then case when covered && span then 'billed' else 'none' end
      when ${today}::date - expected_on <= 0 then 'expected' when ${today}::date - expected_on <= ${lateDaysMax}::int then 'late' else 'missing' end as state
    from (
      select month, span, covered, case when is_gap then since + ((last_day - since) / days + 1) * days + wait end as expected_on
      from (
        select open.*, upper(gaps) - 1 as last_day, greatest(upper(covered * datemultirange(daterange(null, upper(gaps) - 1))), start) as since,
          length >= least(${toleranceDaysMax}::int, (days + 1) / 2)
            and (length * 100 >= ${gapPercent}::int * (upper(in_force) - lower(in_force)) or length * 2 >= days) as is_gap
        from (
          select spans.*, (select coalesce(sum(upper(gap) - lower(gap)), 0)::int from unnest(gaps) gap) as length
          from (${spansOf(kind, today)}) spans) open) judged) due`
}

/** Each month with the days on which the account is active, and those of them that no bill covers. */
function spansOf(kind: AccountKind, today: string): RawBuilder<unknown> {
  const { table } = accountTables[kind]
  const [first = ''] = calendarMonthsAt(today)
  const active = sql.ref(`${table}.active`)
  const end = sql`least(upper(span), ${sql.ref(`${table}.effective_to`)} + 1)`
  return sql`select dated.*, datemultirange(in_force) - covered as gaps
    from (
      select rhythm.*, lower(span) as month, span, case when ${active} and greatest(lower(span), start) < ${end}
        then daterange(greatest(lower(span), start), ${end}) else 'empty'::daterange end as in_force
      from (${rhythmOf(kind, today)}) rhythm
      cross join lateral (select daterange((${firstDayOf(first)}::date + make_interval(months => place))::date,
        (${firstDayOf(first)}::date + make_interval(months => place + 1))::date) as span from generate_series(0, ${calendarMonthCount - 1}::int) place) month) dated`
}

/** One row per account: the days its bills cover, its interval between bills, its waiting time, and the day from which bills are expected. */
export function rhythmOf(kind: AccountKind, today: string): RawBuilder<unknown> {
  const { table } = accountTables[kind]
  const of = (column: string) => sql.ref(`${table}.${column}`)
  const usual = sql`(case ${of('billing_period')} when 0 then 7 when 1 then 14 when 3 then 91 else ${of('billing_cycle')} end)`
  return sql`select coalesce(covered, '{}') as covered, coalesce(case when plain_bills >= ${rhythmBillsMin}::int then rhythm end, ${usual}) as days,
      coalesce(wait, ${receiptDaysDefault}::int) as wait,
      coalesce(${of('effective_from')}, case when ${billedBefore(kind, today)} then ${calendarSince(today)}::date
        else coalesce(first_day, (${of('created_at')} at time zone 'America/New_York')::date) end) as start
    from (
      select range_agg(daterange(from_day, to_day)) as covered, min(from_day) as first_day, count(*) filter (where plain) as plain_bills,
        percentile_disc(0.5) within group (order by to_day - from_day) filter (where plain) as rhythm, percentile_disc(0.5) within group (order by wait) as wait
      from (
        select plain, case when plain then previous_read_date else date - ${usual} end as from_day, case when plain then read_date else date end as to_day,
          case when not plain then null when received_on - read_date between 0 and ${receiptDaysMax}::int then received_on - read_date
            when date - read_date between 0 and ${receiptDaysMax}::int then date - read_date end as wait
        from (
          select bills.date, bills.previous_read_date, bills.read_date, (bills.created_at at time zone 'America/New_York')::date as received_on,
            (bills.previous_read_date < bills.read_date and bills.read_date - bills.previous_read_date <= ${periodDaysMax}::int) is true as plain
          from bills where ${billsOf(kind)} and bills.date >= ${calendarSince(today)}::date) bill) period) heard`
}
