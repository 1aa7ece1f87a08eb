/** Remittance information about the bills of a payment: an RMR segment, or an 820 split into addenda of 80 characters. */
import type { CalendarDate } from '../kernel/date.ts'
import { sumCents, wireOf, type Cents } from '../kernel/money.ts'
import { bankText, type CharacterSet } from './file-text.ts'
import type { BillForFile } from './payment-file.ts'

export const addendaTextLength = 80
/** Maximum length of a reference and of a name in the X12 release used here. */
export const referenceLengthMax = 30
export const partyNameLengthMax = 60

/** Returns the bill's invoice number (IV), or else the utility account number (12). */
export function referenceOf(bill: BillForFile, set: CharacterSet): { readonly qualifier: 'IV' | '12'; readonly reference: string } {
  const invoice = bankText(bill.invoice_number ?? '', set)
  return invoice === '' ? { qualifier: '12', reference: bankText(bill.account_number, set) } : { qualifier: 'IV', reference: invoice }
}

/** Returns the segment of a bill with its amount paid and amount due. */
export function remittanceSegment(bill: BillForFile, set: CharacterSet): string {
  const { qualifier, reference } = referenceOf(bill, set)
  return `RMR*${qualifier}*${reference}**${wireOf(bill.amount_paid)}*${wireOf(bill.amount_due)}\\`
}

export interface Remitted {
  readonly company_id: string
  readonly payer_name: string
  readonly payee_name: string
  readonly payment_number: string
  readonly routing_number: string
  /** In the bank's characters. */
  readonly account_number: string
  readonly account_is_savings: boolean
  readonly effective_date: CalendarDate
  readonly bills: readonly BillForFile[]
}

/** Returns the transaction set 820 in pieces; the writer of the record pads the last one. The payer's own account is never included. */
export function remittancePieces(remitted: Remitted, set: CharacterSet): string[] {
  const total: Cents = sumCents(remitted.bills.map((bill) => bill.amount_paid))
  const kind = remitted.account_is_savings ? 'SG' : 'DA'
  const day = remitted.effective_date.replaceAll('-', '')
  const body = [
    'ST*820*0001',
    `BPR*C*${wireOf(total)}*C*ACH*CTX*****${remitted.company_id}**01*${remitted.routing_number}*${kind}*${remitted.account_number}*${day}`,
    `TRN*1*${remitted.payment_number}*${remitted.company_id}`,
    `N1*PR*${remitted.payer_name}`,
    `N1*PE*${remitted.payee_name}`,
    'ENT*1',
    ...remitted.bills.flatMap((bill) => [
      remittanceSegment(bill, set).slice(0, -1),
      `REF*12*${bankText(bill.account_number, set)}`,
      `DTM*003*${bill.date.replaceAll('-', '')}`,
    ]),
  ]
  return piecesOf(`${body.join('\\')}\\SE*${body.length + 1}*0001\\`)
}

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / addendaTextLength) }, (_, at) =>
    text.slice(at * addendaTextLength, (at + 1) * addendaTextLength),
  )
}
