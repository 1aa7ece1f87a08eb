/**
 * The first payment to a vendor after a change of what it is paid by: its bank details for ACH, its payee for papers and other ways. The exporter
 * confirms it by name.
 */
import { z } from 'zod'
import { formatDate } from '../kernel/date.ts'
import { NEW_YORK, todayIn } from '../kernel/zone.ts'
import { sum } from '../payment-batches/payment-bill.ts'

/** A change of bank details, as a payment after it names it. */
export const bankChangeBefore = z.object({ changed_at: z.string(), changed_by_name: z.string() })
export type BankChangeBefore = z.infer<typeof bankChangeBefore>

/** 'payee' is the vendor's name, its address or its payment methods. */
export const changedParts = ['bank', 'payee'] as const
export type ChangedPart = (typeof changedParts)[number]

/** The sum that an export pays to a vendor for the first time since the change. */
export const firstPayment = z.object({
  vendor_id: z.int(),
  vendor_name: z.string(),
  changed: z.enum(changedParts),
  ...bankChangeBefore.shape,
  amount: sum,
})
export type FirstPayment = z.infer<typeof firstPayment>

/** The exporter confirms this change of this vendor; a later change needs a confirmation of its own. */
export const confirmedVendor = z.strictObject({
  vendor_id: z.int('Vendor must be an id').positive('Vendor must be an id'),
  changed_at: z.string('changed_at must be a time').max(40),
})
type ConfirmedVendor = z.infer<typeof confirmedVendor>

/** The words between 'First' and the day of the change. The file history writes them in its statement. */
export const sinceChangeWords = 'payment since the bank details changed on'

const sincePayeeWords = 'payment since the name, address or payment methods changed on'

/** 'First payment since the bank details changed on 11/20/2026 by Ann Lee'. */
export const firstPaymentText = ({
  changed_at,
  changed_by_name,
  changed = 'bank',
}: BankChangeBefore & { readonly changed?: ChangedPart }): string =>
  `First ${changed === 'bank' ? sinceChangeWords : sincePayeeWords} ${formatDate(todayIn(NEW_YORK, changed_at))} by ${changed_by_name}`

/** Returns the first payments that nobody has confirmed, in their order. */
export function unconfirmed<F extends Pick<FirstPayment, 'vendor_id' | 'changed_at'>>(
  first: readonly F[],
  confirmed: readonly ConfirmedVendor[],
): F[] {
  const known = new Set(confirmed.map(({ vendor_id, changed_at }) => `${vendor_id} ${changed_at}`))
  return first.filter(({ vendor_id, changed_at }) => !known.has(`${vendor_id} ${changed_at}`))
}
