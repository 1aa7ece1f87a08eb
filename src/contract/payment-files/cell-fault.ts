/** Says why a value does not fit its column, with the line and the column of the file. */
import { paymentNumber } from '../payment-batches/vendor-payment.ts'
import type { CellFault } from './layout-rows.ts'
import { columnSources } from './layout-sources.ts'

/** 'Bill 12 of City Power: Notes has more than 20 characters (line 3, column 14)'. */
export function cellFaultText(fault: CellFault): string {
  const { column, line, place } = fault
  const label = column.source === null ? column.heading : columnSources[column.source].label
  return `${whose(fault)}: ${label} ${saysOf(fault)} (line ${line}, column ${place}).`
}

function whose({ payment, bill }: CellFault): string {
  if (payment === null) return 'The last row'
  return bill === null ? `${paymentNumber(payment.id)} to ${payment.vendor.name}` : `Bill ${bill.id} of ${payment.vendor.name}`
}

function saysOf({ column, code }: CellFault): string {
  switch (code) {
    case 'empty':
      return 'is missing'
    case 'too_long':
      return `has more than ${column.width ?? 0} characters`
    case 'no_word':
      return 'has a value that the bank knows no word for'
    case 'formula':
      return 'begins with a character that a spreadsheet would run'
    case 'characters':
      return 'has no character that the bank can read'
    case 'negative':
      return 'is below zero, and its column has zeros in front'
  }
}
