/** Rules on which batches may be processed together, and the moves offered for them. */
import type { GlobalBatch } from '#contract/global-batches/global-batch.ts'
import { noPaymentMaxCents, type PayType, type TemporaryType } from '#contract/global-batches/pay-type.ts'
import { centsOf } from '#contract/kernel/money.ts'
import { exclusiveVendor } from '#contract/payment-batches/payment-mix.ts'
import type { NoticeInput } from '../ui/dialogs/notices.ts'
import { mixedVendors } from './words.ts'

type VendorsOfBatch = Pick<GlobalBatch, 'vendor_ids' | 'vendor_names' | 'exclusive_vendor_names'>

/** An exclusive vendor is alone in its batch, so the first vendor identifies the batch. */
function vendorOf({ vendor_ids, vendor_names, exclusive_vendor_names }: VendorsOfBatch) {
  return {
    vendor_id: vendor_ids[0] ?? null,
    vendor_name: exclusive_vendor_names[0] ?? vendor_names[0] ?? null,
    vendor_is_exclusive: exclusive_vendor_names.length > 0,
  }
}

/** Returns the notice why these batches may not be processed with the selected ones; null if they may. */
export function refusedTogether(chosen: readonly VendorsOfBatch[], added: readonly VendorsOfBatch[]): NoticeInput | null {
  const [first, ...others] = [...chosen, ...added].map(vendorOf)
  if (first === undefined || added.length === 0) return null
  const vendor = others.map((other) => exclusiveVendor(first, other)).find((found) => found !== null)
  return vendor === undefined || vendor === null ? null : mixedVendors('Batches', vendor, added.length > 1)
}

/** Returns the exclusive vendor that all of these batches pay and nobody else; null for batches that also pay others. */
export function onlyExclusiveVendor(chosen: readonly VendorsOfBatch[]): string | null {
  const [vendor, ...others] = new Set(chosen.flatMap(({ vendor_names }) => vendor_names))
  if (vendor === undefined || others.length > 0) return null
  return chosen.every(({ exclusive_vendor_names }) => exclusive_vendor_names.includes(vendor)) ? vendor : null
}

interface Offer {
  readonly toNp: boolean
  readonly toOp: boolean
  readonly toAvid: boolean
  /** Whether they can be moved back to their own type. */
  readonly back: boolean
}

type MovedBatch = VendorsOfBatch & Pick<GlobalBatch, 'batch_total' | 'temp_pay_method'>

/** Returns where the selected batches may be moved, on the tab of one type or on that of all. */
export function offered(chosen: readonly MovedBatch[], type: PayType | null): Offer {
  const isAll = (temp: TemporaryType) => chosen.length > 0 && chosen.every((batch) => batch.temp_pay_method === temp)
  const isSmall = chosen.every(({ batch_total }) => centsOf(batch_total) <= noPaymentMaxCents)
  return {
    toNp: type !== 'NP' && isSmall && chosen.every(({ temp_pay_method }) => temp_pay_method !== 'NP'),
    toOp: type !== 'OP' && !isAll('OP') && chosen.every(({ exclusive_vendor_names }) => exclusive_vendor_names.length === 0),
    toAvid: type === 'Check' || (type === 'Avid' && !isAll('Avid')),
    back: chosen.length > 0 && chosen.every(({ temp_pay_method }) => temp_pay_method !== null),
  }
}
