/** The words and links of the faults of a payment file. */
import type { BillForFile, FileFault, PaymentForFile } from './payment-file.ts'
import { formatMoney, wireOf, type Cents } from '../kernel/money.ts'

/** A fault of a payer or a whole file belongs to no single payment. */
export const nobody = { vendor_id: null, vendor_name: null, vendor_payment_id: null, batch_id: null } as const

/** The page on which the amounts paid of a payment's bills are edited. */
export function billsLink({ batch_id }: PaymentForFile): string {
  return `/global_batch/view/${batch_id}/bills`
}

export function vendorLink({ vendor }: PaymentForFile): string {
  return `/vendors/${vendor.id}/edit`
}

/** Takes a fault. The functions that run once for each payment tell their faults, so that a sound payment costs no lists. */
export type TellFault = (fault: FileFault) => void

export function when<Fault>(holds: boolean, make: () => Fault): Fault[] {
  return holds ? [make()] : []
}

export function money(cents: Cents): string {
  return formatMoney(wireOf(cents))
}

export function of(
  payment: PaymentForFile | undefined,
  code: string,
  sentence: string,
  field: string | null,
  link: string | null = null,
): FileFault {
  if (!payment) return fault(code, sentence, field)
  return {
    code,
    sentence,
    field,
    client_id: payment.payer.client_id,
    payer_name: payment.payer.name,
    profile_id: payment.profile_id,
    vendor_id: payment.vendor.id,
    vendor_name: payment.vendor.name,
    batch_id: payment.batch_id,
    vendor_payment_id: payment.id,
    bill_id: null,
    link,
  }
}

export function ofBill(payment: PaymentForFile, bill: BillForFile, code: string, sentence: string, field: string): FileFault {
  return { ...of(payment, code, sentence, field, `/bills/${bill.id}/edit`), bill_id: bill.id }
}

export function fault(code: string, sentence: string, field: string | null): FileFault {
  return {
    code,
    sentence,
    field,
    client_id: null,
    payer_name: null,
    profile_id: null,
    vendor_id: null,
    vendor_name: null,
    batch_id: null,
    vendor_payment_id: null,
    bill_id: null,
    link: null,
  }
}
