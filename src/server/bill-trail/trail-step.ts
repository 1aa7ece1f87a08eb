import type { TrailFact, TrailStep, TrailStepKey } from '#contract/bill-trail/bill-trail.ts'

/** The stored bill whose trail is read. */
export interface TrailedBill {
  readonly id: number
  readonly client_id: number
  readonly account_number: string
  readonly vendor_name: string | null
  readonly date: string
  readonly balance_forward: string
  readonly current_charges: string
  readonly late_fee: string
  readonly amount_due: string
  readonly amount_paid: string | null
  /** Paid or finalized. */
  readonly paid: boolean
  readonly source: string
  readonly created_at: string
  readonly created_by: number | null
  readonly superseded_by_id: number | null
  readonly group_bill_id: number | null
  readonly vendor_payment_id: number | null
  readonly accounting_batch_id: number | null
}

const blank = { charged: null, booked: null, paid: null, mark: null, why: null }

/** Returns a step that the bill has reached. */
export function step(key: TrailStepKey, facts: TrailFact[], rest: Partial<Omit<TrailStep, 'key' | 'state' | 'facts'>> = {}): TrailStep {
  return { ...blank, ...rest, key, state: 'there', facts }
}

/** Returns a step that the bill has not reached, and why if that is known. */
export function noStep(key: TrailStepKey, why: string | null = null): TrailStep {
  return { ...blank, key, state: 'none', why, facts: [] }
}

export function hiddenStep(key: TrailStepKey): TrailStep {
  return { ...blank, key, state: 'hidden', why: 'Your role does not read this', facts: [] }
}

/** Compares a figure with the one that it must equal. */
export function compared(one: string, other: string, why: string): Pick<TrailStep, 'mark' | 'why'> {
  return one === other ? { mark: 'equal', why: null } : { mark: 'broken', why }
}

export function fact(text: string, rest: Partial<Omit<TrailFact, 'text'>> = {}): TrailFact {
  return { text, amount: null, at: null, by: null, link: null, ...rest }
}
