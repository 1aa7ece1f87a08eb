/** How a bill stood on the day on which it came in, in SQL: its audits go on from there. */
import { historyAfterDays } from '#contract/bill-retrieval/statement-history.ts'
import { sql } from 'kysely'

const cameOn = sql<string>`(bills.created_at at time zone 'America/New_York')::date`

/** It was over when it came in, so that nothing of it is compared with today. */
export const wasOver = sql<boolean>`(bills.source <> 'typed' and bills.due_date < ${cameOn})`

/** The day on which it came as history, as `isHistory` of the contract has it; null where it did not. */
export const historyImportOn = sql<
  string | null
>`case when bills.source <> 'typed' and bills.date < ${cameOn} - ${sql.lit(historyAfterDays)}::int then ${cameOn} end`
