/** Words of a bill in their plain form, without abbreviations. */

/** Returns a word without its inflection and abbreviation: 'Acct.' and 'ACCOUNTS' both become 'account'. */
export function plainWord(text: string): string {
  const letters = text.toLowerCase().replace(/[^a-z#/]/g, '')
  return abbreviations[letters] ?? letters
}

const abbreviations: Readonly<Record<string, string>> = {
  '#': 'number',
  no: 'number',
  nbr: 'number',
  num: 'number',
  numbers: 'number',
  acct: 'account',
  'a/c': 'account',
  accounts: 'account',
  'account#': 'account number',
  'acct#': 'account number',
  'meter#': 'meter number',
  'invoice#': 'invoice number',
  inv: 'invoice',
  stmt: 'statement',
  prev: 'previous',
  prv: 'previous',
  curr: 'current',
  cur: 'current',
  pres: 'present',
  mult: 'multiplier',
  multi: 'multiplier',
  bal: 'balance',
  fwd: 'forward',
  dt: 'date',
  amt: 'amount',
  chg: 'charge',
  chgs: 'charge',
  charges: 'charge',
  payments: 'payment',
  fees: 'fee',
  penalties: 'penalty',
  reads: 'read',
  readings: 'reading',
  rdg: 'reading',
  dates: 'date',
  days: 'day',
  cons: 'consumption',
  receipts: 'receipt',
  thru: 'through',
  ser: 'serial',
  balances: 'balance',
  your: '',
  the: '',
  adjustments: 'adjustment',
  est: 'estimated',
  estimate: 'estimated',
  meters: 'meter',
  mtr: 'meter',
  svc: 'service',
  serv: 'service',
}

/** Returns several normalized words as a phrase; empty if they are not words. */
export function plainPhrase(texts: readonly string[]): string {
  return texts
    .map(plainWord)
    .filter((word) => word !== '')
    .join(' ')
}
