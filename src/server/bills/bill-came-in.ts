/** State of a bill on the day it was received, in SQL: its audits start from there. */
import { historyAfterDays } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'

const cameOn = sql<string>`(bills.created_at at time zone 'America/New_York')::date`

/** True if the bill was past due when it was received, so that it is not compared with today. */
export const wasOver = sql<boolean>`(bills.source <> 'typed' and bills.due_date < ${cameOn})`

/** Day on which the bill was received as history, as defined by `isHistory` of the contract; null if it was not. */
export const historyImportOn = sql<
  string | null
>`case when bills.source <> 'typed' and bills.date < ${cameOn} - ${sql.lit(historyAfterDays)}::int then ${cameOn} end`
