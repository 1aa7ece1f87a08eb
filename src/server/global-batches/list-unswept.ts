/** The list of unswept bills with its sums, and its export. */
import { globalBillCalls, type globalFilters } from '#contract/global-batches/global-bill.ts'
import type { ListInput, ListQuery } from '#contract/kernel/query.ts'
import { sql } from 'kysely'
import type { Context } from '../kernel/context.ts'
import { handle, type Handler } from '../kernel/handler.ts'
import { startExport } from '../kernel/lists/export.ts'
import { conditionsOf } from '../kernel/lists/list-conditions.ts'
import { joinsFor } from '../kernel/lists/list-source.ts'
import { and, expression, type Asked } from '../kernel/lists/list.ts'
import { askedBy, listAnswer } from '../kernel/lists/resource.ts'
import { checkedQuery } from '../kernel/lists/sources.ts'
import { globalBills, unswept } from './global-bill-source.ts'

const asked = (context: Context) => ({ ...askedBy(context, {}), ...unswept({}) })

export const unsweptHandlers: readonly Handler[] = [
  handle(globalBillCalls.list, async (context, { query }) => {
    const input = withDeskFilters(query)
    const { global_bills: bills, total } = await listAnswer(context, globalBills, input, asked(context))
    const sums = await readSums(context, checkedQuery(globalBills, input), asked(context))
    return { bills, ...(total === undefined ? {} : { total }), ...sums }
  }),
  handle(globalBillCalls.exportCsv, (context, { query }) =>
    startExport(context, globalBills, withDeskFilters(query), asked(context), globalBillCalls.exportCsv.name),
  ),
]

/** The desk's filters in the grammar of lists. */
const grammar: Readonly<Record<keyof typeof globalFilters, string>> = {
  client_ids: 'client_id_in',
  vendor_ids: 'vendor_id_in',
  payment_method_names: 'payment_method_in',
  due_date_lteq: 'due_date_lteq',
  due_date_gteq: 'due_date_gteq',
  amount_due_gteq: 'amount_due_gteq',
  amount_due_lteq: 'amount_due_lteq',
}

/** Accepts the desk's filters plain or in `q`; an empty filter restricts nothing. */
function withDeskFilters<Input extends ListInput>(input: Input): Input {
  const q: Record<string, NonNullable<ListInput['q']>[string]> = { ...input.q }
  for (const [key, name] of Object.entries(grammar)) {
    const sent: unknown = Reflect.get(input, key) ?? q[key]
    if (key !== name) delete q[key]
    if (sent === undefined || sent === '' || (Array.isArray(sent) && sent.length === 0)) continue
    q[name] = Array.isArray(sent) ? sent.map(String) : typeof sent === 'string' ? sent : JSON.stringify(sent)
  }
  return { ...input, ...blank, q }
}

const blank = Object.fromEntries(Object.keys(grammar).map((key) => [key, undefined]))

interface Sums {
  readonly amount_due_total: string
  readonly amount_paid_total: string
  readonly min_amount_due: string | null
  readonly max_amount_due: string | null
}

/**
 * Sums in one pass over the bills that match the filters without the amount bounds: the bounds select the summed bills, and all bills define the
 * range of the slider.
 */
async function readSums({ tx }: Context, query: ListQuery, within: Asked): Promise<Sums> {
  const isBound = (key: string, predicate: string): boolean => key === 'amount_due' && (predicate === 'gteq' || predicate === 'lteq')
  const others = query.filters.filter(({ key, predicate }) => !isBound(key, predicate))
  const bounds = query.filters.filter(({ key, predicate }) => isBound(key, predicate))
  const where = conditionsOf(globalBills, { ...query, filters: others }, within)
  const inBounds = and(
    bounds.map(({ predicate, value }) =>
      predicate === 'gteq' ? sql<boolean>`bills.amount_due >= ${value}::numeric` : sql<boolean>`bills.amount_due <= ${value}::numeric`,
    ),
  )
  const { rows } = await sql<Sums>`select coalesce(sum(bills.amount_due) filter (where ${inBounds}), 0)::numeric(14,2) as amount_due_total,
      coalesce(sum(${expression(globalBills, 'amount_paid', within)}) filter (where ${inBounds}), 0)::numeric(14,2) as amount_paid_total,
      min(bills.amount_due) as min_amount_due, max(bills.amount_due) as max_amount_due
    from bills ${joinsFor(globalBills, ['amount_paid', ...where.keys])} where ${and(where.conditions)}`.execute(tx)
  const [sums] = rows
  if (!sums) throw new Error('a sum answered no row')
  return sums
}
