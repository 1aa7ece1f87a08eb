/** Corrects a vendor's bank details as a bank's notice of change says. */

export interface CorrectedDetails {
  readonly po_box?: string
  readonly payment_identifier?: string
  readonly account_type?: 'checking' | 'savings' | 'general_ledger' | 'loan'
  readonly account_holder?: string
}

const typeOfDigit = { '2': 'checking', '3': 'savings', '4': 'general_ledger', '5': 'loan' } as const

/**
 * Reads the 29 characters of a notice by its code. @returns null for a code that changes nothing of a vendor, and 'unreadable' where the
 * characters are not what the code announces: an account that was guessed would be paid.
 */
export function correctedDetails(code: string, corrected: string): CorrectedDetails | null | 'unreadable' {
  const text = corrected.trim()
  switch (code) {
    case 'C01':
      return checked({ payment_identifier: text })
    case 'C02':
      return checked({ po_box: text })
    case 'C03': {
      const [, po_box, payment_identifier] = /^(\d{9})\s*(\S+)$/.exec(text) ?? []
      return checked({ po_box, payment_identifier })
    }
    case 'C04':
      return text === '' ? 'unreadable' : { account_holder: text.slice(0, 22).trim() }
    case 'C05':
      return checked({ type: text })
    case 'C06': {
      const [, payment_identifier, type] = /^(\S{1,17})\s+(\d\d)$/.exec(text) ?? []
      return checked({ payment_identifier, type })
    }
    case 'C07': {
      const [, po_box, payment_identifier, type] = /^(\d{9})(\S{1,17})\s+(\d\d)$/.exec(text) ?? /^(\d{9})(\S{17})(\d\d)$/.exec(text) ?? []
      return checked({ po_box, payment_identifier, type })
    }
    default:
      return null
  }
}

interface Parts {
  readonly po_box?: string | undefined
  readonly payment_identifier?: string | undefined
  readonly type?: string | undefined
}

/** Every part that the code announces must be there and look like one. */
function checked(parts: Parts): CorrectedDetails | 'unreadable' {
  const { po_box, payment_identifier, type } = parts
  if ('po_box' in parts && (po_box === undefined || !/^\d{9}$/.test(po_box))) return 'unreadable'
  if ('payment_identifier' in parts && (payment_identifier === undefined || !/^[A-Za-z0-9-]{4,17}$/.test(payment_identifier)))
    return 'unreadable'
  const [digit] = type ?? ''
  const account_type =
    digit === '2' || digit === '3' || digit === '4' || digit === '5'
      ? /^[2345][1-9]$/.test(type ?? '')
        ? typeOfDigit[digit]
        : undefined
      : undefined
  if ('type' in parts && account_type === undefined) return 'unreadable'
  return {
    ...(po_box === undefined ? {} : { po_box }),
    ...(payment_identifier === undefined ? {} : { payment_identifier }),
    ...(account_type === undefined ? {} : { account_type }),
  }
}
