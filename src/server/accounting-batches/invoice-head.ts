/** The head of an invoice. */
import { serviceFee, type Invoice, type ServiceFeeBy } from '#contract/accounting-batches/invoice.ts'
import { centsOf, sumCents, wireOf, type Cents } from '#contract/kernel/money.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { today } from '../kernel/clock.ts'

/** Totals of several bills, in cents. */
export interface InvoiceSums {
  readonly current_charges: Cents
  readonly balance_forward: Cents
  readonly late_fee: Cents
  readonly amount_due: Cents
}

export interface InvoiceFacility extends InvoiceSums {
  readonly name: string | null
  /** Ordered as on the invoice. */
  readonly bill_ids: readonly number[]
}

export interface InvoiceDivision extends InvoiceSums {
  readonly name: string | null
  readonly facilities: readonly InvoiceFacility[]
}

export interface InvoiceLogo {
  readonly key: string
  readonly contentType: string
}

export interface HeadRow extends Pick<Invoice, 'client_name' | 'from_name' | 'remit_instructions'> {
  readonly batch_code: string
  readonly batch_date: string | null
  readonly closed: boolean
  readonly bills_due_on: string
  readonly service_fee: string
  readonly service_fee_by: ServiceFeeBy
  readonly logo: InvoiceLogo | null
}

export function headOf(row: HeadRow, divisions: readonly InvoiceDivision[]): Invoice {
  const { batch_code, batch_date, closed, bills_due_on, service_fee, service_fee_by, client_name, from_name, remit_instructions } = row
  const counts = divisions.map(({ facilities }) => facilities.reduce((sum, facility) => sum + facility.bill_ids.length, 0))
  const bill_count = counts.reduce((sum, count) => sum + count, 0)
  const fee = serviceFee(service_fee, service_fee_by, bill_count)
  const of = (key: keyof InvoiceSums): string => wireOf(sumCents(divisions.map((division) => division[key])))
  return {
    number: batch_code,
    date: batch_date === null ? today() : todayIn(NEW_YORK, batch_date),
    terms: bills_due_on,
    client_name,
    from_name,
    is_final: closed,
    bill_count,
    divisions: divisions.map((division, place) => ({
      name: division.name,
      bill_count: counts[place] ?? 0,
      facility_count: division.facilities.length,
      ...wiresOf(division),
    })),
    current_charges: of('current_charges'),
    balance_forward: of('balance_forward'),
    late_fee: of('late_fee'),
    amount_due: of('amount_due'),
    service_fee: fee.amount,
    service_fee_text: fee.text,
    total_due: wireOf(sumCents([centsOf(of('amount_due')), centsOf(fee.amount)])),
    remit_instructions,
  }
}

function wiresOf({ current_charges, balance_forward, late_fee, amount_due }: InvoiceSums) {
  return {
    current_charges: wireOf(current_charges),
    balance_forward: wireOf(balance_forward),
    late_fee: wireOf(late_fee),
    amount_due: wireOf(amount_due),
  }
}
