/** The facts that a bill's status follows from, and the conditions of a rule. */

/**
 * The status of a bill and its locked fields. The status is never stored. Its rules are data, so that the server can turn the same rules into a
 * filter: a bill has a status if that rule holds and no earlier one does.
 */

export interface StatusFacts {
  /** The rebill that replaced this bill. */
  readonly superseded_by_id: number | null
  readonly finalized: boolean
  readonly paid: boolean
  readonly vendor_payment_id: number | null
  /** Whether the payment batch of its vendor payment is a global one; null without a vendor payment. */
  readonly payment_batch_is_global: boolean | null
  readonly parked: boolean
  readonly qc: boolean
  /** Open E and E! findings of the bill and of its lines. */
  readonly open_errors: number
  /** Open E! findings, which are also counted in open_errors. */
  readonly open_blocking: number
  /** Whether a linked supply bill has an open E or E! finding. */
  readonly any_linked_errors: boolean
  readonly accounting_batch_id: number | null
  readonly accounting_batch_closed: boolean | null
  readonly accounting_batch_invoiced: boolean | null
  /** Names of empty required fields; only imports, retrieval and autosave leave any. */
  readonly missing_fields: readonly string[]
}

type IdFact = 'superseded_by_id' | 'vendor_payment_id' | 'accounting_batch_id'
type CountFact = 'open_errors' | 'open_blocking'
type YesNoFact = Exclude<keyof StatusFacts, IdFact | CountFact | 'missing_fields'>

/** One condition on a bill: an id is set, a flag is true, a count is above zero, a list is not empty. */
export type StatusCondition =
  | { readonly fact: IdFact; readonly is: 'set' }
  | { readonly fact: YesNoFact; readonly is: 'true' }
  | { readonly fact: CountFact; readonly is: 'positive' }
  | { readonly fact: 'missing_fields'; readonly is: 'not_empty' }

/** All conditions of `all` hold, and at least one of `any` if it is not empty. */
export interface StatusRule {
  readonly all: readonly StatusCondition[]
  readonly any: readonly StatusCondition[]
}
