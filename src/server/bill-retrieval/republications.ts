/**
 * Services publish a statement again under a new id when its file changes. Of several with one account, kind, date and period the latest
 * counts, unless a bill was made from an earlier one: then the later one repeats it, or corrects it if its amounts differ.
 */
import type { StatementKind, StatementState } from '#contract/bill-retrieval/statement.ts'

export interface Sibling {
  readonly id: number
  readonly provider: string
  readonly provider_name: string
  readonly account_number: string
  readonly statement_id: string
  readonly kind: StatementKind
  readonly statement_date: string | null
  readonly interval_start: string | null
  readonly interval_end: string | null
  readonly amount_due: string | null
  readonly current_charges: string | null
  readonly state: StatementState
  readonly bill_id: number | null
}

/** Returns the statements that repeat another one, with the reason, which names the other. Ids ascend in the order of publication. */
export function republications(siblings: readonly Sibling[]): Map<number, string> {
  const groups = [...Map.groupBy(siblings, publicationKey).values()].filter((group) => group.length > 1)
  return new Map(
    groups.flatMap((group) =>
      group.flatMap((own) => {
        const reason = reasonOf(own, group)
        return reason === null ? [] : [[own.id, reason] as const]
      }),
    ),
  )
}

function reasonOf(own: Sibling, group: readonly Sibling[]): string | null {
  const made = group.find((one) => one.id !== own.id && one.state === 'created')
  if (made) return isSameMoney(made, own) ? `Bill ${made.bill_id} was made of it as statement ${made.statement_id}` : null
  const later = group.filter((one) => one.id > own.id).toSorted((a, b) => b.id - a.id)[0]
  return later ? `Published again as statement ${later.statement_id}` : null
}

function publicationKey(one: Sibling): string {
  return JSON.stringify([
    one.provider,
    one.provider_name,
    one.account_number,
    one.kind,
    one.statement_date,
    one.interval_start,
    one.interval_end,
  ])
}

function isSameMoney(a: Sibling, b: Sibling): boolean {
  return a.amount_due === b.amount_due && a.current_charges === b.current_charges
}
