/** Type codes of BAI2 lines. Codes say the direction of the money by their range; the words are those of the codes that payers meet. */

const words: Readonly<Record<string, string>> = {
  '115': 'Lockbox deposit',
  '142': 'ACH credit received',
  '155': 'Preauthorized draft credit',
  '165': 'Preauthorized ACH credit',
  '166': 'ACH settlement credit',
  '169': 'Miscellaneous ACH credit',
  '172': 'Deposit correction',
  '175': 'Check deposit package',
  '195': 'Incoming money transfer',
  '206': 'Book transfer credit',
  '252': 'Debit reversal',
  '255': 'Check posted and returned',
  '257': 'Individual ACH return item',
  '258': 'ACH reversal credit',
  '261': 'Individual rejected credit',
  '266': 'Return item',
  '268': 'Return item adjustment',
  '275': 'ZBA credit',
  '354': 'Interest credit',
  '357': 'Credit adjustment',
  '395': 'Check reversal',
  '398': 'Miscellaneous fee refund',
  '399': 'Miscellaneous credit',
  '447': 'ACH concentration debit',
  '451': 'ACH debit received',
  '455': 'Preauthorized ACH debit',
  '466': 'ACH settlement debit',
  '469': 'Miscellaneous ACH debit',
  '472': 'Cumulative checks paid',
  '474': 'Certified check debit',
  '475': 'Check paid',
  '477': 'Bank originated debit',
  '495': 'Outgoing money transfer',
  '506': 'Book transfer debit',
  '552': 'Credit reversal',
  '555': 'Deposited item returned',
  '557': 'Individual ACH return item',
  '558': 'ACH reversal debit',
  '575': 'ZBA debit',
  '631': 'Debit adjustment',
  '661': 'Account analysis fee',
  '695': 'Deposit already credited',
  '698': 'Miscellaneous fees',
  '699': 'Miscellaneous debit',
}

/** Codes of lines whose reference is the serial number of a check. */
const ofChecks: ReadonlySet<string> = new Set(['395', '474', '475'])

export const isCheckCode = (code: string): boolean => ofChecks.has(code)

export const codeWords = (code: string): string => words[code] ?? `Type ${code}`

/** Returns 1 for money that comes in, −1 for money that leaves, 0 for a line that moves none, and null for a code of no transaction. */
export function directionOf(code: string): 1 | -1 | 0 | null {
  if (code === '890') return 0
  const number = Number(code)
  if ((number > 100 && number < 400) || (number >= 920 && number < 960)) return 1
  if ((number > 400 && number < 700) || number >= 960) return -1
  return null
}
