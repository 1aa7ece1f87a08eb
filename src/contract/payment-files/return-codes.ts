/** The codes with which banks return payments (R) and ask for changes (C), as the NACHA rules list them, in words. */

/** The meaning of a return for the payment: the money is back, or banks argue about an earlier return. */
interface ReturnCode {
  readonly words: string
  readonly isBetweenBanks: boolean
}

const returned: Readonly<Record<string, string>> = {
  R01: 'Insufficient funds',
  R02: 'Account closed',
  R03: 'No account, or the account cannot be found',
  R04: 'Invalid structure of the account number',
  R05: 'Unauthorized debit to a consumer account by a corporate code',
  R06: 'Returned at the request of the sending bank',
  R07: 'Authorization revoked by the customer',
  R08: 'Payment stopped',
  R09: 'Uncollected funds',
  R10: 'The customer does not know the sender, or has not authorized it',
  R11: 'The entry does not agree with its authorization',
  R12: 'Account sold to another bank',
  R13: 'Invalid routing number',
  R14: 'Representative payee deceased or unable to continue',
  R15: 'Beneficiary or account holder deceased',
  R16: 'Account frozen',
  R17: 'The bank cannot process the entry, or finds it questionable',
  R18: 'Improper effective date',
  R19: 'Amount field error',
  R20: 'The account takes no such entries',
  R21: 'Invalid company identification',
  R22: 'Invalid individual identification number',
  R23: 'Credit refused by the receiver',
  R24: 'Duplicate entry',
  R25: 'Addenda error',
  R26: 'Mandatory field error',
  R27: 'Trace number error',
  R28: 'Check digit of the routing number is wrong',
  R29: 'Corporate customer says that it is not authorized',
  R30: 'The bank takes no part in check truncation',
  R31: 'Permissible return of a corporate entry, agreed between the banks',
  R32: 'The bank cannot settle',
  R33: 'Return of a destroyed-check entry',
  R34: 'The bank takes part with limits',
  R35: 'Return of an improper debit',
  R36: 'Return of an improper credit',
  R37: 'The source document was presented for payment',
  R38: 'Stop payment on the source document',
  R39: 'Improper source document, or it was presented for payment',
  R40: 'Enrollment returned by a federal agency',
  R41: 'Enrollment: invalid transaction code',
  R42: 'Enrollment: wrong routing number or check digit',
  R43: 'Enrollment: invalid account number',
  R44: 'Enrollment: invalid identification number',
  R45: 'Enrollment: invalid name',
  R46: 'Enrollment: invalid mark of a representative payee',
  R47: 'Enrollment: duplicate',
  R50: 'State law forbids the re-presented check',
  R51: 'The re-presented check is not eligible',
  R52: 'Stop payment on the re-presented check',
  R53: 'The check and its re-presented entry were both presented',
  R80: 'International entry: coding error',
  R81: 'International entry: the bank takes no part',
  R82: 'International entry: invalid foreign bank',
  R83: 'International entry: the foreign bank cannot settle',
  R84: 'International entry: not processed by the gateway',
  R85: 'Outbound international payment with the wrong code',
}
const betweenBanks: Readonly<Record<string, string>> = {
  R61: 'Dishonored: the return was misrouted',
  R62: 'Dishonored: return of an erroneous or reversing debit',
  R67: 'Dishonored: duplicate return',
  R68: 'Dishonored: the return came too late',
  R69: 'Dishonored: field errors in the return',
  R70: 'Dishonored: permissible return not accepted, or not requested',
  R71: 'Contested: the dishonored return was misrouted',
  R72: 'Contested: the dishonored return came too late',
  R73: 'Contested: the first return was in time',
  R74: 'Contested: the return, corrected',
  R75: 'Contested: the return was no duplicate',
  R76: 'Contested: the return has no errors',
  R77: 'Contested: the dishonored return is not accepted',
}
const changes: Readonly<Record<string, string>> = {
  C01: 'Incorrect account number',
  C02: 'Incorrect routing number',
  C03: 'Incorrect routing number and account number',
  C04: 'Incorrect name of the receiver',
  C05: 'Incorrect transaction code: another type of account',
  C06: 'Incorrect account number and transaction code',
  C07: 'Incorrect routing number, account number and transaction code',
  C08: 'Incorrect identification of the receiving bank',
  C09: 'Incorrect individual identification number',
  C10: 'Incorrect company name',
  C11: 'Incorrect company identification',
  C12: 'Incorrect company name and company identification',
  C13: 'Addenda format error',
  C14: 'Incorrect code of an outbound international payment',
  C61: 'Refused notice: misrouted',
  C62: 'Refused notice: incorrect trace number',
  C63: 'Refused notice: incorrect company identification number',
  C64: 'Refused notice: incorrect individual identification number',
  C65: 'Refused notice: badly formatted correction',
  C66: 'Refused notice: incorrect discretionary data',
  C67: 'Refused notice: the routing number is not that of the payment',
  C68: 'Refused notice: the account number is not that of the payment',
  C69: 'Refused notice: incorrect transaction code',
}

/** @returns null for a code that the list does not have. */
export function returnCodeOf(code: string): ReturnCode | null {
  const money = returned[code]
  if (money !== undefined) return { words: money, isBetweenBanks: false }
  const argued = betweenBanks[code]
  return argued === undefined ? null : { words: argued, isBetweenBanks: true }
}

/** Every code of both lists with its words, in order. */
export const bankCodes: readonly { readonly code: string; readonly words: string }[] = Object.entries({
  ...returned,
  ...betweenBanks,
  ...changes,
})
  .map(([code, words]) => ({ code, words }))
  .toSorted((a, b) => (a.code < b.code ? -1 : 1))

/** The description of a code that neither list has. */
export const unknownCodeWords = 'Not in the list of codes'

export const bankCodeWords = (code: string): string => returned[code] ?? betweenBanks[code] ?? changes[code] ?? unknownCodeWords
