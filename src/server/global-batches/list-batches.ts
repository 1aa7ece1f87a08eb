/** Today's batches: the list, and the figures above it. */
import { globalBatchCalls, type GlobalBatchList } from '#contract/global-batches/global-batch.ts'
import { payTypes, type PayType } from '#contract/global-batches/pay-type.ts'
import { addMoney } from '#contract/kernel/money.ts'
import { pageSizeMax, type ListInput } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import { today } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { startExport } from '../kernel/lists/export.ts'
import { scopeCondition } from '../kernel/lists/list.ts'
import { askedBy, listAnswer } from '../kernel/lists/resource.ts'
import { ofListAndFile } from '../kernel/lists/sources.ts'
import { invalid } from '../kernel/problem.ts'
import { isCalendarDate } from '#contract/kernel/date.ts'
import { readBankValue } from './bank-value.ts'
import { madeOn, ofDay } from './desk-days.ts'
import { releasesToDecide } from './releases-to-decide.ts'
import { atDesk, effectiveTypeColumn, globalBatches, type AskedDesk } from './global-batch-source.ts'

interface DeskInput extends ListInput {
  readonly type?: PayType | undefined
  readonly today?: boolean | 'true' | 'false' | undefined
  readonly day?: string | undefined
}

export const batchListHandlers: readonly Handler[] = [
  handle(globalBatchCalls.list, (context, { query }) => readList(context, query)),
  handle(globalBatchCalls.exportCsv, (context, { query }) => {
    const { list, file } = ofListAndFile(query)
    const { type, today: isToday, day, ...rest } = globalBatchCalls.list.schemas.query.parse(list)
    const desk = atDesk(context, asked({ type, today: isToday, day }))
    return startExport(context, globalBatches, { ...rest, ...file }, desk, globalBatchCalls.exportCsv.name)
  }),
]

/** Returns the answer to every change of batches: today's list as it is now. */
export async function afterAct(context: Context, message: string, type: PayType | undefined) {
  return { success: true, message, ...(await readList(context, { type, today: true, per: pageSizeMax })) }
}

/** Returns one page of the list with the figures above it. */
export async function readList(context: Context, { type, today: isToday, day, ...input }: DeskInput): Promise<GlobalBatchList> {
  const { global_batches: batches, total } = await listAnswer(
    context,
    globalBatches,
    input,
    atDesk(context, asked({ type, today: isToday, day })),
  )
  return { batches, ...(total === undefined ? {} : { total }), ...(await readDesk(context, dayOf({ today: isToday, day }))) }
}

function asked({ type, ...of }: Pick<DeskInput, 'type' | 'today' | 'day'>): AskedDesk {
  const day = dayOf(of)
  return { type, day: day === null ? undefined : ofDay({ day }) }
}

/** The New York day of the listed batches; null for all days. */
function dayOf({ today: isToday, day }: Pick<DeskInput, 'today' | 'day'>): string | null {
  if (day !== undefined) return validDay(day)
  return isToday === true || isToday === 'true' ? today() : null
}

/** Throws 422 for a text that is not a date. */
export function validDay(day: string): string {
  if (!isCalendarDate(day)) throw invalid({ day: ['day must be a date, YYYY-MM-DD'] })
  return day
}

interface TypeRow {
  readonly type: string | null
  readonly is_paid: boolean
  readonly count: number
  readonly total: string
}

/** Returns counts and sums of the batches in reach of a day (null: all days), whatever the list shows of them. */
async function readDesk(context: Context, day: string | null): Promise<Omit<GlobalBatchList, 'batches' | 'total'>> {
  const atTheDesk = sql<boolean>`${scopeCondition(globalBatches, askedBy(context, {}))} and payment_batches.is_global
    and payment_batches.unbatched_at is null and not payment_batches.finalized`
  const inDay = day === null ? sql<boolean>`true` : madeOn(day)
  const { rows } = await sql<TypeRow>`select ${effectiveTypeColumn} as type, payment_batches.is_paid, count(*)::int as count,
      coalesce(sum((select sum(member.amount_paid) from payment_batch_bills member where member.client_id = payment_batches.client_id
        and member.payment_batch_id = payment_batches.id and member.released_at is null)), 0)::numeric(14,2) as total
    from payment_batches where ${atTheDesk} and ${inDay} group by 1, 2`.execute(context.tx)
  const { rows: earlier } = await sql<{ day: string; count: number }>`
    select (payment_batches.created_at at time zone 'America/New_York')::date as day, count(*)::int as count from payment_batches
    where ${atTheDesk} and payment_batches.created_at < (${today()}::date::timestamp at time zone 'America/New_York')
    group by 1 order by 1`.execute(context.tx)
  const open = rows.filter((row) => !row.is_paid)
  const paid = rows.filter((row) => row.is_paid)
  const bank_value = await readBankValue(context.tx)
  return {
    counts: forTypes((type) => count(open.filter((row) => row.type === type))),
    totals: forTypes((type) => total(open.filter((row) => row.type === type))),
    all_count: count(rows),
    all_total: total(rows),
    paid_count: count(paid),
    paid_total: total(paid),
    earlier_days: earlier,
    releases_waiting: (await releasesToDecide(context)).length,
    bank_value,
    batched_total: bank_value.batched_total,
    remaining: bank_value.remaining,
  }
}

const count = (rows: readonly TypeRow[]): number => rows.reduce((sum, row) => sum + row.count, 0)
const total = (rows: readonly TypeRow[]): string => addMoney(...rows.map((row) => row.total))

function forTypes<Value>(valueOf: (type: PayType) => Value): Record<PayType, Value> {
  const [ach, autopay, avid, check, overnight, np, op] = payTypes
  return {
    [ach]: valueOf(ach),
    [autopay]: valueOf(autopay),
    [avid]: valueOf(avid),
    [check]: valueOf(check),
    [overnight]: valueOf(overnight),
    [np]: valueOf(np),
    [op]: valueOf(op),
  }
}
