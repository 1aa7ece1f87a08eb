/** A statement of a bank account: one account from one day to another, read from a file of its bank, and what of it is explained by payments. */
import { z } from 'zod'
import { call, crudCalls } from '../kernel/call.ts'
import { choice, date, derived, entity, instant, integer, money, optional, ref, text, type Row } from '../kernel/entity.ts'
import { sum } from '../payment-batches/payment-bill.ts'
import { csvMapping } from './csv-mapping.ts'
import { lineStates } from './bank-statement-line.ts'
import { statementFileMax } from './read-statement.ts'

export const statementFormats = [
  { value: 'bai2', label: 'BAI2' },
  { value: 'csv', label: 'CSV' },
] as const

export const bankStatement = entity(
  'bank_statement',
  'bank_statements',
  {
    bank_name: derived(text('Bank')),
    account_last4: derived(text('Account, Last 4')),
    client_id: derived(optional(ref('Client', 'clients'))),
    payer_name: derived(text('Payer')),
    from_day: derived(date('From')),
    to_day: derived(date('Through')),
    opening: derived(money('Opening Balance')),
    cleared: derived(money('Cleared')),
    explained: derived(money('Explained')),
    /** Closing less opening, cleared and explained: the sum of the lines that are open. */
    difference: derived(money('Difference')),
    closing: derived(money('Closing Balance')),
    line_count: derived(integer('Lines')),
    open_count: derived(integer('Open Lines')),
    proposed_count: derived(integer('Proposed Lines')),
    cleared_count: derived(integer('Cleared Lines')),
    explained_count: derived(integer('Explained Lines')),
    format: derived(choice('Format', statementFormats)),
    file_name: derived(text('File')),
    created_at: derived(instant('Read')),
    created_by_name: derived(optional(text('Read By'))),
  },
  {
    filter: [
      'id',
      'bank_name',
      'account_last4',
      'client_id',
      'payer_name',
      'from_day',
      'to_day',
      'opening',
      'cleared',
      'explained',
      'difference',
      'closing',
      'line_count',
      'open_count',
      'format',
      'file_name',
      'created_at',
      'created_by_name',
    ],
    sort: [
      'to_day',
      'from_day',
      'bank_name',
      'account_last4',
      'payer_name',
      'opening',
      'cleared',
      'explained',
      'difference',
      'closing',
      'line_count',
      'open_count',
      'format',
      'file_name',
      'created_at',
      'created_by_name',
      'id',
    ],
    defaultSort: 'to_day desc',
  },
  { label: 'Bank Statement', labels: 'Bank Statements' },
)
export type BankStatement = Row<typeof bankStatement>

/** A line of a file, with what it would be. Nothing of it is stored yet. */
const plannedLine = z.object({
  line: z.int(),
  day: z.string(),
  amount: sum,
  description: z.string(),
  check_number: z.string().nullable(),
  reference: z.string(),
  state: z.enum(lineStates.map(({ value }) => value)),
  clearable_name: z.string().nullable(),
  reason: z.string(),
})
export type PlannedLine = z.infer<typeof plannedLine>

const plannedStatement = z.object({
  from_day: z.string(),
  to_day: z.string(),
  opening: sum,
  closing: sum,
  lines: z.array(plannedLine),
})

const balance = (label: string) =>
  z
    .string(`${label} must be an amount`)
    .regex(/^-?\d{1,12}\.\d\d$/, `${label} must be an amount`)
    .nullable()
    .default(null)

const sentStatement = z.strictObject({
  originating_profile_id: z.int('Bank Profile is required').positive('Bank Profile is required'),
  file_name: z
    .string('File Name must be text')
    .trim()
    .min(1, 'File Name is required')
    .max(255, 'File Name must have at most 255 characters'),
  content: z
    .string('Content must be text')
    .min(1, 'The file is empty')
    .max(statementFileMax, `The file must have at most ${statementFileMax.toLocaleString('en-US')} characters`),
  /** The columns of a CSV file; null for those of the account’s last file, or else the usual headings. */
  mapping: csvMapping.nullable().default(null),
  /** A CSV file does not say its balances, so they are typed where no earlier statement or column has them. */
  opening: balance('Opening Balance'),
  closing: balance('Closing Balance'),
})
export type SentStatement = z.infer<typeof sentStatement>

const path = '/bank_statements'
const { list, exportCsv, destroy } = crudCalls(bankStatement, path, {
  read: 'global_batch.read',
  create: 'global_batch.create',
  update: 'global_batch.update',
  destroy: 'global_batch.update',
})

export const bankStatementCalls = {
  list,
  exportCsv,
  destroy,
  get: call({
    name: 'bank_statements.get',
    method: 'GET',
    path: `${path}/:id`,
    may: 'global_batch.read',
    summary: 'One statement, and what is outstanding of its account on its last day',
    reply: z.object({
      bank_statement: bankStatement.row,
      outstanding: z.object({ count: z.int(), total: sum }),
      /** The closing balance less what is outstanding. */
      balance_after: sum,
    }),
  }),
  preview: call({
    name: 'bank_statements.preview',
    method: 'POST',
    path: `${path}/preview`,
    effect: 'read',
    may: 'global_batch.update',
    summary: 'What each line of a bank’s statement file is; nothing is stored',
    heavy: true,
    body: sentStatement,
    reply: z.object({
      bank_name: z.string(),
      account_last4: z.string(),
      format: z.enum(statementFormats.map(({ value }) => value)),
      /** Each fault with its line. A file with faults is refused whole. */
      faults: z.array(z.string()),
      /** The headings of a CSV file, and the columns by which it was read. */
      headings: z.array(z.string()),
      mapping: csvMapping.nullable(),
      /** False if no earlier statement says the opening balance, and a person must type it. */
      opening_is_known: z.boolean(),
      statements: z.array(plannedStatement),
    }),
  }),
  read: call({
    name: 'bank_statements.read',
    method: 'POST',
    path,
    may: 'global_batch.update',
    summary: 'Reads a bank’s statement file once: stores its lines, and clears the payments that a line names for certain',
    heavy: true,
    body: sentStatement,
    reply: z.object({ success: z.boolean(), message: z.string(), id: z.int() }),
  }),
  match: call({
    name: 'bank_statements.match',
    method: 'POST',
    path: `${path}/:id/match`,
    may: 'global_batch.update',
    summary: 'Looks again for the payments of the open lines of a statement',
    heavy: true,
  }),
}
