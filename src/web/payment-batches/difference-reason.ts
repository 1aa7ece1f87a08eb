/** The reason why not all of a bill is paid, as a clerk picks or pastes it. */
import { differenceReasons, type PaymentBill } from '#contract/payment-batches/payment-bill.ts'

export type DifferenceReason = PaymentBill['difference_reason']

export const reasonOptions = [{ value: '', label: 'Not said' }, ...differenceReasons]

/** Parses a reason from its label or its wire name, so that a block can be pasted; empty text clears it. */
export function parseReason(text: string): { value: string } | { error: string } {
  const typed = text.trim().toLowerCase()
  if (typed === '' || typed === 'not said') return { value: '' }
  const found = differenceReasons.find(({ value, label }) => value === typed || label.toLowerCase() === typed)
  return found ? { value: found.value } : { error: `One of: ${differenceReasons.map(({ label }) => label).join(', ')}` }
}

export function reasonFrom(text: string): DifferenceReason {
  return differenceReasons.find(({ value }) => value === text)?.value ?? null
}

interface Paid {
  readonly amount_due: string
  readonly amount_paid: string
  readonly difference_reason: DifferenceReason
}

/** Returns the label of the reason, or a placeholder if a part is unpaid without a reason. */
export function reasonOf({ amount_due, amount_paid, difference_reason: reason }: Paid): string {
  if (amount_due === amount_paid) return ''
  return differenceReasons.find(({ value }) => value === reason)?.label ?? 'Not said'
}
