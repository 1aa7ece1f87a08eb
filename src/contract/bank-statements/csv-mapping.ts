/** Which column of a bank's CSV file holds what. It is kept for each bank account, because every bank has headings of its own. */
import { z } from 'zod'

/** The columns of a statement in the order of the form. */
export const csvColumns = [
  { value: 'day', label: 'Date' },
  { value: 'amount', label: 'Amount' },
  { value: 'debit', label: 'Money Out' },
  { value: 'credit', label: 'Money In' },
  { value: 'description', label: 'Description' },
  { value: 'check_number', label: 'Check Number' },
  { value: 'reference', label: 'Reference' },
  { value: 'code', label: 'Type' },
  { value: 'balance', label: 'Balance' },
] as const
export type CsvColumn = (typeof csvColumns)[number]['value']

/** Longest heading, in characters. */
const headingMax = 100
const heading = (label: string) =>
  z
    .string(`${label} must be the heading of a column`)
    .trim()
    .max(headingMax, `${label} must have at most ${headingMax} characters`)
    .nullable()

/** A heading for each column; null where the file has none. */
export const csvMapping = z
  .strictObject(
    {
      day: heading('Date'),
      amount: heading('Amount'),
      debit: heading('Money Out'),
      credit: heading('Money In'),
      description: heading('Description'),
      check_number: heading('Check Number'),
      reference: heading('Reference'),
      code: heading('Type'),
      balance: heading('Balance'),
    },
    'Mapping must name the columns of the file',
  )
  .superRefine((mapping, { addIssue }) => {
    for (const sentence of mappingFaults(mapping)) addIssue({ code: 'custom', message: sentence })
  })
export type CsvMapping = z.infer<typeof csvMapping>

function mappingFaults({ day, amount, debit, credit }: Readonly<Record<CsvColumn, string | null>>): string[] {
  const faults: string[] = []
  if (!day) faults.push('Choose the column of the Date')
  if (amount && (debit || credit)) faults.push('Choose either the Amount, or Money Out and Money In')
  if (!amount && (!debit || !credit)) faults.push('Choose the column of the Amount, or those of Money Out and Money In')
  return faults
}

/** Headings as banks write them, without spaces and signs. */
const usual: Readonly<Record<CsvColumn, readonly string[]>> = {
  day: ['date', 'postingdate', 'posteddate', 'postdate', 'transactiondate', 'bookingdate', 'processeddate', 'asofdate'],
  amount: ['amount', 'transactionamount', 'netamount'],
  debit: ['debit', 'debits', 'debitamount', 'withdrawal', 'withdrawals', 'moneyout', 'paidout'],
  credit: ['credit', 'credits', 'creditamount', 'deposit', 'deposits', 'moneyin', 'paidin'],
  description: ['description', 'transactiondescription', 'details', 'memo', 'payee', 'name', 'narrative', 'text'],
  check_number: ['checknumber', 'checkno', 'check', 'checkorslip', 'serialnumber', 'chequenumber'],
  reference: ['reference', 'referencenumber', 'bankreference', 'customerreference', 'transactionid', 'tracenumber', 'trace', 'ref'],
  code: ['type', 'transactiontype', 'baicode', 'code', 'baitype'],
  balance: ['balance', 'runningbalance', 'ledgerbalance', 'availablebalance', 'runningbal'],
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Returns what the headings of a file are likely to mean: each column by the first usual heading. An amount goes before two columns. */
export function guessMapping(headings: readonly string[]): Record<CsvColumn, string | null> {
  const find = (column: CsvColumn): string | null => {
    const found = usual[column].flatMap((name) => headings.filter((one) => plain(one) === name))
    return found[0]?.trim() ?? null
  }
  const [amount, debit, credit] = [find('amount'), find('debit'), find('credit')]
  const both = debit !== null && credit !== null
  return {
    day: find('day'),
    amount: both ? null : amount,
    debit: both ? debit : null,
    credit: both ? credit : null,
    description: find('description'),
    check_number: find('check_number'),
    reference: find('reference'),
    code: find('code'),
    balance: find('balance'),
  }
}
